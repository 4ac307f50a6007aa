-- Sign-in and permissions. Secrets are stored as digests only; those of second factors are encrypted.

create table accounts (
  account_id ulid primary key,
  email text not null constraint account_email_length check (char_length(email) between 3 and 254),
  -- The email folded for comparison: one account per address, regardless of case.
  email_key text not null constraint account_email_unique unique,
  display_name text not null constraint account_display_name_length
    check (char_length(display_name) between 1 and 200),
  password_hash text not null,
  -- Null after the role was revoked: the account may do nothing.
  role text default 'OWNER' constraint account_role_known
    check (role in ('OWNER', 'EDITOR', 'VIEWER', 'SERVICE')),
  created_at timestamptz(3) not null,
  disabled_at timestamptz(3),
  -- When the account's writes were frozen, to copy it to another installation; null if they are accepted.
  frozen_at timestamptz(3),
  -- The installation that the account moved to. Its rows here stay, but sign-in always fails.
  moved_to text constraint account_moved_to_length check (char_length(moved_to) between 1 and 2048),
  constraint account_moved_is_frozen check (moved_to is null or frozen_at is not null)
);
call make_permanent('accounts');
-- Ledgers name their owner and actor without a foreign key.
create trigger fixed_columns before update on accounts
  for each row when (
    (new.account_id, new.created_at) is distinct from (old.account_id, old.created_at)
  )
  execute function refuse('PRS04', 'identifier and creation are fixed');
alter table accounts enable always trigger fixed_columns;
-- moved_to may change: the account may move on from there.
create trigger moved_for_good before update on accounts
  for each row when (old.moved_to is not null and new.moved_to is null)
  execute function refuse('PRS04', 'an account that has moved does not come back');
alter table accounts enable always trigger moved_for_good;

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

-- A role allows only what has a row here, and only on the account's own data.
create table role_permissions (
  role_id ulid not null constraint role_permission_of_role references roles,
  permission_id ulid not null constraint role_permission_of_permission references permissions,
  primary key (role_id, permission_id)
);
call make_append_only('role_permissions');

-- Fixed identifiers. Before any step runs, src/access/authorization.ts stops a start on a database that
-- uses one of them, or its name, for something else.
insert into roles (role_id, name) values
  ('01KAGQ0000RANK000000000001', 'OWNER'),
  ('01KAGQ0000RANK000000000002', 'EDITOR'),
  ('01KAGQ0000RANK000000000003', 'VIEWER'),
  ('01KAGQ0000RANK000000000004', 'SERVICE');

-- Adds a permission and grants it to the roles. The migration of a new family calls it for each of its
-- permissions; there is no other way to grant one.
create procedure make_permission(id ulid, permission text) language plpgsql as $$
begin
  insert into permissions (permission_id, name) values (id, permission);
  insert into role_permissions (role_id, permission_id)
  select role_id, id from roles where case roles.name
    when 'OWNER' then true
    when 'EDITOR' then permission not in (
      'account.manage', 'token.manage', 'relationship.evaluation.confirm', 'relationship.status.control')
    when 'VIEWER' then permission = 'platform.operate'
      or (permission like '%.read' and permission <> 'audit.read')
    -- SERVICE has single grants: see account_permissions.
    else false
  end;
end $$;
call make_permission('01KAGQ0000PERM000000000001', 'platform.operate');
call make_permission('01KAGQ0000PERM000000000002', 'record.read');
call make_permission('01KAGQ0000PERM000000000003', 'record.write');
call make_permission('01KAGQ0000PERM000000000004', 'attachment.read');
call make_permission('01KAGQ0000PERM000000000005', 'attachment.write');
call make_permission('01KAGQ0000PERM000000000006', 'memory.read');
call make_permission('01KAGQ0000PERM000000000007', 'memory.write');
call make_permission('01KAGQ0000PERM000000000008', 'memory.secret');
call make_permission('01KAGQ0000PERM000000000009', 'identity.read');
call make_permission('01KAGQ0000PERM000000000010', 'identity.write');
call make_permission('01KAGQ0000PERM000000000011', 'identity.publish');
call make_permission('01KAGQ0000PERM000000000012', 'relationship.person.read');
call make_permission('01KAGQ0000PERM000000000013', 'relationship.person.write');
call make_permission('01KAGQ0000PERM000000000014', 'relationship.status.control');
call make_permission('01KAGQ0000PERM000000000015', 'relationship.ledger.read');
call make_permission('01KAGQ0000PERM000000000016', 'relationship.ledger.write');
call make_permission('01KAGQ0000PERM000000000017', 'relationship.ledger.secret');
call make_permission('01KAGQ0000PERM000000000018', 'relationship.evaluation.propose');
call make_permission('01KAGQ0000PERM000000000019', 'relationship.evaluation.confirm');
call make_permission('01KAGQ0000PERM000000000020', 'decision.read');
call make_permission('01KAGQ0000PERM000000000021', 'decision.write');
call make_permission('01KAGQ0000PERM000000000022', 'resource.read');
call make_permission('01KAGQ0000PERM000000000023', 'resource.write');
call make_permission('01KAGQ0000PERM000000000024', 'taxonomy.read');
call make_permission('01KAGQ0000PERM000000000025', 'taxonomy.write');
call make_permission('01KAGQ0000PERM000000000026', 'search.read');
call make_permission('01KAGQ0000PERM000000000027', 'changes.read');
call make_permission('01KAGQ0000PERM000000000028', 'audit.read');
call make_permission('01KAGQ0000PERM000000000029', 'token.manage');
call make_permission('01KAGQ0000PERM000000000030', 'account.manage');

