-- The throttle bounds the failures at an account over an hour now, so failures are kept that long. The
-- limits of an address, alone and for one account, stay those of a quarter of an hour.

-- Takes an attempt, which counts as a failure until it is marked as a success. Answers null, or the
-- whole seconds until it could be taken; a refused one leaves no row. It must be VOLATILE: what it
-- counts is then read after the locks were granted.
create or replace function take_access_attempt(
  the_attempt text, the_subject bytea, the_address bytea, the_time timestamptz
) returns integer language plpgsql volatile as $$
declare
  address_window constant interval := '15 minutes';
  account_window constant interval := '1 hour';
  -- Hours, because a day's length depends on the session's time zone.
  successes_since constant timestamptz := the_time - interval '720 hours';
  refused_until timestamptz;
begin
  -- Attempts that share a limit take turns. The address always comes first, so that no two of them
  -- wait for each other.
  perform pg_advisory_xact_lock(1, hashtext(encode(the_address, 'hex')));
  if the_subject is not null then
    perform pg_advisory_xact_lock(2, hashtext(encode(the_subject, 'hex')));
  end if;

  -- Each attempt removes far more than it adds, and never so much that it takes long.
  delete from access_attempts where ctid = any (array(
    select ctid from access_attempts
     where not succeeded and attempted_at <= the_time - account_window
     limit 100 for update skip locked));
  delete from access_attempts where ctid = any (array(
    select ctid from access_attempts
     where succeeded and attempted_at <= successes_since
     limit 100 for update skip locked));

  -- A limit is reached while the failure that filled it is in the window. The newest thirty from
  -- the address tell of the pair too: its own limit outlasts whatever is older than those.
  with from_address as (
    select subject, attempted_at from access_attempts
     where address = the_address and not succeeded and attempted_at > the_time - address_window
     order by attempted_at desc limit 30
  )
  select max(ends_at) into refused_until from (
    (select attempted_at + address_window as ends_at from from_address where subject = the_subject
      order by attempted_at desc offset 9 limit 1)
    union all
    (select attempted_at + address_window from from_address
      order by attempted_at desc offset 29 limit 1)
    union all
    -- Many strangers together cannot lock the owner out of an address that the account knows.
    (select attempted_at + account_window from access_attempts
      where subject = the_subject and not succeeded and attempted_at > the_time - account_window
        and not exists (
          select from access_attempts
           where subject = the_subject and address = the_address
             and succeeded and attempted_at > successes_since)
      order by attempted_at desc offset 99 limit 1)
  ) reached;
  if refused_until is not null then
    return ceil(extract(epoch from refused_until - the_time));
  end if;

  insert into access_attempts (attempt_id, subject, address, attempted_at)
    values (the_attempt, the_subject, the_address, the_time);
  return null;
end $$;
