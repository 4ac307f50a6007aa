-- Used by every write (src/command/runner.ts): maintenance switch, audit ledger, idempotency envelopes,
-- account storage, and claim_command.

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
  -- The same column and index as in access_events.
  transaction_id bigint default (pg_current_xact_id()::text::bigint),
  primary key (owner_id, audit_id)
);
call make_append_only('audit_entries');
create index audit_entries_by_transaction on audit_entries
  using brin (transaction_id) with (autosummarize = on);

create table idempotency_envelopes (
  owner_id ulid not null,
  operation text not null,
  -- The subject's identifier; empty if the operation creates it.
  target text not null,
  idempotency_key text collate "C" not null,
  -- HMAC of method, path and canonical body; fingerprint_key names its key.
  fingerprint bytea not null,
  fingerprint_key text not null,
  envelope json not null,
  created_at timestamptz(3) not null,
  primary key (owner_id, operation, target, idempotency_key)
);
create trigger fixed before update or truncate on idempotency_envelopes
  for each statement execute function refuse('PRS01', 'append-only');
alter table idempotency_envelopes enable always trigger fixed;
-- Retention may remove an envelope, but not while a client may still repeat its request.
create trigger retained before delete on idempotency_envelopes
  for each row when (old.created_at > now() - interval '30 days')
  execute function refuse('PRS01', 'retained for 30 days');
alter table idempotency_envelopes enable always trigger retained;
create index idempotency_envelopes_by_age on idempotency_envelopes using brin (created_at);

-- Bytes of content per account, so that one account cannot fill the disk for all others. Counted by
-- triggers, which see every write, including those of the previous release and of a restore.
--
-- An account's sum is spread over slots, so that its writes do not wait for each other: each transaction
-- adds to a slot that no other transaction holds, or inserts one. There are as many slots as there once
-- were concurrent writes; only their sum has a meaning. No foreign key: the counted rows prove that the
-- owner exists.
create table account_storage (
  owner_id ulid not null,
  slot bigint not null,
  bytes bigint not null,
  primary key (owner_id, slot)
) with (fillfactor = 25);
call make_permanent('account_storage');

-- Adds to an account's sum, and rejects what exceeds the limit that the service sets in the transaction
-- when it claims a write. Concurrent writes do not see each other's bytes, so together they may exceed the
-- limit by as much as they write. Without a limit, nothing is rejected.
create function add_account_storage(the_owner text, added bigint) returns void
  language plpgsql as $$
declare
  storage_limit bigint := nullif(current_setting('prs.account_storage_bytes', true), '');
begin
  update account_storage s set bytes = s.bytes + added
   where s.owner_id = the_owner and s.slot = (
     select f.slot from account_storage f where f.owner_id = the_owner
      order by f.slot limit 1 for no key update skip locked);
  if not found then
    -- No other transaction has this number, so none waits for another. The slot exists only if it came from
    -- another database, which counts its transactions separately.
    insert into account_storage as s (owner_id, slot, bytes)
    values (the_owner, pg_current_xact_id()::text::bigint, added)
    on conflict (owner_id, slot) do update set bytes = s.bytes + excluded.bytes;
  end if;
  if added > 0 and storage_limit < (
    select sum(s.bytes) from account_storage s where s.owner_id = the_owner
  ) then
    raise exception using errcode = 'PRS06', constraint = 'account_storage_limit',
      message = 'account_storage: the account keeps as much as it may';
  end if;
end $$;
call pin_search_path('add_account_storage(text, bigint)');

-- Counts a row as the length of its text: all values, uncompressed.
create function count_account_storage() returns trigger language plpgsql as $$
declare
  counted record;
begin
  if tg_op = 'INSERT' then
    for counted in
      select r.owner_id, sum(octet_length(r::text)) as bytes from new_rows r group by r.owner_id
    loop
      perform add_account_storage(counted.owner_id, counted.bytes);
    end loop;
  else
    for counted in
      select r.owner_id, sum(r.bytes) as bytes from (
        select n.owner_id, octet_length(n::text) as bytes from new_rows n
        union all
        select o.owner_id, -octet_length(o::text) from old_rows o
      ) r group by r.owner_id having sum(r.bytes) <> 0
    loop
      perform add_account_storage(counted.owner_id, counted.bytes);
    end loop;
  end if;
  return null;
end $$;
call pin_search_path('count_account_storage()');

