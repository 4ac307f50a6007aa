-- The changes feed: the ledger of revisions (record_revisions, 0004_records.sql), in an order in which a
-- reader misses none.
--
-- A transaction gets its number with its first write, and its rows become visible when it commits, perhaps
-- long after those with higher numbers. Below the oldest running transaction nothing changes any more:
-- there, rows are only added at the end of the order (transaction_id, revision_id).

-- The feed that cursors belong to. In another feed the same numbers mean other transactions.
create table change_feed (
  singleton boolean primary key default true constraint change_feed_single check (singleton),
  feed_id ulid not null
);
call make_permanent('change_feed');

create function new_ulid() returns ulid language sql volatile as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + digit, 1), '' order by place)
    from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as time,
                 sha256(uuid_send(gen_random_uuid())) as random) new,
         generate_series(0, 25) place,
         lateral (select case when place < 10 then ((time >> 5 * (9 - place)) & 31)::integer
                              else get_byte(random, place) & 31 end as digit) digits
$$;

call begin_change_feed();

-- Begins a new feed if a revision has a number that this server has not assigned yet, as after pg_dump and
-- pg_restore on a younger server: such rows would stay hidden, and later ones would come before them.
create procedure check_change_feed() language plpgsql as $$
begin
  -- If several processes start at once, one begins the feed.
  perform from change_feed for update;
  if exists (
    select from accounts a
     where exists (
       select from record_revisions v
        where v.owner_id = a.account_id
          and v.transaction_id >= pg_snapshot_xmax(pg_current_snapshot())
     )
  ) then
    call begin_change_feed();
  end if;
end $$;
