-- Indexes for due items, and calendar feeds.

-- The time at which a record is due, as its payload states it: in UTC with milliseconds, so byte order is the
-- order in time. Null for a record that is done, has no such time, or is of another module.
create function record_due_at(module_code text, payload json) returns text
language plpgsql immutable parallel safe as $$
begin
  return case module_code
    when 'commitment' then case
      when (payload operator(pg_catalog.->>) 'completionStatus') operator(pg_catalog.=)
             any (array['OPEN', 'IN_PROGRESS', 'RENEGOTIATED'])
        then payload operator(pg_catalog.->>) 'dueAt' end
    when 'action' then case
      when (payload operator(pg_catalog.->>) 'actionStatus') operator(pg_catalog.=)
             any (array['PLANNED', 'ACTIVE', 'BLOCKED'])
        then payload operator(pg_catalog.->>) 'targetDate' end
    when 'routine' then case
      when (payload operator(pg_catalog.->>) 'active') operator(pg_catalog.=) 'true'
        then payload operator(pg_catalog.->>) 'nextDueAt' end
    when 'decision' then case
      when (payload operator(pg_catalog.->>) 'actualOutcome') is null
        then payload operator(pg_catalog.->>) 'reviewAt' end
  end;
end $$;
create index records_due
  on records (owner_id, module_code, (record_due_at(module_code, payload) collate "C"), record_id)
  where archived_at is null and guard is null and record_due_at(module_code, payload) is not null;

-- The time of the next contact. A day has 24 hours, so the time zone of the session does not matter.
create function contact_due_at(last_contact_at timestamptz, created_at timestamptz, days integer)
returns timestamptz language plpgsql immutable parallel safe as $$
begin
  return coalesce(last_contact_at, created_at)
    operator(pg_catalog.+) pg_catalog.make_interval(hours => days operator(pg_catalog.*) 24);
end $$;
create index people_due on people (
    owner_id, contact_due_at(last_contact_at, created_at, desired_contact_interval_days), person_id)
  where status = 'ACTIVE' and desired_contact_interval_days is not null;

-- The days `MM-DD` on which dates of people return.
create index person_details_by_day
  on person_details (
    owner_id, (pg_catalog.right(value ->> 'date', 5) collate "C"), person_id, detail_id)
  where kind = 'DATE' and value ->> 'what' in ('BIRTHDAY', 'ANNIVERSARY', 'DEATH')
    and octet_length(value ->> 'date') > 4;

create index person_proposals_due
  on person_proposals (owner_id, expires_at, person_id, proposal_id)
  where state = 'READY';

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
    'CALENDAR_FEED_CREATED', 'CALENDAR_FEED_ROTATED', 'CALENDAR_FEED_REVOKED'));
alter table access_events
  drop constraint access_event_credential_known,
  add constraint access_event_credential_known
    check (credential_kind in ('SESSION', 'TOKEN', 'ADMIN', 'CALENDAR'));

-- Addresses under which calendar programs read what is due. The secret of an address may be replaced.
create table calendar_feeds (
  account_id ulid not null constraint calendar_feed_of_account references accounts,
  feed_id ulid not null,
  name text not null
    constraint calendar_feed_name_length check (char_length(name) between 1 and 100),
  -- One to seven words, separated by spaces, in the order of the service.
  kinds text not null constraint calendar_feed_kinds_known check (
    kinds <> '' and string_to_array(kinds, ' ') <@ array[
      'COMMITMENT', 'ACTION', 'ROUTINE', 'DECISION_REVIEW', 'CONTACT', 'DATE', 'PROPOSAL']),
  detail text not null constraint calendar_feed_detail_known check (detail in ('TITLES', 'BUSY')),
  alarms json not null
    constraint calendar_feed_alarms_object check (json_typeof(alarms) = 'object'),
  time_zone text not null
    constraint calendar_feed_time_zone_form check (time_zone ~ '^[A-Za-z][A-Za-z0-9_+/-]{0,63}$'),
  secret_digest bytea not null constraint calendar_feed_digest_unique unique
    constraint calendar_feed_digest_length check (octet_length(secret_digest) = 32),
  created_at timestamptz(3) not null,
  -- Null if it does not end by itself.
  expires_at timestamptz(3)
    constraint calendar_feed_lifetime check (expires_at > created_at),
  last_used_at timestamptz(3),
  -- In the form of a session's client.
  last_used_by text constraint calendar_feed_client_form check (last_used_by ~ '^[A-Za-z ]{1,64}$'),
  revoked_at timestamptz(3),
  constraint calendar_feed_use_whole check ((last_used_at is null) = (last_used_by is null)),
  primary key (account_id, feed_id)
);
call make_permanent('calendar_feeds');
create trigger fixed_columns before update on calendar_feeds
  for each row when (
    (new.account_id, new.feed_id, new.name, new.kinds, new.detail, new.alarms::text, new.time_zone,
     new.created_at, new.expires_at)
      is distinct from
    (old.account_id, old.feed_id, old.name, old.kinds, old.detail, old.alarms::text, old.time_zone,
     old.created_at, old.expires_at)
    or (old.revoked_at is not null
        and (new.revoked_at, new.secret_digest) is distinct from (old.revoked_at, old.secret_digest))
  )
  execute function refuse('PRS04', 'only secret and last use may change, and revocation once');
alter table calendar_feeds enable always trigger fixed_columns;