-- Counts the rows added to a table. Every table with account content calls it; make_revisions calls it for
-- its ledger. A root's state is counted in its revisions.
create procedure count_rows_of(kept regclass) language plpgsql as $$
begin
  execute format(
    'create trigger storage_added after insert on %s referencing new table as new_rows
       for each statement execute function count_account_storage()', kept);
  execute format('alter table %s enable always trigger storage_added', kept);
end $$;

-- Also counts changes of a row's length.
create procedure count_changes_of(kept regclass) language plpgsql as $$
begin
  execute format(
    'create trigger storage_changed after update on %s
       referencing old table as old_rows new table as new_rows
       for each statement execute function count_account_storage()', kept);
  execute format('alter table %s enable always trigger storage_changed', kept);
end $$;

-- Advisory lock that writes share and the maintenance switch takes exclusively.
create function maintenance_lock() returns bigint language sql immutable parallel safe
  return 5787213827046133841;

-- Advisory lock that an account's writes share and freezing takes exclusively. Locks of idempotency keys
-- have the seed 0.
create function account_lock(the_account text) returns bigint language sql immutable parallel safe
  return hashtextextended(the_account, 1);

-- Claims the idempotency key of a write, once per write and inside its transaction. The verdicts:
--   MAINTENANCE  the write is frozen during maintenance, and the window is open
--   REUSED       the key belongs to a different request
--   REPLAY       the operation is finished: `envelope` says what it created
--   FROZEN       the account is frozen; nothing is stored under the key
--   IN_PROGRESS  another transaction holds the key
--   GO           none of these: the key, if any, is held until the transaction ends
-- All locks come first; then one statement reads what they protect. VOLATILE, so that this statement's
-- snapshot is taken after the locks were granted and sees what every earlier holder committed.
create function claim_command(
  the_owner text, the_operation text, the_target text, the_key text,
  the_fingerprint bytea, the_fingerprint_key text, is_frozen boolean
) returns table (verdict text, envelope text) language plpgsql volatile as $$
declare
  is_locked boolean;
  key_is_ours boolean;
  in_maintenance boolean;
  account_is_frozen boolean;
  stored_fingerprint_key text;
  stored_fingerprint bytea;
begin
  -- The lock functions return void, which is not null; calling them in an expression saves a query each.
  if is_frozen then
    is_locked := pg_advisory_xact_lock_shared(maintenance_lock()) is not null;
  end if;
  is_locked := pg_advisory_xact_lock_shared(account_lock(the_owner)) is not null;
  if the_key is not null then
    -- The text of a row quotes characters that could pass for a separator.
    key_is_ours := pg_try_advisory_xact_lock(
      hashtextextended(row(the_owner, the_operation, the_target, the_key)::text, 0)
    );
  end if;
  select w.active, a.frozen_at is not null, e.fingerprint_key, e.fingerprint, e.envelope::text
    into in_maintenance, account_is_frozen, stored_fingerprint_key, stored_fingerprint, envelope
    from maintenance_window w
    left join accounts a on a.account_id = the_owner
    left join idempotency_envelopes e
      on e.owner_id = the_owner and e.operation = the_operation
         and e.target = the_target and e.idempotency_key = the_key;
  verdict := case
    when is_frozen and in_maintenance then 'MAINTENANCE'
    -- An envelope never changes, so concurrent replays need not wait for each other's key. A replay only
    -- reads, so a frozen account answers it too.
    when stored_fingerprint_key = the_fingerprint_key and stored_fingerprint <> the_fingerprint
      then 'REUSED'
    when stored_fingerprint_key is not null then 'REPLAY'
    when account_is_frozen then 'FROZEN'
    when key_is_ours is false then 'IN_PROGRESS'
    else 'GO'
  end;
  if verdict <> 'REPLAY' then
    envelope := null;
  end if;
  return next;
end $$;

-- Whether a cached identity still holds: the credential is neither revoked nor expired and was last used
-- after `used_since`; the account is enabled and has the same role. Called by the claim of a write, or the
-- read of a row. VOLATILE: it takes a new snapshot, so it sees a revocation that the claim's locks waited
-- for.
create function identity_holds(
  the_account text, the_credential text, the_role text, used_since timestamptz, the_time timestamptz
) returns boolean language plpgsql volatile as $$
begin
  return exists (
    select from accounts a
     where a.account_id = the_account and a.disabled_at is null and a.role = the_role
  ) and (exists (
    select from sessions s
     where s.account_id = the_account and s.session_id = the_credential and s.revoked_at is null
       and s.expires_at > the_time and s.last_seen_at > used_since
  ) or exists (
    select from tokens t
     where t.account_id = the_account and t.token_id = the_credential and t.revoked_at is null
       and t.expires_at > the_time and t.last_used_at > used_since
  ));
end $$;
