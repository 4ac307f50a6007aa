-- Accounts that move to another installation: their writes are frozen, they are copied, and the old
-- installation tells the owner the new address.

alter table accounts
  -- Since when no write of the account is taken; null: they are.
  add column frozen_at timestamptz(3),
  -- Where the account is now. What it kept here stays, and no sign-in to it succeeds any more.
  add column moved_to text constraint account_moved_to_length
    check (char_length(moved_to) between 1 and 2048),
  add constraint account_moved_is_frozen check (moved_to is null or frozen_at is not null);
-- The new address may become another one: the account may move on from there.
create trigger moved_for_good before update on accounts
  for each row when (old.moved_to is not null and new.moved_to is null)
  execute function refuse('PRS04', 'an account that has moved does not come back');
alter table accounts enable always trigger moved_for_good;

-- The advisory lock that the writes of an account share and its freezing takes alone. Locks of keys are
-- of the seed 0.
create function account_lock(the_account text) returns bigint language sql immutable parallel safe
  return hashtextextended(the_account, 1);

-- The gate of a write, as sql/0003 explains it, with one more verdict:
--   FROZEN  the account's writes are frozen, and nothing is stored under the key
-- The lock of the account comes before any of its rows is read, and is held until the transaction ends:
-- a write that a freezing did not wait for begins to read when that has been committed. Both switches
-- are read by one statement.
create or replace function claim_command(
  the_owner text, the_operation text, the_target text, the_key text,
  the_fingerprint bytea, the_fingerprint_key text, is_frozen boolean
) returns table (verdict text, envelope text) language plpgsql volatile as $$
declare
  stored idempotency_envelopes;
  key_is_ours boolean;
  in_maintenance boolean;
  account_is_frozen boolean;
begin
  if is_frozen then
    perform pg_advisory_xact_lock_shared(maintenance_lock());
  end if;
  perform pg_advisory_xact_lock_shared(account_lock(the_owner));
  select w.active, a.frozen_at is not null into in_maintenance, account_is_frozen
    from maintenance_window w left join accounts a on a.account_id = the_owner;
  if is_frozen and in_maintenance then
    return query select 'MAINTENANCE', null::text;
    return;
  end if;
  if the_key is null then
    return query select case when account_is_frozen then 'FROZEN' else 'GO' end, null::text;
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
    return query select case when account_is_frozen then 'FROZEN'
                             when key_is_ours then 'GO' else 'IN_PROGRESS' end, null::text;
  elsif stored.fingerprint_key = the_fingerprint_key and stored.fingerprint <> the_fingerprint then
    return query select 'REUSED', null::text;
  else
    -- To read what was done is no write: a frozen account answers it too.
    return query select 'REPLAY', stored.envelope::text;
  end if;
end $$;

alter table access_events
  drop constraint access_event_known,
  add constraint access_event_known check (event in (
    'ACCOUNT_CREATED', 'ACCOUNT_DISABLED', 'ACCOUNT_ENABLED', 'LOGIN', 'LOGIN_FAILED', 'LOGOUT',
    'SESSION_REVOKED', 'PASSWORD_CHANGED', 'PASSWORD_RESET', 'TOKEN_CREATED', 'TOKEN_REVOKED',
    'STEP_UP', 'STEP_UP_FAILED', 'ROLE_GRANTED', 'ROLE_REVOKED', 'PERMISSION_GRANTED',
    'PERMISSION_REVOKED', 'SECOND_FACTOR_ENABLED', 'SECOND_FACTOR_DISABLED', 'SECOND_FACTOR_RESET',
    'SECOND_FACTOR_REQUIRED', 'SECOND_FACTOR_FAILED', 'RECOVERY_CODES_REPLACED',
    'RECOVERY_CODE_USED', 'ACCOUNT_FROZEN', 'ACCOUNT_UNFROZEN', 'ACCOUNT_EXPORTED',
    'ACCOUNT_IMPORTED', 'ACCOUNT_RETIRED'));
