-- The throttle of passwords and of the set-up token: what was tried at whose door, and from where.
-- Email and address are kept as HMACs under the server secret: neither an address nor a word that
-- was typed into the wrong field can be read here.

create table access_attempts (
  attempt_id ulid primary key,
  -- Stands for an email, whether or not it has an account. Null for a set-up, which has none yet.
  subject bytea constraint access_attempt_subject_length check (octet_length(subject) = 32),
  address bytea not null
    constraint access_attempt_address_length check (octet_length(address) = 32),
  attempted_at timestamptz(3) not null,
  -- False also while the attempt is under way: a hundred guesses at once are no more than ten.
  succeeded boolean not null default false
);
-- The newest failures from an address, and among these few the ones at one account.
create index access_attempts_by_address on access_attempts (address, attempted_at)
  where not succeeded;
-- The newest failures at an account.
create index access_attempts_by_subject on access_attempts (subject, attempted_at)
  where not succeeded;
-- Whether an address is known at an account.
create index access_attempts_known on access_attempts (subject, address, attempted_at)
  where succeeded;
-- The oldest failures and the oldest successes, which go first.
create index access_attempts_by_age on access_attempts (succeeded, attempted_at);

-- Takes an attempt, which counts as a failure until it is marked as a success. Answers null, or the
-- whole seconds until it could be taken; a refused one leaves no row. It must be VOLATILE: what it
-- counts is then read after the locks were granted.
create function take_access_attempt(
  the_attempt text, the_subject bytea, the_address bytea, the_time timestamptz
) returns integer language plpgsql volatile as $$
declare
  failures_since constant timestamptz := the_time - interval '15 minutes';
  -- Hours, because a day's length depends on the session's time zone.
  successes_since constant timestamptz := the_time - interval '720 hours';
  refused_by timestamptz;
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
     where not succeeded and attempted_at <= failures_since
     limit 100 for update skip locked));
  delete from access_attempts where ctid = any (array(
    select ctid from access_attempts
     where succeeded and attempted_at <= successes_since
     limit 100 for update skip locked));

  -- A limit is reached while the failure that filled it is in the window. The newest thirty from
  -- the address tell of the pair too: its own limit outlasts whatever is older than those.
  with from_address as (
    select subject, attempted_at from access_attempts
     where address = the_address and not succeeded and attempted_at > failures_since
     order by attempted_at desc limit 30
  )
  select max(attempted_at) into refused_by from (
    (select attempted_at from from_address where subject = the_subject
      order by attempted_at desc offset 9 limit 1)
    union all
    (select attempted_at from from_address order by attempted_at desc offset 29 limit 1)
    union all
    -- Many strangers together cannot lock the owner out of an address that the account knows.
    (select attempted_at from access_attempts
      where subject = the_subject and not succeeded and attempted_at > failures_since
        and not exists (
          select from access_attempts
           where subject = the_subject and address = the_address
             and succeeded and attempted_at > successes_since)
      order by attempted_at desc offset 199 limit 1)
  ) reached;
  if refused_by is not null then
    return ceil(extract(epoch from refused_by - failures_since));
  end if;

  insert into access_attempts (attempt_id, subject, address, attempted_at)
    values (the_attempt, the_subject, the_address, the_time);
  return null;
end $$;
