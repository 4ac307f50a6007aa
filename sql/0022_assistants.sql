-- Tokens by module, assistants with credentials of their own, and what assistants propose.

alter table tokens
  -- Codes of modules, separated by spaces, in the order of the catalog; null if the token is not limited.
  add column modules text
    constraint token_modules_form check (modules ~ '^[a-z-]{1,40}( [a-z-]{1,40}){0,23}$');
drop trigger fixed_columns on tokens;
create trigger fixed_columns before update on tokens
  for each row when (
    (new.account_id, new.token_id, new.name, new.secret_digest, new.modules, new.created_at,
     new.expires_at)
      is distinct from
    (old.account_id, old.token_id, old.name, old.secret_digest, old.modules, old.created_at,
     old.expires_at)
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  )
  execute function refuse('PRS04', 'only last use may change, and revocation once');
alter table tokens enable always trigger fixed_columns;

-- Credentials of assistants. Each opens /mcp only, and reads the modules that are lent to it.
create table assistants (
  account_id ulid not null constraint assistant_of_account references accounts,
  assistant_id ulid not null,
  name text not null constraint assistant_name_length check (char_length(name) between 1 and 100),
  -- In the form of a token's modules.
  modules text not null
    constraint assistant_modules_form check (modules ~ '^[a-z-]{1,40}( [a-z-]{1,40}){0,23}$'),
  may_propose boolean not null,
  sensitive text not null constraint assistant_sensitive_known check (sensitive in ('HIDDEN', 'SHOWN')),
  secret_digest bytea not null constraint assistant_digest_unique unique
    constraint assistant_digest_length check (octet_length(secret_digest) = 32),
  created_at timestamptz(3) not null,
  expires_at timestamptz(3) not null constraint assistant_lifetime
    check (expires_at > created_at and expires_at <= created_at + interval '2160 hours'),
  last_used_at timestamptz(3),
  revoked_at timestamptz(3),
  primary key (account_id, assistant_id)
);
call make_permanent('assistants');
create trigger fixed_columns before update on assistants
  for each row when (
    (new.account_id, new.assistant_id, new.name, new.modules, new.may_propose, new.sensitive,
     new.secret_digest, new.created_at, new.expires_at)
      is distinct from
    (old.account_id, old.assistant_id, old.name, old.modules, old.may_propose, old.sensitive,
     old.secret_digest, old.created_at, old.expires_at)
    or (old.revoked_at is not null and new.revoked_at is distinct from old.revoked_at)
  )
  execute function refuse('PRS04', 'only last use may change, and revocation once');
alter table assistants enable always trigger fixed_columns;

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
    'PASSKEY_ADDED', 'PASSKEY_REMOVED', 'PASSKEY_COUNTER',
    'CALENDAR_FEED_CREATED', 'CALENDAR_FEED_ROTATED', 'CALENDAR_FEED_REVOKED',
    'ASSISTANT_CREATED', 'ASSISTANT_REVOKED', 'ASSISTANT_READ', 'ASSISTANT_PROPOSED'));
alter table access_events
  drop constraint access_event_credential_known,
  add constraint access_event_credential_known
    check (credential_kind in ('SESSION', 'TOKEN', 'ADMIN', 'CALENDAR', 'ASSISTANT'));
-- The request of an assistant's call, in names and numbers; null in all other events.
alter table access_events
  add column tool text constraint access_event_tool_form check (tool ~ '^[a-z_]{1,40}$'),
  add column module_code text
    constraint access_event_module_form check (module_code ~ '^[a-z-]{1,40}$'),
  add column records integer constraint access_event_records_positive check (records >= 0);
-- The records that an assistant was given since a time.
create index access_events_of_assistants on access_events (account_id, credential_id, event_id)
  include (records) where credential_kind = 'ASSISTANT';

-- The assistant whose proposal a write accepted; null for all other writes.
alter table audit_entries add column via_assistant ulid;

-- Proposals of assistants. Each is written once; an event decides it, at most one. Whether it has expired
-- or is stale follows from the time and from its target. An assistant may be unknown: credentials are not in an
-- account file.
create table assistant_proposals (
  owner_id ulid not null,
  proposal_id ulid not null,
  assistant_id ulid not null,
  -- The provider of a memory's AI draft.
  assistant_name text not null
    constraint assistant_proposal_assistant_name_length check (char_length(assistant_name) between 1 and 100),
  kind text not null constraint assistant_proposal_kind_known check (kind in ('RECORD', 'CHANGE', 'MEMORY_TEXT')),
  module_code text not null
    constraint assistant_proposal_memory_text_of_memory check ((kind = 'MEMORY_TEXT') = (module_code = 'memory')),
  target ulid,
  expected_revision integer,
  -- In canonical form, so that equal proposals have equal texts.
  body json not null constraint assistant_proposal_body_object check (json_typeof(body) = 'object'),
  created_at timestamptz(3) not null,
  constraint assistant_proposal_target_whole check (
    (kind = 'RECORD') = (target is null) and (kind = 'RECORD') = (expected_revision is null)),
  constraint assistant_proposal_of_revision foreign key (owner_id, target, expected_revision)
    references record_revisions (owner_id, record_id, revision) deferrable initially deferred,
  constraint assistant_proposal_target_unique unique (owner_id, proposal_id, target),
  primary key (owner_id, proposal_id)
);
create index assistant_proposals_of_an_assistant
  on assistant_proposals (owner_id, assistant_id, proposal_id);
call make_append_only('assistant_proposals');
call count_rows_of('assistant_proposals');

create table assistant_proposal_events (
  owner_id ulid not null,
  proposal_id ulid not null,
  state text not null constraint assistant_proposal_event_known check (state in ('ACCEPTED', 'REJECTED')),
  decided_at timestamptz(3) not null,
  -- The proposal's: an erased record takes along what decided its proposals.
  target ulid,
  -- The revision that the acceptance wrote.
  record_id ulid,
  revision integer,
  constraint assistant_proposal_event_whole check (
    (state = 'ACCEPTED') = (record_id is not null) and (state = 'ACCEPTED') = (revision is not null)),
  constraint assistant_proposal_event_of_proposal foreign key (owner_id, proposal_id)
    references assistant_proposals deferrable initially deferred,
  constraint assistant_proposal_event_of_target foreign key (owner_id, proposal_id, target)
    references assistant_proposals (owner_id, proposal_id, target) deferrable initially deferred,
  constraint assistant_proposal_event_of_revision foreign key (owner_id, record_id, revision)
    references record_revisions (owner_id, record_id, revision) deferrable initially deferred,
  primary key (owner_id, proposal_id)
);
call make_append_only('assistant_proposal_events');
call count_rows_of('assistant_proposal_events');
