create table gardens (
  owner_id ulid not null constraint garden_owner_exists references accounts,
  garden_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  name text not null constraint garden_name_length check (char_length(name) between 1 and 100),
  primary key (owner_id, garden_id)
);

create table garden_revisions (
  owner_id ulid not null,
  garden_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint garden_change_known
    check (change in ('CREATED', 'RENAMED', 'ARCHIVED', 'RESTORED')),
  created_at timestamptz(3) not null,
  archived_at timestamptz(3),
  name text not null
);
call make_revisions('gardens', 'garden_revisions', 'garden_id', '{}');

-- A bed never moves to another garden, so no revision repeats the garden.
create table beds (
  owner_id ulid not null,
  bed_id ulid not null,
  garden_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  crop text not null constraint bed_crop_length check (char_length(crop) between 1 and 100),
  plants integer not null constraint bed_plants_range check (plants between 0 and 1000),
  constraint bed_of_garden foreign key (owner_id, garden_id) references gardens,
  primary key (owner_id, bed_id)
);

create table bed_revisions (
  owner_id ulid not null,
  bed_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint bed_change_known check (change in ('CREATED', 'REPLANTED')),
  created_at timestamptz(3) not null,
  crop text not null,
  plants integer not null
);
call make_revisions('beds', 'bed_revisions', 'bed_id', array['garden_id']);

create table waterings (
  owner_id ulid not null,
  watering_id ulid not null,
  bed_id ulid not null,
  bed_revision integer not null,
  litres integer not null constraint watering_litres_range check (litres between 1 and 100),
  created_at timestamptz(3) not null,
  constraint watering_of_revision foreign key (owner_id, bed_id, bed_revision)
    references bed_revisions (owner_id, bed_id, revision),
  primary key (owner_id, watering_id)
);
create index waterings_of_a_bed on waterings (owner_id, bed_id, watering_id);
call make_append_only('waterings');
call count_rows_of('waterings');

create table almanacs (
  owner_id ulid not null constraint almanac_owner_exists references accounts,
  almanac_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  motto text not null,
  year integer not null,
  constraint one_almanac_an_owner unique (owner_id),
  primary key (owner_id, almanac_id)
);

create table almanac_revisions (
  owner_id ulid not null,
  almanac_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamptz(3) not null,
  motto text not null,
  year integer not null
);
call make_revisions('almanacs', 'almanac_revisions', 'almanac_id', '{}');