-- Permissions that an operator granted to an account with the role SERVICE.
create table account_permissions (
  account_id ulid not null constraint account_permission_of_account references accounts,
  permission_id ulid not null constraint account_permission_of_permission references permissions,
  primary key (account_id, permission_id)
);

create table sessions (
  account_id ulid not null constraint session_of_account references accounts,
  session_id ulid not null,
  secret_digest bytea not null constraint session_digest_unique unique
    constraint session_digest_length check (octet_length(secret_digest) = 32),
  transport text not null constraint session_transport_known check (transport in ('cookie', 'bearer')),
  device_name text constraint session_device_name_length check (char_length(device_name) <= 200),
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null
    constraint session_seen_in_its_life check (last_seen_at <= expires_at),
  -- SESSION_ABSOLUTE_DAYS is at most 365. In hours, because the length of a day depends on the connection's
  -- time zone.
  expires_at timestamptz(3) not null
    constraint session_lifetime check (expires_at <= created_at + interval '8760 hours'),
  revoked_at timestamptz(3),
  -- An address is stored as 64 bits of its HMAC under the server secret, and a client as words from a fixed
  -- list, so neither an address nor a header's text can be stored. Null if unknown.
  address_digest text constraint session_address_digest_form check (address_digest ~ '^[0-9a-f]{16}$'),
  client text constraint session_client_form check (client ~ '^[A-Za-z ]{1,64}$'),
  primary key (account_id, session_id)
);
call make_permanent('sessions');
create trigger fixed_columns before update on sessions
  for each row when (
    (new.account_id, new.session_id, new.secret_digest, new.transport, new.device_name,
     new.address_digest, new.client, new.created_at, new.expires_at)
      is distinct from
    (old.account_id, old.session_id, old.secret_digest, old.transport, old.device_name,
     old.address_digest, old.client, old.created_at, old.expires_at)
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  )
  execute function refuse('PRS04', 'only last sight may change, and revocation once');
alter table sessions enable always trigger fixed_columns;

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
-- A token's permissions are set only when it is created.
create function refuse_later_rights() returns trigger language plpgsql as $$
begin
  -- xmin is the transaction that created the row, or changed it last.
  if exists (
    select from tokens
     where account_id = new.account_id and token_id = new.token_id
       and xmin <> pg_current_xact_id()::xid
  ) then
    raise exception using errcode = 'PRS04', message = 'token_permissions: the token stands already';
  end if;
  return new;
end $$;
call pin_search_path('refuse_later_rights()');
create trigger fixed_rights before insert on token_permissions
  for each row execute function refuse_later_rights();
alter table token_permissions enable always trigger fixed_rights;

