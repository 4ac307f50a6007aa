-- What surrounds every write: the maintenance switch, the audit ledger, the idempotency envelopes,
-- and the gate that a write passes first.

create table maintenance_window (
  singleton boolean primary key default true constraint maintenance_window_single check (singleton),
  active boolean not null default false
);
insert into maintenance_window default values;
call make_permanent('maintenance_window');

create table audit_entries (
  owner_id ulid not null,
  audit_id ulid not null,
  actor_id ulid not null,
  credential_kind text not null,
  credential_id ulid not null,
  operation text not null,
  module_code text,
  subject_id ulid,
  revision integer,
  request_id text not null,
  created_at timestamptz(3) not null,
  primary key (owner_id, audit_id)
);
call make_append_only('audit_entries');

create table idempotency_envelopes (
  owner_id ulid not null,
  operation text not null,
  -- The subject's identifier, or empty where the operation makes its subject.
  target text not null,
  idempotency_key text collate "C" not null,
  -- HMAC of method, path and canonical body; fingerprint_key names the key it was made with.
  fingerprint bytea not null,
  fingerprint_key text not null,
  envelope json not null,
  created_at timestamptz(3) not null,
  primary key (owner_id, operation, target, idempotency_key)
);
create trigger fixed before update or truncate on idempotency_envelopes
  for each statement execute function refuse('PRS01', 'append-only');
alter table idempotency_envelopes enable always trigger fixed;
-- Retention may remove an envelope, but never one that a client could still be waiting to replay.
create trigger retained before delete on idempotency_envelopes
  for each row when (old.created_at > now() - interval '30 days')
  execute function refuse('PRS01', 'retained for 30 days');
alter table idempotency_envelopes enable always trigger retained;
create index idempotency_envelopes_by_age on idempotency_envelopes using brin (created_at);

-- The advisory lock that writers share and the maintenance switch takes alone.
create function maintenance_lock() returns bigint language sql immutable parallel safe
  return 5787213827046133841;

-- The gate of a write (one per write, inside its transaction). Verdicts:
--   MAINTENANCE  the write is frozen and the window is open
--   IN_PROGRESS  another transaction holds the same key
--   REUSED       the key belongs to a different request
--   REPLAY       the operation is finished; the envelope says what it made
--   GO           none of these; the key, if any, is held until the transaction ends
-- It must be VOLATILE: each of its statements then takes a snapshot of its own, so that an envelope
-- committed just before the lock was granted is seen.
create function command_gate(
  the_owner text, the_operation text, the_target text, the_key text,
  the_fingerprint bytea, the_fingerprint_key text, is_frozen boolean
) returns table (verdict text, envelope text) language plpgsql volatile as $$
declare
  stored idempotency_envelopes;
  key_is_ours boolean;
begin
  if is_frozen then
    perform pg_advisory_xact_lock_shared(maintenance_lock());
    if (select active from maintenance_window) then
      return query select 'MAINTENANCE', null::text;
      return;
    end if;
  end if;
  if the_key is null then
    return query select 'GO', null::text;
    return;
  end if;
  -- A row's text quotes what could be taken for a separator.
  key_is_ours := pg_try_advisory_xact_lock(
    hashtextextended(row(the_owner, the_operation, the_target, the_key)::text, 0)
  );
  select * into stored from idempotency_envelopes e
    where e.owner_id = the_owner and e.operation = the_operation
      and e.target = the_target and e.idempotency_key = the_key;
  -- An envelope stands for ever, so that of several replays at once none waits for another.
  if not found then
    return query select case when key_is_ours then 'GO' else 'IN_PROGRESS' end, null::text;
  elsif stored.fingerprint_key = the_fingerprint_key and stored.fingerprint <> the_fingerprint then
    return query select 'REUSED', null::text;
  else
    return query select 'REPLAY', stored.envelope::text;
  end if;
end $$;
