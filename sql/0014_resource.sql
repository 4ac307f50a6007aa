-- Resources such as time, energy and money.

create table resources (
  owner_id ulid not null constraint resource_owner_exists references accounts,
  resource_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  resource_type text not null,
  name text not null constraint resource_name_length check (char_length(name) between 1 and 500),
  amount double precision constraint resource_amount_range
    check (amount between -1000000000000 and 1000000000000),
  unit text constraint resource_unit_length check (char_length(unit) <= 500),
  capacity double precision
    constraint resource_capacity_range check (capacity between 0 and 1000000000000),
  available double precision constraint resource_available_range
    check (available between -1000000000000 and 1000000000000),
  -- A percentage.
  level double precision constraint resource_level_range check (level between 0 and 100),
  notes text constraint resource_notes_length check (char_length(notes) <= 100000),
  constraint resource_available_within_capacity check (available <= capacity),
  primary key (owner_id, resource_id)
);
-- Lists walk in creation order: over live resources, archived ones, all (the primary key), or live ones of
-- the type NETWORK.
create index resources_live_by_creation on resources (owner_id, resource_id)
  where archived_at is null;
create index resources_archived_by_creation on resources (owner_id, resource_id)
  where archived_at is not null;
create index resources_of_the_network on resources (owner_id, resource_id)
  where archived_at is null and resource_type = 'NETWORK';

create table resource_revisions (
  owner_id ulid not null,
  resource_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint resource_change_known
    check (change in ('CREATED', 'MODIFIED', 'ARCHIVED', 'RESTORED')),
  created_at timestamptz(3) not null,
  archived_at timestamptz(3),
  resource_type text not null,
  name text not null,
  amount double precision,
  unit text,
  capacity double precision,
  available double precision,
  level double precision,
  notes text,
  constraint resource_change_fits check (
    (change = 'CREATED') = (revision = 1)
    and (change <> 'ARCHIVED' or archived_at is not null)
    and (change <> 'RESTORED' or archived_at is null)
  ),
  constraint resource_revision_is_projected foreign key (owner_id, resource_id, revision)
    references record_revisions (owner_id, record_id, revision)
);
call make_revisions('resources', 'resource_revisions', 'resource_id', '{}');

-- A measurement, not a copy of its resource. Its unit is that of the revision it refers to.
create table resource_snapshots (
  owner_id ulid not null,
  snapshot_id ulid not null,
  resource_id ulid not null,
  -- The resource's revision when the snapshot was recorded.
  resource_revision integer not null,
  observed_at timestamptz(3) not null,
  amount double precision constraint resource_snapshot_amount_range
    check (amount between -1000000000000 and 1000000000000),
  capacity double precision
    constraint resource_snapshot_capacity_range check (capacity between 0 and 1000000000000),
  available double precision constraint resource_snapshot_available_range
    check (available between -1000000000000 and 1000000000000),
  level double precision constraint resource_snapshot_level_range check (level between 0 and 100),
  note text constraint resource_snapshot_note_length check (char_length(note) <= 100000),
  created_at timestamptz(3) not null,
  constraint resource_snapshot_has_a_figure
    check (num_nonnulls(amount, capacity, available, level) > 0),
  constraint resource_snapshot_available_within_capacity check (available <= capacity),
  constraint resource_snapshot_not_in_the_future
    check (observed_at <= created_at + interval '5 minutes'),
  constraint resource_snapshot_of_revision foreign key (owner_id, resource_id, resource_revision)
    references resource_revisions (owner_id, resource_id, revision),
  primary key (owner_id, snapshot_id)
);
create index resource_snapshots_of_a_resource
  on resource_snapshots (owner_id, resource_id, snapshot_id);
create index resource_snapshots_by_observation
  on resource_snapshots (owner_id, resource_id, observed_at, snapshot_id);
call make_append_only('resource_snapshots');
call count_rows_of('resource_snapshots');
