-- The bare tables of a write: a record, its revisions, the audit trail, and the stored response to
-- a repeated request. No guard and no check: this is a limit, not a model.
create table record (
  id text primary key,
  owner text not null,
  title text not null,
  summary text not null,
  payload jsonb not null,
  revision integer not null default 1,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
create index record_by_owner on record (owner, id desc);

create table revision (
  record_id text not null,
  revision integer not null,
  title text not null,
  summary text not null,
  payload jsonb not null,
  created_at timestamptz not null default now(),
  primary key (record_id, revision)
);

create table audit (
  id bigint generated always as identity primary key,
  owner text not null,
  record_id text not null,
  action text not null,
  revision integer not null,
  at timestamptz not null default now()
);

create table idempotency (
  owner text not null,
  key text not null,
  fingerprint text not null,
  record_id text not null,
  status integer not null,
  response jsonb not null,
  created_at timestamptz not null default now(),
  primary key (owner, key)
);
