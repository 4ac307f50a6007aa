-- Seals of the audit trail. Audit entries and access events are sealed in batches: a seal holds the root of
-- a Merkle tree over its entries and the digest of the previous seal. Each account has two chains, one per
-- kind of entry, so that its seals do not depend on another account.
--
-- A row is sealed once no transaction up to its transaction_id is still running. Two values are special: 0
-- comes before all transactions, for rows restored without a seal; null marks rows restored with theirs.

-- All rows of transactions before `sealed_below` are sealed. It counts the transactions of this database,
-- so it has no meaning in another one.
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
  number integer not null constraint audit_seal_number_positive check (number >= 1),
  seal_id ulid not null,
  entries integer not null constraint audit_seal_entries_positive check (entries >= 1),
  first_id ulid not null,
  last_id ulid not null,
  -- The highest identifier in this or an earlier seal. A seal covers the entries after the previous seal's,
  -- up to its own, and those that audit_late_entries assigns to it.
  through_id ulid not null,
  root bytea not null constraint audit_seal_root_length check (octet_length(root) = 32),
  -- Digest of the previous seal; null in the first one.
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

-- Entries committed after an entry with a higher identifier was sealed.
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
