-- The Record Kernel: a root a record, a ledger row a revision, a ledger row an execution.

create table records (
  owner_id ulid not null constraint record_owner_exists references accounts,
  record_id ulid not null,
  module_code text collate "C" not null constraint record_module_code_shape
    check (module_code ~ '^[a-z][a-z-]{0,39}$'),
  revision integer not null constraint record_revision_positive check (revision >= 1),
  revision_id ulid not null,
  source_type text not null constraint record_source_type_known
    check (source_type in ('USER_INPUT', 'IMPORT', 'SEED', 'SYSTEM')),
  recorded_at timestamptz(3) not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  title text not null constraint record_title_length check (char_length(title) <= 200),
  summary text not null constraint record_summary_length check (char_length(summary) <= 1000),
  -- json, not jsonb: what a person wrote is handed back as it was stored, and read without rebuilding.
  payload json not null constraint record_payload_object check (json_typeof(payload) = 'object'),
  constraint record_times_ordered check (updated_at >= created_at),
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

create table record_revisions (
  owner_id ulid not null,
  record_id ulid not null,
  revision integer not null constraint revision_positive check (revision >= 1),
  revision_id ulid not null,
  module_code text collate "C" not null,
  change text not null constraint revision_change_known
    check (change in ('CREATED', 'MODIFIED', 'ARCHIVED', 'RESTORED')),
  title text not null constraint revision_title_length check (char_length(title) <= 200),
  summary text not null constraint revision_summary_length check (char_length(summary) <= 1000),
  payload json not null constraint revision_payload_object check (json_typeof(payload) = 'object'),
  archived_at timestamptz(3),
  created_at timestamptz(3) not null,
  previous_revision integer generated always as (nullif(revision - 1, 0)) stored,
  primary key (owner_id, record_id, revision),
  constraint revision_change_fits check (
    (change = 'CREATED') = (revision = 1)
    and (change <> 'ARCHIVED' or archived_at is not null)
    and (change <> 'RESTORED' or archived_at is null)
  ),
  constraint revision_of_record foreign key (owner_id, record_id) references records,
  -- No gaps: every revision but the first has its predecessor.
  constraint revision_follows foreign key (owner_id, record_id, previous_revision)
    references record_revisions (owner_id, record_id, revision),
  -- A revision's identifier is also a page cursor. It comes before the owner: to a plan made while the
  -- table is empty, and kept while it grows, an index that begins like the primary key looks as good.
  constraint revision_id_unique unique (revision_id, owner_id)
);
call make_append_only('record_revisions');

-- A root has its ledger row when the transaction ends …
alter table records add constraint record_has_its_revision
  foreign key (owner_id, record_id, revision)
  references record_revisions (owner_id, record_id, revision) deferrable initially deferred;

-- … and equals it, and no ledger row runs ahead of its root.
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
  if root.revision = new.revision and (
    (root.revision_id, root.title, root.summary, root.payload::text, root.updated_at)
      <> (new.revision_id, new.title, new.summary, new.payload::text, new.created_at)
    or root.archived_at is distinct from new.archived_at
  ) then
    raise exception using errcode = 'PRS05', message = 'records: the root differs from its revision';
  end if;
  return null;
end $$;
call make_undeceivable('ledger_matches_root()');
create constraint trigger ledger_matches_root after insert on record_revisions
  deferrable initially deferred for each row execute function ledger_matches_root();
alter table record_revisions enable always trigger ledger_matches_root;

call make_permanent('records');
create trigger revision_step before update on records
  for each row when (new.revision is distinct from old.revision + 1)
  execute function refuse('PRS03', 'the revision steps by one');
alter table records enable always trigger revision_step;
create trigger fixed_columns before update on records
  for each row when (
    (new.owner_id, new.record_id, new.module_code, new.source_type, new.recorded_at, new.created_at)
      is distinct from
    (old.owner_id, old.record_id, old.module_code, old.source_type, old.recorded_at, old.created_at)
  )
  execute function refuse('PRS04', 'owner, identifier, module, source and creation are fixed');
alter table records enable always trigger fixed_columns;

create table executions (
  owner_id ulid not null,
  execution_id ulid not null,
  record_id ulid not null,
  module_code text collate "C" not null,
  feature_id text not null constraint execution_feature_shape check (feature_id ~ '^[A-Z]{3}-[0-9]{3}$'),
  strategy text not null,
  -- The record's revision that the execution read.
  revision integer not null,
  status text not null constraint execution_status_known check (status = 'SUCCEEDED'),
  output json not null,
  created_at timestamptz(3) not null,
  primary key (owner_id, execution_id),
  constraint execution_of_revision foreign key (owner_id, record_id, revision)
    references record_revisions (owner_id, record_id, revision)
);
create index executions_by_record on executions (owner_id, record_id, execution_id);
call make_append_only('executions');
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
call make_undeceivable('execution_matches_record()');
create trigger execution_matches_record after insert on executions
  for each row execute function execution_matches_record();
alter table executions enable always trigger execution_matches_record;
