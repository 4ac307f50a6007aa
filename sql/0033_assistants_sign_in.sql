-- Sign-in of assistants by OAuth, and the host name of passkeys.

-- An assistant has the digest of a pasted secret, or a program that signs in.
alter table assistants
  alter column secret_digest drop not null,
  add column program text constraint assistant_program_known
    check (program in ('CLAUDE', 'CLAUDE_CODE', 'CHATGPT', 'VSCODE', 'CURSOR', 'OTHER')),
  -- The callbacks that the owner typed, separated by spaces.
  add column callbacks text
    constraint assistant_callbacks_length check (char_length(callbacks) between 1 and 2504),
  -- The first allowed callback, if a program has a different one for each connection.
  add column bound_callback text
    constraint assistant_bound_callback_length check (char_length(bound_callback) between 1 and 500),
  add constraint assistant_has_secret_or_program check (num_nonnulls(secret_digest, program) = 1),
  add constraint assistant_callbacks_are_of_other
    check ((callbacks is not null) = (program is not distinct from 'OTHER')),
  add constraint assistant_bound_callback_has_program
    check (bound_callback is null or program is not null);
drop trigger fixed_columns on assistants;
create trigger fixed_columns before update on assistants
  for each row when (
    (new.account_id, new.assistant_id, new.name, new.modules, new.may_propose, new.sensitive,
     new.secret_digest, new.program, new.callbacks, new.created_at, new.expires_at)
      is distinct from
    (old.account_id, old.assistant_id, old.name, old.modules, old.may_propose, old.sensitive,
     old.secret_digest, old.program, old.callbacks, old.created_at, old.expires_at)
    or (old.bound_callback is not null and new.bound_callback is distinct from old.bound_callback)
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  )
  execute function refuse('PRS04', 'only last use may change; callback and revocation are set once');
alter table assistants enable always trigger fixed_columns;
-- Programs name an assistant without its account.
create index assistants_by_client on assistants (assistant_id) where program is not null;

-- Codes, one for each Allow. Each is exchanged for a first pair of tokens within a minute, or expires.
create table assistant_codes (
  account_id ulid not null,
  code_id ulid not null,
  assistant_id ulid not null,
  code_digest bytea not null constraint assistant_code_unique unique
    constraint assistant_code_digest_length check (octet_length(code_digest) = 32),
  -- The client id of the request: the assistant, or the one that all registered programs share.
  client text not null
    constraint assistant_code_client_length check (char_length(client) between 1 and 100),
  callback text not null
    constraint assistant_code_callback_length check (char_length(callback) between 1 and 500),
  challenge text not null
    constraint assistant_code_challenge_form check (challenge ~ '^[A-Za-z0-9_-]{43}$'),
  -- Whether the request asked for `offline_access`, which the answers then name.
  is_offline boolean not null,
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null constraint assistant_code_lifetime
    check (expires_at > created_at and expires_at <= created_at + interval '60 seconds'),
  primary key (account_id, code_id),
  constraint assistant_code_of_assistant foreign key (account_id, assistant_id) references assistants
);
create index assistant_codes_of_an_assistant on assistant_codes (account_id, assistant_id, code_id);
call make_append_only('assistant_codes');

-- Pairs of tokens. All pairs of a code are one sign-in, and end together.
create table assistant_tokens (
  account_id ulid not null,
  token_id ulid not null,
  code_id ulid not null,
  -- The pair whose refresh token gave this one; null for the first pair of a code.
  refreshed_from ulid,
  access_digest bytea not null constraint assistant_access_token_unique unique
    constraint assistant_access_digest_length check (octet_length(access_digest) = 32),
  refresh_digest bytea not null constraint assistant_refresh_token_unique unique
    constraint assistant_refresh_digest_length check (octet_length(refresh_digest) = 32),
  created_at timestamptz(3) not null,
  access_expires_at timestamptz(3) not null constraint assistant_access_lifetime
    check (access_expires_at > created_at and access_expires_at <= created_at + interval '1 hour'),
  refresh_expires_at timestamptz(3) not null constraint assistant_refresh_lifetime
    check (refresh_expires_at > created_at and refresh_expires_at <= created_at + interval '720 hours'),
  -- The first use of the refresh token.
  refreshed_at timestamptz(3),
  -- The end of the sign-in; only its first pair has it.
  ended_at timestamptz(3) constraint assistant_token_end_of_first_pair
    check (ended_at is null or refreshed_from is null),
  primary key (account_id, token_id),
  constraint assistant_token_of_code foreign key (account_id, code_id) references assistant_codes,
  constraint assistant_token_of_sign_in unique (account_id, code_id, token_id),
  constraint assistant_token_refreshed_from foreign key (account_id, code_id, refreshed_from)
    references assistant_tokens (account_id, code_id, token_id)
);
-- Two exchanges of a code at once: one gives the first pair.
create unique index assistant_tokens_first_of_a_code on assistant_tokens (account_id, code_id)
  where refreshed_from is null;
