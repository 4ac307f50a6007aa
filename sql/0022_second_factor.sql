-- The second factor of an account (TOTP, RFC 6238): the secret that an authenticator shares with the
-- service, and one-time recovery codes. A secret is encrypted under a key that is derived from the
-- server secret, so that neither a copy of the database nor a row moved to another account opens it:
-- twelve bytes of nonce, twenty of secret, sixteen of authentication code.

-- A secret that no code has confirmed yet. It is replaced as a whole, and it is confirmed in the session
-- that asked for it, within ten minutes.
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

-- The factor that sign-in and step-up ask for.
create table second_factors (
  account_id ulid primary key constraint second_factor_of_account references accounts,
  encrypted_secret bytea not null constraint second_factor_secret_length
    check (octet_length(encrypted_secret) = 48),
  enabled_at timestamptz(3) not null,
  -- The step of the newest code that was used: neither that code nor an older one is good any more.
  last_step integer not null constraint second_factor_step_positive check (last_step > 0)
);
create trigger step_rises before update on second_factors
  for each row when (
    (new.account_id, new.encrypted_secret, new.enabled_at)
      is distinct from (old.account_id, old.encrypted_secret, old.enabled_at)
    or new.last_step <= old.last_step
  )
  execute function refuse('PRS04', 'only the last step changes, and it rises');
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

alter table step_up_proofs
  drop constraint step_up_purpose_known,
  add constraint step_up_purpose_known check (purpose in (
    'RELATIONSHIP_EVALUATION_CONFIRM', 'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT',
    'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH', 'TOKEN_CREATE', 'SECOND_FACTOR_CHANGE'));

alter table access_events
  drop constraint access_event_known,
  add constraint access_event_known check (event in (
    'ACCOUNT_CREATED', 'ACCOUNT_DISABLED', 'ACCOUNT_ENABLED', 'LOGIN', 'LOGIN_FAILED', 'LOGOUT',
    'SESSION_REVOKED', 'PASSWORD_CHANGED', 'PASSWORD_RESET', 'TOKEN_CREATED', 'TOKEN_REVOKED',
    'STEP_UP', 'STEP_UP_FAILED', 'ROLE_GRANTED', 'ROLE_REVOKED', 'PERMISSION_GRANTED',
    'PERMISSION_REVOKED', 'SECOND_FACTOR_ENABLED', 'SECOND_FACTOR_DISABLED', 'SECOND_FACTOR_RESET',
    'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_FAILED', 'RECOVERY_CODES_REPLACED',
    'RECOVERY_CODE_USED'));