-- A proof that the password was just confirmed. It ends with its use, its session, a change of the
-- password, or its expiry.
create table step_up_proofs (
  account_id ulid not null,
  proof_id ulid not null,
  session_id ulid not null,
  secret_digest bytea not null constraint step_up_proof_digest_unique unique
    constraint step_up_proof_digest_length check (octet_length(secret_digest) = 32),
  purpose text not null constraint step_up_purpose_known check (purpose in (
    'RELATIONSHIP_EVALUATION_CONFIRM', 'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT',
    'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH', 'ACCOUNT_EXPORT', 'TOKEN_CREATE',
    'SECOND_FACTOR_CHANGE')),
  -- Null if the proof covers any subject of its purpose.
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

-- Second factors (TOTP, RFC 6238): an authenticator's secret, and recovery codes. A secret is encrypted
-- under a key derived from the server secret and bound to its account, so neither a copy of the database
-- nor a row moved to another account opens it: 12 bytes of nonce, 20 of secret, 16 of authentication code.

-- Not yet confirmed by a code, which must come within ten minutes, in the session that requested it.
create table pending_second_factors (
  account_id ulid primary key,
  session_id ulid not null,
  encrypted_secret bytea not null constraint pending_second_factor_secret_length
    check (octet_length(encrypted_secret) = 48),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null constraint pending_second_factor_lifetime
    check (expires_at > created_at and expires_at <= created_at + interval '10 minutes'),
  constraint pending_second_factor_of_session foreign key (account_id, session_id) references sessions
);
create trigger never_changed before update on pending_second_factors
  for each row execute function refuse('PRS04', 'a pending secret is replaced, never changed');
alter table pending_second_factors enable always trigger never_changed;

-- The factor that sign-in and step-up require.
create table second_factors (
  account_id ulid primary key constraint second_factor_of_account references accounts,
  encrypted_secret bytea not null constraint second_factor_secret_length
    check (octet_length(encrypted_secret) = 48),
  enabled_at timestamptz(3) not null,
  -- The time step of the newest code used: neither it nor an older one is accepted again.
  last_step integer not null constraint second_factor_step_positive check (last_step > 0),
  -- Wrong authenticator codes since the last right code or recovery code, at sign-in, step-up and change of
  -- password together. From 20 on, only a recovery code is accepted.
  wrong_codes integer not null default 0
    constraint second_factor_wrong_codes_range check (wrong_codes between 0 and 20)
);
create trigger step_rises before update on second_factors
  for each row when (
    (new.account_id, new.encrypted_secret, new.enabled_at)
      is distinct from (old.account_id, old.encrypted_secret, old.enabled_at)
    or new.last_step < old.last_step
    or (new.last_step, new.wrong_codes) is not distinct from (old.last_step, old.wrong_codes)
    or new.wrong_codes not in (0, old.wrong_codes, old.wrong_codes + 1)
  )
  execute function refuse('PRS04', 'the last step rises, and wrong codes are counted one by one');
alter table second_factors enable always trigger step_rises;

create table recovery_codes (
  account_id ulid not null constraint recovery_code_of_factor references second_factors,
  code_digest bytea not null constraint recovery_code_digest_length
    check (octet_length(code_digest) = 32),
  created_at timestamptz(3) not null,
  used_at timestamptz(3),
  primary key (account_id, code_digest)
);
create trigger used_once before update on recovery_codes
  for each row when (
    old.used_at is not null
    or (new.account_id, new.code_digest, new.created_at)
      is distinct from (old.account_id, old.code_digest, old.created_at)
  )
  execute function refuse('PRS04', 'a recovery code is used once and never changes');
alter table recovery_codes enable always trigger used_once;

-- At most one row: the token that creates the first account.
create table setup_token (
  singleton boolean primary key default true constraint setup_token_single check (singleton),
  secret_digest bytea not null constraint setup_token_digest_length
    check (octet_length(secret_digest) = 32),
  expires_at timestamptz(3) not null
);

-- Proves that a process was started with this database's server secret, without storing the secret.
create table server_secret_check (
  singleton boolean primary key default true constraint server_secret_check_single check (singleton),
  check_value bytea not null
);
call make_append_only('server_secret_check');

-- Sign-ins, failed sign-ins, changes of credentials and permissions, and reads that showed SECRET content.
-- An event contains no value or content.
create table access_events (
  -- All zeros without an account: a failed sign-in with an unknown email also writes its event, to take the
  -- same time.
  account_id ulid not null,
  event_id ulid not null,
  event text not null constraint access_event_known check (event in (
    'ACCOUNT_CREATED', 'ACCOUNT_DISABLED', 'ACCOUNT_ENABLED', 'LOGIN', 'LOGIN_FAILED', 'LOGOUT',
    'SESSION_REVOKED', 'PASSWORD_CHANGED', 'PASSWORD_RESET', 'TOKEN_CREATED', 'TOKEN_REVOKED',
    'STEP_UP', 'STEP_UP_FAILED', 'ROLE_GRANTED', 'ROLE_REVOKED', 'PERMISSION_GRANTED',
    'PERMISSION_REVOKED', 'SECOND_FACTOR_ENABLED', 'SECOND_FACTOR_DISABLED', 'SECOND_FACTOR_RESET',
    'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_FAILED', 'SECOND_FACTOR_LOCKED',
    'RECOVERY_CODES_REPLACED', 'RECOVERY_CODE_USED', 'ACCOUNT_FROZEN', 'ACCOUNT_UNFROZEN',
    'ACCOUNT_EXPORTED', 'ACCOUNT_IMPORTED', 'ACCOUNT_RETIRED', 'SECRET_READ')),
  credential_kind text constraint access_event_credential_known
    check (credential_kind in ('SESSION', 'TOKEN', 'ADMIN')),
  credential_id ulid,
  request_id text not null,
  created_at timestamptz(3) not null,
  -- The same forms as in sessions.
  address_digest text constraint access_event_address_digest_form
    check (address_digest ~ '^[0-9a-f]{16}$'),
  client text constraint access_event_client_form check (client ~ '^[A-Za-z ]{1,64}$'),
  -- Decides when the row is sealed; see 0008_audit_seals.sql.
  transaction_id bigint default (pg_current_xact_id()::text::bigint),
  primary key (account_id, event_id)
);
call make_append_only('access_events');
-- Rows are inserted in the order of their transactions, so a summary per page (BRIN) suffices and costs a
-- write next to nothing.
create index access_events_by_transaction on access_events
  using brin (transaction_id) with (autosummarize = on);

-- The throttle of passwords and of the set-up token. Email and address are HMACs under the server secret:
-- neither an address nor a password typed into the wrong field can be read here.
create table access_attempts (
  attempt_id ulid primary key,
  -- Identifies an email, with or without an account. Null for a set-up, which has no email yet.
  subject bytea constraint access_attempt_subject_length check (octet_length(subject) = 32),
  address bytea not null
    constraint access_attempt_address_length check (octet_length(address) = 32),
  attempted_at timestamptz(3) not null,
  -- False also while the attempt runs, so that a hundred concurrent attempts do not pass a limit of ten.
  succeeded boolean not null default false
);
create index access_attempts_by_address on access_attempts (address, attempted_at)
  where not succeeded;
create index access_attempts_by_subject on access_attempts (subject, attempted_at)
  where not succeeded;
-- Finds out whether an address is known for an email.
create index access_attempts_known on access_attempts (subject, address, attempted_at)
  where succeeded;
-- Finds the oldest failures and successes, which are deleted first.
create index access_attempts_by_age on access_attempts (succeeded, attempted_at);

-- Starts an attempt, which counts as a failure until it is marked as a success. Returns null, or the whole
-- seconds until an attempt will be accepted; a rejected one leaves no row. VOLATILE, so that it counts what
-- was committed before its locks were granted.
create function take_access_attempt(
  the_attempt text, the_subject bytea, the_address bytea, the_time timestamptz
) returns integer language plpgsql volatile as $$
declare
  address_window constant interval := '15 minutes';
  account_window constant interval := '1 hour';
  -- In hours, because the length of a day depends on the session's time zone.
  successes_since constant timestamptz := the_time - interval '720 hours';
  refused_until timestamptz;
begin
  -- Attempts that share a limit take turns. The address always comes first, so that no two of them
  -- deadlock.
  perform pg_advisory_xact_lock(1, hashtext(encode(the_address, 'hex')));
  if the_subject is not null then
    perform pg_advisory_xact_lock(2, hashtext(encode(the_subject, 'hex')));
  end if;

  -- Each attempt deletes far more rows than it adds, and few enough to stay fast.
  delete from access_attempts where ctid = any (array(
    select ctid from access_attempts
     where not succeeded and attempted_at <= the_time - account_window
     limit 100 for update skip locked));
  delete from access_attempts where ctid = any (array(
    select ctid from access_attempts
     where succeeded and attempted_at <= successes_since
     limit 100 for update skip locked));

  -- A limit applies while the failure that reached it is in its window. The newest thirty failures from the
  -- address also decide the limit of email and address together: if the tenth of those is older, the limit
  -- of the address lasts longer.
  with from_address as (
    select subject, attempted_at from access_attempts
     where address = the_address and not succeeded and attempted_at > the_time - address_window
     order by attempted_at desc limit 30
  )
  select max(ends_at) into refused_until from (
    (select attempted_at + address_window as ends_at from from_address where subject = the_subject
      order by attempted_at desc offset 9 limit 1)
    union all
    (select attempted_at + address_window from from_address
      order by attempted_at desc offset 29 limit 1)
    union all
    -- Attempts from many other addresses cannot lock the owner out of an address that the account knows.
    (select attempted_at + account_window from access_attempts
      where subject = the_subject and not succeeded and attempted_at > the_time - account_window
        and not exists (
          select from access_attempts
           where subject = the_subject and address = the_address
             and succeeded and attempted_at > successes_since)
      order by attempted_at desc offset 99 limit 1)
  ) reached;
  if refused_until is not null then
    return ceil(extract(epoch from refused_until - the_time));
  end if;

  insert into access_attempts (attempt_id, subject, address, attempted_at)
    values (the_attempt, the_subject, the_address, the_time);
  return null;
end $$;