call make_permanent('assistant_tokens');
create trigger fixed_columns before update on assistant_tokens
  for each row when (
    (new.account_id, new.token_id, new.code_id, new.refreshed_from, new.access_digest,
     new.refresh_digest, new.created_at, new.access_expires_at, new.refresh_expires_at)
      is distinct from
    (old.account_id, old.token_id, old.code_id, old.refreshed_from, old.access_digest,
     old.refresh_digest, old.created_at, old.access_expires_at, old.refresh_expires_at)
    or (old.refreshed_at is not null and new.refreshed_at is distinct from old.refreshed_at)
    or (old.ended_at is not null and new.ended_at is distinct from old.ended_at)
  )
  execute function refuse('PRS04', 'first use and end are set once');
alter table assistant_tokens enable always trigger fixed_columns;

-- Pairs count as content of the account, like the calls of assistants: the program decides how often it refreshes.
create function count_assistant_tokens() returns trigger language plpgsql as $$
begin
  perform add_account_storage(r.account_id, sum(octet_length(r::text))) from new_rows r
    group by r.account_id;
  return null;
end $$;
call pin_search_path('count_assistant_tokens()');
create trigger storage_added after insert on assistant_tokens referencing new table as new_rows
  for each statement execute function count_assistant_tokens();
alter table assistant_tokens enable always trigger storage_added;

-- The host name for which the installation's passkeys are made, from the first one on.
create table passkey_host (
  singleton boolean primary key default true constraint passkey_host_single check (singleton),
  host_name text not null
    constraint passkey_host_length check (char_length(host_name) between 1 and 253)
);
call make_append_only('passkey_host');

create or replace function is_access_event(word text) returns boolean language sql immutable parallel safe as $$
  select word in (
    'ACCOUNT_CREATED', 'ACCOUNT_DISABLED', 'ACCOUNT_ENABLED', 'ACCOUNT_EXPORTED', 'ACCOUNT_FROZEN',
    'ACCOUNT_IMPORTED', 'ACCOUNT_RETIRED', 'ACCOUNT_UNFROZEN',
    'ASSISTANT_ALLOWED', 'ASSISTANT_CREATED', 'ASSISTANT_PROPOSED', 'ASSISTANT_READ',
    'ASSISTANT_REVOKED', 'ASSISTANT_SIGNED_IN', 'ASSISTANT_TOKEN_REUSED',
    'CALENDAR_FEED_CREATED', 'CALENDAR_FEED_REVOKED', 'CALENDAR_FEED_ROTATED',
    'LOGIN', 'LOGIN_FAILED', 'LOGOUT', 'PASSKEY_ADDED', 'PASSKEY_COUNTER', 'PASSKEY_REMOVED',
    'PASSWORD_CHANGED', 'PASSWORD_RESET', 'PERMISSION_GRANTED', 'PERMISSION_REVOKED',
    'RECOVERY_CODES_REPLACED', 'RECOVERY_CODE_USED', 'ROLE_GRANTED', 'ROLE_REVOKED',
    'SECOND_FACTOR_DISABLED', 'SECOND_FACTOR_ENABLED', 'SECOND_FACTOR_FAILED',
    'SECOND_FACTOR_LOCKED', 'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_RESET',
    'SECRET_READ', 'SESSION_REVOKED', 'STEP_UP', 'STEP_UP_FAILED', 'TOKEN_CREATED', 'TOKEN_REVOKED')
$$;

create or replace function is_step_up_purpose(word text) returns boolean language sql immutable parallel safe as $$
  select word in (
    'ACCOUNT_EXPORT', 'ASSISTANT_ALLOW', 'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH',
    'IMPORT_WITHDRAW', 'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT', 'PASSKEY_CHANGE',
    'RELATIONSHIP_EVALUATION_CONFIRM', 'RELATIONSHIP_EXPORT', 'SECOND_FACTOR_CHANGE', 'TOKEN_CREATE')
$$;
