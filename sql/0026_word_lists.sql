-- Lists of words that grow. A later step extends one with `create or replace function` and all its words,
-- and leaves the table alone. Each function is one expression, so PostgreSQL evaluates it in the
-- constraint as if it were written there.

create function is_access_event(word text) returns boolean language sql immutable parallel safe as $$
  select word in (
    'ACCOUNT_CREATED', 'ACCOUNT_DISABLED', 'ACCOUNT_ENABLED', 'ACCOUNT_EXPORTED', 'ACCOUNT_FROZEN',
    'ACCOUNT_IMPORTED', 'ACCOUNT_RETIRED', 'ACCOUNT_UNFROZEN',
    'ASSISTANT_CREATED', 'ASSISTANT_PROPOSED', 'ASSISTANT_READ', 'ASSISTANT_REVOKED',
    'CALENDAR_FEED_CREATED', 'CALENDAR_FEED_REVOKED', 'CALENDAR_FEED_ROTATED',
    'LOGIN', 'LOGIN_FAILED', 'LOGOUT', 'PASSKEY_ADDED', 'PASSKEY_COUNTER', 'PASSKEY_REMOVED',
    'PASSWORD_CHANGED', 'PASSWORD_RESET', 'PERMISSION_GRANTED', 'PERMISSION_REVOKED',
    'RECOVERY_CODES_REPLACED', 'RECOVERY_CODE_USED', 'ROLE_GRANTED', 'ROLE_REVOKED',
    'SECOND_FACTOR_DISABLED', 'SECOND_FACTOR_ENABLED', 'SECOND_FACTOR_FAILED',
    'SECOND_FACTOR_LOCKED', 'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_RESET',
    'SECRET_READ', 'SESSION_REVOKED', 'STEP_UP', 'STEP_UP_FAILED', 'TOKEN_CREATED', 'TOKEN_REVOKED')
$$;
alter table access_events
  drop constraint access_event_known,
  add constraint access_event_known check (is_access_event(event));

create function is_credential_kind(word text) returns boolean language sql immutable parallel safe as $$
  select word in ('ADMIN', 'ASSISTANT', 'CALENDAR', 'SESSION', 'TOKEN')
$$;
alter table access_events
  drop constraint access_event_credential_known,
  add constraint access_event_credential_known check (is_credential_kind(credential_kind));

create function is_step_up_purpose(word text) returns boolean language sql immutable parallel safe as $$
  select word in (
    'ACCOUNT_EXPORT', 'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH', 'IMPORT_WITHDRAW',
    'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT', 'PASSKEY_CHANGE',
    'RELATIONSHIP_EVALUATION_CONFIRM', 'RELATIONSHIP_EXPORT', 'SECOND_FACTOR_CHANGE', 'TOKEN_CREATE')
$$;
alter table step_up_proofs
  drop constraint step_up_purpose_known,
  add constraint step_up_purpose_known check (is_step_up_purpose(purpose));

create function is_person_change(word text) returns boolean language sql immutable parallel safe as $$
  select word in (
    'ARCHIVED', 'CONTACT_RECORDED', 'CONTACT_RETRACTED', 'CREATED', 'DETAIL_CONTROLLED',
    'DETAIL_RECORDED', 'EVALUATION_CONFIRMED', 'MODIFIED', 'RESTORED', 'STATUS_CHANGED')
$$;
alter table person_revisions
  drop constraint person_change_known,
  add constraint person_change_known check (is_person_change(change));

create function is_import_outcome(word text) returns boolean language sql immutable parallel safe as $$
  select word in ('CHANGED', 'NEW', 'POSSIBLE_DUPLICATE', 'REFUSED', 'UNCHANGED')
$$;
alter table import_items
  drop constraint import_item_outcome_known,
  add constraint import_item_outcome_known check (is_import_outcome(outcome));

create function is_import_state(word text) returns boolean language sql immutable parallel safe as $$
  select word in (
    'DISCARDED', 'DONE', 'PLANNED', 'READING', 'RECEIVED', 'REFUSED', 'RUNNING', 'STOPPED',
    'WITHDRAWING', 'WITHDRAWN')
$$;
alter table imports
  drop constraint import_state_known,
  add constraint import_state_known check (is_import_state(state));
