-- The fixed identifiers of permissions and roles, and which role may do what. Before this step runs, a
-- read-only check (src/access/authorization.ts) stops a start that would meet other identifiers.

insert into permissions (permission_id, name) values
  ('01KAGQ0000PERM000000000001', 'platform.operate'),
  ('01KAGQ0000PERM000000000002', 'record.read'),
  ('01KAGQ0000PERM000000000003', 'record.write'),
  ('01KAGQ0000PERM000000000004', 'attachment.read'),
  ('01KAGQ0000PERM000000000005', 'attachment.write'),
  ('01KAGQ0000PERM000000000006', 'memory.read'),
  ('01KAGQ0000PERM000000000007', 'memory.write'),
  ('01KAGQ0000PERM000000000008', 'memory.secret'),
  ('01KAGQ0000PERM000000000009', 'identity.read'),
  ('01KAGQ0000PERM000000000010', 'identity.write'),
  ('01KAGQ0000PERM000000000011', 'identity.publish'),
  ('01KAGQ0000PERM000000000012', 'relationship.person.read'),
  ('01KAGQ0000PERM000000000013', 'relationship.person.write'),
  ('01KAGQ0000PERM000000000014', 'relationship.status.control'),
  ('01KAGQ0000PERM000000000015', 'relationship.ledger.read'),
  ('01KAGQ0000PERM000000000016', 'relationship.ledger.write'),
  ('01KAGQ0000PERM000000000017', 'relationship.ledger.secret'),
  ('01KAGQ0000PERM000000000018', 'relationship.evaluation.propose'),
  ('01KAGQ0000PERM000000000019', 'relationship.evaluation.confirm'),
  ('01KAGQ0000PERM000000000020', 'decision.read'),
  ('01KAGQ0000PERM000000000021', 'decision.write'),
  ('01KAGQ0000PERM000000000022', 'resource.read'),
  ('01KAGQ0000PERM000000000023', 'resource.write'),
  ('01KAGQ0000PERM000000000024', 'taxonomy.read'),
  ('01KAGQ0000PERM000000000025', 'taxonomy.write'),
  ('01KAGQ0000PERM000000000026', 'search.read'),
  ('01KAGQ0000PERM000000000027', 'changes.read'),
  ('01KAGQ0000PERM000000000028', 'audit.read'),
  ('01KAGQ0000PERM000000000029', 'token.manage'),
  ('01KAGQ0000PERM000000000030', 'account.manage');

insert into roles (role_id, name) values
  ('01KAGQ0000RANK000000000001', 'OWNER'),
  ('01KAGQ0000RANK000000000002', 'EDITOR'),
  ('01KAGQ0000RANK000000000003', 'VIEWER'),
  ('01KAGQ0000RANK000000000004', 'SERVICE');

-- SERVICE may do what an operator grants it one by one.
insert into role_permissions (role_id, permission_id)
select role_id, permission_id from roles join permissions on case roles.name
  when 'OWNER' then true
  when 'EDITOR' then permissions.name not in (
    'account.manage', 'token.manage', 'relationship.evaluation.confirm', 'relationship.status.control')
  when 'VIEWER' then permissions.name = 'platform.operate'
    or (permissions.name like '%.read' and permissions.name <> 'audit.read')
  else false
end;
