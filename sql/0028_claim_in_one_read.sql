-- The gate of a write, as sql/0003 and sql/0027 explain it, with the same verdicts and fewer queries: all
-- locks are taken first, and one statement reads what all of them protect. It begins when they have been
-- granted, so it sees what every earlier holder has committed.
create or replace function claim_command(
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
  -- A lock returns no value, which is not null; in an expression it needs no query of its own.
  if is_frozen then
    is_locked := pg_advisory_xact_lock_shared(maintenance_lock()) is not null;
  end if;
  is_locked := pg_advisory_xact_lock_shared(account_lock(the_owner)) is not null;
  if the_key is not null then
    -- A row's text quotes what could be taken for a separator.
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
    -- An envelope stands for ever: of several replays at once none waits for another, and to read what
    -- was done is no write, which a frozen account answers too.
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
