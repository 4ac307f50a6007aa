-- Passkeys (WebAuthn): public keys that sign a person in, or confirm a step-up, in one touch. Only public keys
-- are stored. All that write these tables hold the account's row.

-- The identifier by which authenticators know an account. It reveals nothing about the account and never changes.
create table passkey_users (
  account_id ulid primary key constraint passkey_user_of_account references accounts,
  user_handle bytea not null
    constraint passkey_user_handle_length check (octet_length(user_handle) = 32)
);
call make_append_only('passkey_users');

create table passkeys (
  account_id ulid not null constraint passkey_of_user references passkey_users,
  passkey_id ulid not null,
  name text not null constraint passkey_name_length check (char_length(name) between 1 and 100),
  -- The host name that it was registered for: it is of no use under another one.
  host_name text not null
    constraint passkey_host_name_length check (char_length(host_name) between 1 and 253),
  algorithm text not null constraint passkey_algorithm_known
    check (algorithm in ('ES256', 'EdDSA', 'RS256')),
  -- The authenticator's identifier of the key. Null once removed, so that it can be registered again.
  credential bytea constraint passkey_credential_unique unique
    constraint passkey_credential_length check (octet_length(credential) between 1 and 1023),
  -- The COSE key, as the authenticator encoded it. Null once removed.
  public_key bytea constraint passkey_public_key_length
    check (octet_length(public_key) between 1 and 1024),
  -- How browsers said it can be reached, separated by spaces.
  transports text not null constraint passkey_transports_known check (
    transports ~ '^((usb|nfc|ble|smart-card|hybrid|internal)( (usb|nfc|ble|smart-card|hybrid|internal))*)?$'),
  backup_eligible boolean not null,
  backed_up boolean not null,
  -- The authenticator's count of signatures when it was last used; 0 if it has none.
  counter bigint not null constraint passkey_counter_range check (counter between 0 and 4294967295),
  created_at timestamptz(3) not null,
  last_used_at timestamptz(3),
  removed_at timestamptz(3),
  primary key (account_id, passkey_id),
  constraint passkey_backed_up_is_eligible check (backup_eligible or not backed_up),
  constraint passkey_removed_without_key
    check (num_nulls(credential, public_key) = 2 * num_nonnulls(removed_at))
);
call make_permanent('passkeys');
create trigger fixed_columns before update on passkeys
  for each row when (
    old.removed_at is not null
    or new.counter < old.counter
    or (new.account_id, new.passkey_id, new.host_name, new.algorithm, new.transports,
        new.backup_eligible, new.created_at)
      is distinct from
       (old.account_id, old.passkey_id, old.host_name, old.algorithm, old.transports,
        old.backup_eligible, old.created_at)
    or (new.removed_at is null
        and (new.credential, new.public_key) is distinct from (old.credential, old.public_key))
  )
  execute function refuse('PRS04', 'only name and last use change, the counter rises, and removal is final');
alter table passkeys enable always trigger fixed_columns;

-- Challenges of a session that wait for their answer. They go with it, or after five minutes.
create table passkey_ceremonies (
  account_id ulid not null,
  ceremony_id ulid not null,
  session_id ulid not null,
  challenge bytea not null constraint passkey_ceremony_challenge_length
    check (octet_length(challenge) = 32),
  -- The purpose of the proof that a step-up asks for; null for a registration.
  purpose text,
  target_id ulid,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null constraint passkey_ceremony_lifetime
    check (expires_at > created_at and expires_at <= created_at + interval '5 minutes'),
  primary key (account_id, ceremony_id),
  constraint passkey_ceremony_of_session foreign key (account_id, session_id) references sessions,
  constraint passkey_ceremony_target_has_purpose check (target_id is null or purpose is not null)
);
create trigger never_changed before update on passkey_ceremonies
  for each row execute function refuse('PRS04', 'a ceremony ends, and never changes');
alter table passkey_ceremonies enable always trigger never_changed;

-- Sign-ins answered within the last minutes, so that each is answered at most once. Challenges are computed
-- from their identifiers, so an unanswered sign-in has no row.
create table answered_passkey_sign_ins (
  ceremony_id ulid primary key
);
create trigger never_changed before update on answered_passkey_sign_ins
  for each row execute function refuse('PRS04', 'an answered sign-in never changes');
alter table answered_passkey_sign_ins enable always trigger never_changed;

-- Proofs by passkey do not count against the limit of proofs by password.
alter table step_up_proofs add column by_passkey boolean not null default false;
create trigger fixed_origin before update on step_up_proofs
  for each row when (new.by_passkey is distinct from old.by_passkey)
  execute function refuse('PRS04', 'the origin of a proof is fixed');
alter table step_up_proofs enable always trigger fixed_origin;
alter table step_up_proofs
  drop constraint step_up_purpose_known,
  add constraint step_up_purpose_known check (purpose in (
    'RELATIONSHIP_EVALUATION_CONFIRM', 'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT',
    'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH', 'ACCOUNT_EXPORT', 'TOKEN_CREATE',
    'SECOND_FACTOR_CHANGE', 'PASSKEY_CHANGE'));

alter table access_events
  drop constraint access_event_known,
  add constraint access_event_known check (event in (
    'ACCOUNT_CREATED', 'ACCOUNT_DISABLED', 'ACCOUNT_ENABLED', 'LOGIN', 'LOGIN_FAILED', 'LOGOUT',
    'SESSION_REVOKED', 'PASSWORD_CHANGED', 'PASSWORD_RESET', 'TOKEN_CREATED', 'TOKEN_REVOKED',
    'STEP_UP', 'STEP_UP_FAILED', 'ROLE_GRANTED', 'ROLE_REVOKED', 'PERMISSION_GRANTED',
    'PERMISSION_REVOKED', 'SECOND_FACTOR_ENABLED', 'SECOND_FACTOR_DISABLED', 'SECOND_FACTOR_RESET',
    'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_FAILED', 'SECOND_FACTOR_LOCKED',
    'RECOVERY_CODES_REPLACED', 'RECOVERY_CODE_USED', 'ACCOUNT_FROZEN', 'ACCOUNT_UNFROZEN',
    'ACCOUNT_EXPORTED', 'ACCOUNT_IMPORTED', 'ACCOUNT_RETIRED', 'SECRET_READ',
    'PASSKEY_ADDED', 'PASSKEY_REMOVED', 'PASSKEY_COUNTER'));
