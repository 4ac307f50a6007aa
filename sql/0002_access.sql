-- Who may enter: accounts, sessions, the one-time set-up token. Secrets are stored as digests only.

create table accounts (
  account_id ulid primary key,
  email text not null constraint account_email_length check (char_length(email) between 3 and 254),
  -- The address folded for comparison: one account an address, whatever its case.
  email_key text not null constraint account_email_unique unique,
  display_name text not null constraint account_display_name_length
    check (char_length(display_name) between 1 and 200),
  password_hash text not null,
  role text not null default 'OWNER' constraint account_role_known
    check (role in ('OWNER', 'EDITOR', 'VIEWER', 'SERVICE')),
  created_at timestamptz(3) not null,
  disabled_at timestamptz(3)
);
call make_permanent('accounts');
-- Ledgers name their owner and actor without a reference.
create trigger fixed_columns before update on accounts
  for each row when (
    (new.account_id, new.created_at) is distinct from (old.account_id, old.created_at)
  )
  execute function refuse('PRS04', 'identifier and creation are fixed');
alter table accounts enable always trigger fixed_columns;

create table sessions (
  account_id ulid not null constraint session_of_account references accounts,
  session_id ulid not null,
  secret_digest bytea not null constraint session_digest_unique unique
    constraint session_digest_length check (octet_length(secret_digest) = 32),
  transport text not null constraint session_transport_known check (transport in ('cookie', 'bearer')),
  device_name text constraint session_device_name_length check (char_length(device_name) <= 200),
  created_at timestamptz(3) not null,
  last_seen_at timestamptz(3) not null,
  expires_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  primary key (account_id, session_id)
);

-- At most one row: the token that opens the first account.
create table setup_token (
  singleton boolean primary key default true constraint setup_token_single check (singleton),
  secret_digest bytea not null constraint setup_token_digest_length
    check (octet_length(secret_digest) = 32),
  expires_at timestamptz(3) not null
);

-- Proof that a process was started with this database's server secret, without the secret.
create table server_secret_check (
  singleton boolean primary key default true constraint server_secret_check_single check (singleton),
  check_value bytea not null
);
call make_append_only('server_secret_check');
