-- Who may do what, and what else opens the door: the tables of the permission matrix, personal access
-- tokens, step-up proofs, and the ledger of access events. Secrets are stored as digests only.

create table permissions (
  permission_id ulid primary key,
  name text not null constraint permission_name_unique unique
);
call make_append_only('permissions');

create table roles (
  role_id ulid primary key,
  name text not null constraint role_name_unique unique
);
call make_append_only('roles');

-- A role may do what a pair here says, with the account's own data, and nothing else.
create table role_permissions (
  role_id ulid not null constraint role_permission_of_role references roles,
  permission_id ulid not null constraint role_permission_of_permission references permissions,
  primary key (role_id, permission_id)
);
call make_append_only('role_permissions');

-- An account whose role was revoked has none, and may do nothing.
alter table accounts alter column role drop not null;

-- What an account with the role SERVICE was granted one by one.
create table account_permissions (
  account_id ulid not null constraint account_permission_of_account references accounts,
  permission_id ulid not null constraint account_permission_of_permission references permissions,
  primary key (account_id, permission_id)
);

call make_permanent('sessions');
create trigger fixed_columns before update on sessions
  for each row when (
    (new.account_id, new.session_id, new.secret_digest, new.transport, new.device_name,
     new.created_at, new.expires_at)
      is distinct from
    (old.account_id, old.session_id, old.secret_digest, old.transport, old.device_name,
     old.created_at, old.expires_at)
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  )
  execute function refuse('PRS04', 'only last sight may change, and revocation once');
alter table sessions enable always trigger fixed_columns;
alter table sessions
  -- Hours, because a day's length depends on the database session's time zone.
  add constraint session_lifetime check (expires_at <= created_at + interval '720 hours'),
  add constraint session_seen_in_its_life check (last_seen_at <= expires_at);

create table tokens (
  account_id ulid not null constraint token_of_account references accounts,
  token_id ulid not null,
  name text not null constraint token_name_length check (char_length(name) between 1 and 200),
  secret_digest bytea not null constraint token_digest_unique unique
    constraint token_digest_length check (octet_length(secret_digest) = 32),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (account_id, token_id),
  constraint token_lifetime
    check (expires_at > created_at and expires_at <= created_at + interval '8760 hours')
);
call make_permanent('tokens');
create trigger fixed_columns before update on tokens
  for each row when (
    (new.account_id, new.token_id, new.name, new.secret_digest, new.created_at, new.expires_at)
      is distinct from
    (old.account_id, old.token_id, old.name, old.secret_digest, old.created_at, old.expires_at)
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  )
  execute function refuse('PRS04', 'only last use may change, and revocation once');
alter table tokens enable always trigger fixed_columns;

create table token_permissions (
  account_id ulid not null,
  token_id ulid not null,
  permission_id ulid not null constraint token_permission_of_permission references permissions,
  primary key (account_id, token_id, permission_id),
  constraint token_permission_of_token foreign key (account_id, token_id) references tokens
);
call make_append_only('token_permissions');
-- What a token may do is said when it is made, and never after.
create function refuse_later_rights() returns trigger language plpgsql as $$
begin
  -- A row's xmin is the transaction that made it, or that changed it last.
  if exists (
    select from tokens
     where account_id = new.account_id and token_id = new.token_id
       and xmin <> pg_current_xact_id()::xid
  ) then
    raise exception using errcode = 'PRS04', message = 'token_permissions: the token stands already';
  end if;
  return new;
end $$;
call make_undeceivable('refuse_later_rights()');
create trigger fixed_rights before insert on token_permissions
  for each row execute function refuse_later_rights();
alter table token_permissions enable always trigger fixed_rights;

-- A proof that the password was confirmed a moment ago. It ends by its use, by the end of its session,
-- by a change of the password, or by its age.
create table step_up_proofs (
  account_id ulid not null,
  proof_id ulid not null,
  session_id ulid not null,
  secret_digest bytea not null constraint step_up_proof_digest_unique unique
    constraint step_up_proof_digest_length check (octet_length(secret_digest) = 32),
  purpose text not null constraint step_up_purpose_known check (purpose in (
    'RELATIONSHIP_EVALUATION_CONFIRM', 'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT',
    'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH')),
  -- Null where the proof is good for any target of its purpose.
  target_id ulid,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null constraint step_up_proof_lifetime
    check (expires_at > created_at and expires_at <= created_at + interval '5 minutes'),
  ended_at timestamptz(3),
  primary key (account_id, proof_id),
  constraint step_up_proof_of_session foreign key (account_id, session_id) references sessions
);
call make_permanent('step_up_proofs');
create index step_up_proofs_open on step_up_proofs (account_id, session_id) where ended_at is null;
create trigger used_once before update on step_up_proofs
  for each row when (
    old.ended_at is not null
    or (new.account_id, new.proof_id, new.session_id, new.secret_digest, new.purpose, new.target_id,
        new.created_at, new.expires_at)
      is distinct from
       (old.account_id, old.proof_id, old.session_id, old.secret_digest, old.purpose, old.target_id,
        old.created_at, old.expires_at)
  )
  execute function refuse('PRS04', 'a proof ends once and never changes');
alter table step_up_proofs enable always trigger used_once;

-- Who came in, who failed to, and what changed about the doors. It names what happened, never a value.
create table access_events (
  -- All zeros where nobody was found: a failed login of an unknown email leaves its event all the same,
  -- so that it costs the same.
  account_id ulid not null,
  event_id ulid not null,
  event text not null constraint access_event_known check (event in (
    'ACCOUNT_CREATED', 'ACCOUNT_DISABLED', 'ACCOUNT_ENABLED', 'LOGIN', 'LOGIN_FAILED', 'LOGOUT',
    'SESSION_REVOKED', 'PASSWORD_CHANGED', 'PASSWORD_RESET', 'TOKEN_CREATED', 'TOKEN_REVOKED',
    'STEP_UP', 'STEP_UP_FAILED', 'ROLE_GRANTED', 'ROLE_REVOKED', 'PERMISSION_GRANTED',
    'PERMISSION_REVOKED')),
  credential_kind text constraint access_event_credential_known
    check (credential_kind in ('SESSION', 'TOKEN', 'ADMIN')),
  credential_id ulid,
  request_id text not null,
  created_at timestamptz(3) not null,
  primary key (account_id, event_id)
);
call make_append_only('access_events');
