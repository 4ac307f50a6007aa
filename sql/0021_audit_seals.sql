-- Seals of the audit trail. Audit entries and access events are sealed in batches: a seal holds the root
-- of a Merkle tree over its entries and the digest of the seal before. Each account has two chains of
-- seals, one for each kind of entry, so that nothing of one account stands in the seals of another.

-- Which transaction wrote a row. Rows are sealed once no transaction before theirs, or their own, is still
-- running: 0 is behind all of them, as for the rows that stand here by now. Null: the row was restored
-- together with its seal.
alter table audit_entries add column transaction_id bigint default 0;
alter table audit_entries
  alter column transaction_id set default (pg_current_xact_id()::text::bigint);
alter table access_events add column transaction_id bigint default 0;
alter table access_events
  alter column transaction_id set default (pg_current_xact_id()::text::bigint);
-- Rows lie in the order of their transactions, and a summary of pages costs a write next to nothing.
create index audit_entries_by_transaction on audit_entries
  using brin (transaction_id) with (autosummarize = on);
create index access_events_by_transaction on access_events
  using brin (transaction_id) with (autosummarize = on);

-- How far the trail is sealed: the rows of all transactions before this one. It counts the transactions
-- of this database, and means nothing in another one.
create table audit_sealing (
  singleton boolean primary key default true constraint audit_sealing_single check (singleton),
  sealed_below bigint not null default 0
);
insert into audit_sealing default values;
call make_permanent('audit_sealing');
create trigger only_rises before update on audit_sealing
  for each row when (new.sealed_below <= old.sealed_below)
  execute function refuse('PRS03', 'sealing only goes on');
alter table audit_sealing enable always trigger only_rises;

create table audit_seals (
  account_id ulid not null,
  kind text not null constraint audit_seal_kind_known check (kind in ('audit', 'access')),
  -- Counts the seals of a chain.
  number integer not null constraint audit_seal_number_positive check (number >= 1),
  seal_id ulid not null,
  entries integer not null constraint audit_seal_entries_positive check (entries >= 1),
  first_id ulid not null,
  last_id ulid not null,
  -- The highest identifier in this or an earlier seal. A seal covers the entries behind that of the seal
  -- before, up to its own, and those that audit_late_entries gives it.
  through_id ulid not null,
  root bytea not null constraint audit_seal_root_length check (octet_length(root) = 32),
  -- The digest of the seal before; null in the first one.
  previous bytea,
  digest bytea not null constraint audit_seal_digest_length check (octet_length(digest) = 32),
  created_at timestamptz(3) not null,
  previous_number integer generated always as (nullif(number - 1, 0)) stored,
  primary key (account_id, kind, number),
  constraint audit_seal_id_unique unique (account_id, kind, seal_id),
  constraint audit_seal_digest_unique unique (account_id, kind, number, digest),
  constraint audit_seal_begins check ((number = 1) = (previous is null)),
  constraint audit_seal_ids_ordered check (first_id <= last_id and last_id <= through_id),
  constraint audit_seal_follows foreign key (account_id, kind, previous_number, previous)
    references audit_seals (account_id, kind, number, digest)
);
create index audit_seals_by_range on audit_seals (account_id, kind, through_id, number);
call make_append_only('audit_seals');

-- Entries that were committed, or written, after an entry with a higher identifier had been sealed.
create table audit_late_entries (
  account_id ulid not null,
  kind text not null,
  entry_id ulid not null,
  number integer not null,
  primary key (account_id, kind, entry_id),
  constraint audit_late_entry_of_seal foreign key (account_id, kind, number) references audit_seals
);
create index audit_late_entries_of_a_seal on audit_late_entries (account_id, kind, number, entry_id);
call make_append_only('audit_late_entries');
