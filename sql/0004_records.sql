-- The Record Kernel: records, their revisions and executions.

-- The rules of a root. One function instead of many CHECKs: a statement parses every CHECK of its table
-- again, which costs more than evaluating it, but a plpgsql function is parsed once per connection.
-- Operators and functions are schema-qualified, so the caller's search path cannot replace them and need
-- not be pinned at every call.
create function is_record(
  module_code text, revision integer, source_type text, created_at timestamptz,
  updated_at timestamptz, title text, summary text, payload json
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return module_code collate pg_catalog."C" operator(pg_catalog.~) '^[a-z][a-z-]*$'
    and pg_catalog.octet_length(module_code) operator(pg_catalog.<=) 40
    and revision operator(pg_catalog.>=) 1
    and source_type operator(pg_catalog.=) any (array['USER_INPUT', 'IMPORT', 'SEED', 'SYSTEM'])
    and updated_at operator(pg_catalog.>=) created_at
    and pg_catalog.char_length(title) operator(pg_catalog.<=) 200
    and pg_catalog.char_length(summary) operator(pg_catalog.<=) 1000
    and pg_catalog.json_typeof(payload) operator(pg_catalog.=) 'object';
end $$;

create table records (
  owner_id ulid not null constraint record_owner_exists references accounts,
  record_id ulid not null,
  module_code text collate "C" not null,
  revision integer not null,
  revision_id ulid not null,
  source_type text not null,
  recorded_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  title text not null,
  summary text not null,
  payload json not null,
  -- Permission that a reader of any revision's content needs; may change with each revision.
  guard text constraint record_guard_is_a_permission references permissions (name),
  constraint record_is_record check (is_record(
    module_code, revision, source_type, created_at, updated_at, title, summary, payload)),
  primary key (owner_id, record_id)
);
-- Lists walk in creation order (record_id) or update order (revision_id), over live or archived records.
create index records_live_by_creation on records (owner_id, module_code, record_id)
  where archived_at is null;
create index records_live_by_update on records (owner_id, module_code, revision_id)
  where archived_at is null;
create index records_archived_by_creation on records (owner_id, module_code, record_id)
  where archived_at is not null;
create index records_archived_by_update on records (owner_id, module_code, revision_id)
  where archived_at is not null;

-- begin_change_feed (below) adds the column transaction_id.
create table record_revisions (
  owner_id ulid not null,
  record_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  module_code text collate "C" not null,
  change text not null,
  title text not null,
  summary text not null,
  payload json not null,
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  previous_revision integer generated always as (nullif(revision - 1, 0)) stored,
  primary key (owner_id, record_id, revision),
  -- No gaps: each revision but the first has its predecessor.
  constraint revision_follows foreign key (owner_id, record_id, previous_revision)
    references record_revisions (owner_id, record_id, revision),
  -- A page cursor too.
  constraint revision_id_unique unique (revision_id, owner_id)
);
call make_append_only('record_revisions');
call count_rows_of('record_revisions');

-- When a transaction ends, a root has its ledger row …
alter table records add constraint record_has_its_revision
  foreign key (owner_id, record_id, revision)
  references record_revisions (owner_id, record_id, revision) deferrable initially deferred;

-- … and equals it, and no ledger row has a higher revision than its root. The rules of a record are checked
-- at its root, so only older, imported revisions are checked by themselves. The look-up also proves that
-- the row has a root, which is never removed, and revision_follows that no revision is missing.
create function ledger_matches_root() returns trigger language plpgsql as $$
declare
  root records;
begin
  select * into root from records r
    where r.owner_id = new.owner_id and r.record_id = new.record_id;
  if not found or root.module_code <> new.module_code then
    raise exception using errcode = 'PRS05', message = 'records: the revision is of another module';
  end if;
  if root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'records: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision then
    if (root.revision_id, root.title, root.summary, root.payload::text, root.updated_at)
         <> (new.revision_id, new.title, new.summary, new.payload::text, new.created_at)
       or root.archived_at is distinct from new.archived_at
    then
      raise exception using errcode = 'PRS05', message = 'records: the root differs from its revision';
    end if;
  elsif new.revision < 1 or char_length(new.title) > 200 or char_length(new.summary) > 1000
     or json_typeof(new.payload) <> 'object'
  then
    raise exception using errcode = 'PRS05',
      message = 'records: the revision violates the limits of a record';
  end if;
  if new.change not in ('CREATED', 'MODIFIED', 'ARCHIVED', 'RESTORED')
     or (new.change = 'CREATED') <> (new.revision = 1)
     or new.change = 'ARCHIVED' and new.archived_at is null
     or new.change = 'RESTORED' and new.archived_at is not null
  then
    raise exception using errcode = 'PRS05', message = 'records: the kind of change does not fit';
  end if;
  return null;
end $$;
call pin_search_path('ledger_matches_root()');
create constraint trigger ledger_matches_root after insert on record_revisions
  deferrable initially deferred for each row execute function ledger_matches_root();
alter table record_revisions enable always trigger ledger_matches_root;

call make_permanent('records');
-- The columns that a change must not alter (all NOT NULL), and its step. A function for the same reason as
-- is_record.
create function record_steps() returns trigger language plpgsql as $$
begin
  if (row(new.owner_id, new.record_id, new.module_code, new.source_type, new.recorded_at,
          new.created_at)
      operator(pg_catalog.=)
      row(old.owner_id, old.record_id, old.module_code, old.source_type, old.recorded_at,
          old.created_at)) is not true
  then
    raise exception using errcode = 'PRS04',
      message = 'records: owner, identifier, module, source and creation are fixed';
  end if;
  if (new.revision operator(pg_catalog.=) (old.revision operator(pg_catalog.+) 1)) is not true then
    raise exception using errcode = 'PRS03', message = 'records: the revision steps by one';
  end if;
  return new;
end $$;
create trigger steps before update on records for each row execute function record_steps();
alter table records enable always trigger steps;

-- Begins a new changes feed (see 0006_changes.sql): numbers existing revisions 0, so that they come first,
-- and later ones with their transaction. Called for the first feed, after a restore, and when another
-- server numbered the rows. Rows of a ledger are never updated, so the column is dropped and added again
-- with a constant default, which rewrites no row.
create procedure begin_change_feed() language plpgsql as $$
begin
  -- A table cannot be altered while checks of its rows are pending.
  set constraints all immediate;
  drop trigger if exists own_transaction on record_revisions;
  alter table record_revisions drop column if exists transaction_id;
  alter table record_revisions add column transaction_id xid8 not null default '0';
  alter table record_revisions alter column transaction_id set default pg_current_xact_id();
  -- True for every row. Hides the index, which begins like the primary key, from statements without a
  -- transaction.
  create index revisions_by_transaction
    on record_revisions (owner_id, transaction_id, revision_id) where transaction_id is not null;
  create trigger own_transaction before insert on record_revisions
    for each row when (new.transaction_id is distinct from pg_current_xact_id())
    execute function refuse('PRS04', 'a revision has the number of its own transaction');
  alter table record_revisions enable always trigger own_transaction;
  insert into change_feed (feed_id) values (new_ulid())
    on conflict (singleton) do update set feed_id = excluded.feed_id;
end $$;

-- The feed lists a record's revisions in order. A transaction that had its number before it waited for a
-- record's lock could write a revision with a lower number than the previous one. It is rejected, and
-- succeeds when retried with a new number.
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
-- The row's own transaction number shows without a look-up whether that is possible. It has 32 bits and
-- wraps around, so the function compares the full numbers.
create trigger follows_in_feed before update on records
  for each row when (age(old.xmin) < age(pg_current_xact_id()::xid))
  execute function revision_follows_in_feed();
alter table records enable always trigger follows_in_feed;

create table executions (
  owner_id ulid not null,
  execution_id ulid not null,
  -- Null, like the revision, if the execution concerns a whole family.
  record_id ulid,
  module_code text collate "C" not null,
  feature_id text not null constraint execution_feature_shape check (feature_id ~ '^[A-Z]{3}-[0-9]{3}$'),
  strategy text not null,
  -- The revision that the execution read.
  revision integer,
  status text not null constraint execution_status_known check (status = 'SUCCEEDED'),
  output json not null,
  created_at timestamptz(3) not null,
  primary key (owner_id, execution_id),
  constraint execution_names_its_revision check ((record_id is null) = (revision is null)),
  constraint execution_of_revision foreign key (owner_id, record_id, revision)
    references record_revisions (owner_id, record_id, revision)
);
create index executions_by_record on executions (owner_id, record_id, execution_id);
create index executions_of_a_family on executions (owner_id, feature_id, execution_id)
  where record_id is null;
call make_append_only('executions');
call count_rows_of('executions');
create function execution_matches_record() returns trigger language plpgsql as $$
begin
  if new.module_code is distinct from (
    select module_code from records r
     where r.owner_id = new.owner_id and r.record_id = new.record_id
  ) then
    raise exception using errcode = 'PRS05', message = 'executions: the record is of another module';
  end if;
  return null;
end $$;
call pin_search_path('execution_matches_record()');
create trigger execution_matches_record after insert on executions
  for each row when (new.record_id is not null) execute function execution_matches_record();
alter table executions enable always trigger execution_matches_record;
