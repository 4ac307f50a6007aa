-- Limits of sign-in: /56 networks, and credentials from a clock that was ahead.

-- The /56 network of an IPv6 address, which many homes have whole: its limits are four times those of an
-- address. Null for IPv4.
alter table access_attempts add column network bytea
  constraint access_attempt_network_length check (octet_length(network) = 32);
create index access_attempts_by_network on access_attempts (network, attempted_at)
  where not succeeded and network is not null;

-- As the function of 0002_access.sql, with the limits of the network.
create function take_access_attempt(
  the_attempt text, the_subject bytea, the_address bytea, the_network bytea, the_time timestamptz
) returns integer language plpgsql volatile as $$
declare
  address_window constant interval := '15 minutes';
  account_window constant interval := '1 hour';
  -- In hours, because the length of a day depends on the session's time zone.
  successes_since constant timestamptz := the_time - interval '720 hours';
  refused_until timestamptz;
begin
  -- Attempts that share a limit take turns. The address, or its network, always comes first, so that no two
  -- of them deadlock.
  perform pg_advisory_xact_lock(1, hashtext(encode(coalesce(the_network, the_address), 'hex')));
  if the_subject is not null then
    perform pg_advisory_xact_lock(2, hashtext(encode(the_subject, 'hex')));
  end if;

  -- Each attempt deletes far more rows than it adds, and few enough to stay fast.
  delete from access_attempts where ctid = any (array(
    select ctid from access_attempts
     where not succeeded and attempted_at <= the_time - account_window
     limit 100 for update skip locked));
  delete from access_attempts where ctid = any (array(
    select ctid from access_attempts
     where succeeded and attempted_at <= successes_since
     limit 100 for update skip locked));

  -- A limit applies while the failure that reached it is in its window. The newest failures from the address
  -- also decide the limit of email and address together: if the tenth of those is older, the limit of the
  -- address lasts longer. The same holds for the network.
  with from_address as (
    select subject, attempted_at from access_attempts
     where address = the_address and not succeeded and attempted_at > the_time - address_window
     order by attempted_at desc limit 30
  ), from_network as (
    select subject, attempted_at from access_attempts
     where network = the_network and not succeeded and attempted_at > the_time - address_window
     order by attempted_at desc limit 120
  )
  select max(ends_at) into refused_until from (
    (select attempted_at + address_window as ends_at from from_address where subject = the_subject
      order by attempted_at desc offset 9 limit 1)
    union all
    (select attempted_at + address_window from from_address
      order by attempted_at desc offset 29 limit 1)
    union all
    (select attempted_at + address_window from from_network where subject = the_subject
      order by attempted_at desc offset 39 limit 1)
    union all
    (select attempted_at + address_window from from_network
      order by attempted_at desc offset 119 limit 1)
    union all
    -- Attempts from many other addresses cannot lock the owner out of an address that the account knows.
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

  insert into access_attempts (attempt_id, subject, address, network, attempted_at)
    values (the_attempt, the_subject, the_address, the_network, the_time);
  return null;
end $$;

-- Called by processes of the release before.
create or replace function take_access_attempt(
  the_attempt text, the_subject bytea, the_address bytea, the_time timestamptz
) returns integer language plpgsql volatile as $$
begin
  return take_access_attempt(the_attempt, the_subject, the_address, null, the_time);
end $$;

-- As in 0003_commands.sql. A credential that begins after `the_time` does not hold: its clock was ahead. Five
-- minutes are tolerated, because the clocks of two processes differ.
create or replace function identity_holds(
  the_account text, the_credential text, the_role text, used_since timestamptz, the_time timestamptz
) returns boolean language plpgsql volatile as $$
declare
  begun_by constant timestamptz := the_time + interval '5 minutes';
begin
  return exists (
    select from accounts a
     where a.account_id = the_account and a.disabled_at is null and a.role = the_role
  ) and (exists (
    select from sessions s
     where s.account_id = the_account and s.session_id = the_credential and s.revoked_at is null
       and s.created_at <= begun_by and s.expires_at > the_time and s.last_seen_at > used_since
  ) or exists (
    select from tokens t
     where t.account_id = the_account and t.token_id = the_credential and t.revoked_at is null
       and t.created_at <= begun_by and t.expires_at > the_time and t.last_used_at > used_since
  ));
end $$;
