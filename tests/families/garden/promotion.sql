create table places (
  owner_id ulid not null constraint place_owner_exists references accounts,
  place_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  place_name text not null,
  notes text,
  primary key (owner_id, place_id)
);

create table place_revisions (
  owner_id ulid not null,
  place_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null,
  created_at timestamptz(3) not null,
  archived_at timestamptz(3),
  place_name text not null,
  notes text,
  constraint place_revision_is_projected foreign key (owner_id, place_id, revision)
    references record_revisions (owner_id, record_id, revision)
);
call make_revisions('places', 'place_revisions', 'place_id', '{}');

insert into places
select owner_id, record_id, revision, revision_id, created_at, updated_at, archived_at,
       payload ->> 'placeName', payload ->> 'notes'
  from records where module_code = 'place';

insert into place_revisions
select owner_id, record_id, revision, revision_id, change, created_at, archived_at,
       payload ->> 'placeName', payload ->> 'notes'
  from record_revisions where module_code = 'place';
