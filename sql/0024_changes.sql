-- The changes feed: the ledger of revisions, in an order in which a reader misses none.
--
-- A transaction gets its number with its first write, and its rows are seen when it commits, maybe long
-- after those of higher numbers. Below the oldest transaction that still runs nothing changes any more:
-- there, (transaction_id, revision_id) is an order in which rows are only ever added behind the last.

-- What cursors count for. In another feed the same numbers are those of other transactions.
create table change_feed (
  singleton boolean primary key default true constraint change_feed_single check (singleton),
  feed_id ulid not null
);
call make_permanent('change_feed');

-- A canonical ULID of this moment.
create function new_ulid() returns ulid language sql volatile as $$
  select string_agg(substr('0123456789ABCDEFGHJKMNPQRSTVWXYZ', 1 + digit, 1), '' order by place)
    from (select floor(extract(epoch from clock_timestamp()) * 1000)::bigint as time,
                 sha256(uuid_send(gen_random_uuid())) as random) new,
         generate_series(0, 25) place,
         lateral (select case when place < 10 then ((time >> 5 * (9 - place)) & 31)::integer
                              else get_byte(random, place) & 31 end as digit) digits
$$;

-- Begins a new feed: the revisions that are there come first in it, with the number 0. The rows of a
-- ledger are never updated, so the column is made anew, with a constant that rewrites no row. For a
-- database whose rows were written under the numbers of another server, or of another past.
create procedure begin_change_feed() language plpgsql as $$
begin
  -- A table cannot be altered while checks of its rows are outstanding.
  set constraints all immediate;
  drop trigger if exists own_transaction on record_revisions;
  alter table record_revisions drop column if exists transaction_id;
  alter table record_revisions add column transaction_id xid8 not null default '0';
  alter table record_revisions alter column transaction_id set default pg_current_xact_id();
  -- Its condition holds for every row, and keeps it from statements that do not name a transaction: to
  -- a plan made while the table is empty, an index that begins like the primary key looks as good.
  create index revisions_by_transaction
    on record_revisions (owner_id, transaction_id, revision_id) where transaction_id is not null;
  create trigger own_transaction before insert on record_revisions
    for each row when (new.transaction_id is distinct from pg_current_xact_id())
    execute function refuse('PRS04', 'a revision has the number of its own transaction');
  alter table record_revisions enable always trigger own_transaction;
  insert into change_feed (feed_id) values (new_ulid())
    on conflict (singleton) do update set feed_id = excluded.feed_id;
end $$;
call begin_change_feed();

-- Begins a new feed where a revision has a number that this server has not given out yet, as after
-- pg_dump and pg_restore on a younger one: such rows would hide, and later ones come before them.
create procedure check_change_feed() language plpgsql as $$
begin
  -- Of several processes that start at once, one begins the feed.
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

-- The feed lists the revisions of a record in their order. A transaction that has its number already
-- when it waits for a record's lock could write a revision with a lower number than the one before it:
-- it is refused, and succeeds when it is tried again with a new number.
create function revision_follows_in_feed() returns trigger language plpgsql as $$
begin
  if (
    select v.transaction_id from record_revisions v
     where v.owner_id = old.owner_id and v.record_id = old.record_id and v.revision = old.revision
  ) > pg_current_xact_id() then
    raise exception using errcode = '40001',
      message = 'records: the present revision is of a later transaction';
  end if;
  return new;
end $$;
call pin_search_path('revision_follows_in_feed()');
-- The row's own number tells without a search whether that can be. It has 32 bits, and of a row that was
-- not written for two thousand million transactions it tells nothing: so the function looks itself.
create trigger follows_in_feed before update on records
  for each row when (age(old.xmin) < age(pg_current_xact_id()::xid))
  execute function revision_follows_in_feed();
alter table records enable always trigger follows_in_feed;
