-- Imports of files from other products: the imports, the report on each item, and the origins of records.

call make_permission('01KAGQ0000PERM000000000031', 'import.write');

alter table step_up_proofs drop constraint step_up_purpose_known,
  add constraint step_up_purpose_known check (purpose in (
  'RELATIONSHIP_EVALUATION_CONFIRM', 'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT',
  'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH', 'ACCOUNT_EXPORT', 'TOKEN_CREATE',
  'SECOND_FACTOR_CHANGE', 'PASSKEY_CHANGE', 'RELATIONSHIP_EXPORT', 'IMPORT_WITHDRAW'));

-- An import finds the attachments that have the bytes of its files.
create index attachments_by_digest on attachments (sha256, owner_id, attachment_id);

create table imports (
  owner_id ulid not null constraint import_owner_exists references accounts,
  import_id ulid not null,
  format text not null constraint import_format_shape check (format ~ '^[a-z][a-z0-9-]{0,39}$'),
  name text constraint import_name_length check (char_length(name) between 1 and 100),
  -- Names the source to origins; null if a broken file did not tell it.
  source text constraint import_source_length check (char_length(source) between 1 and 200),
  size bigint not null constraint import_size_not_negative check (size >= 0),
  sha256 bytea not null constraint import_digest_length check (octet_length(sha256) = 32),
  keep_original boolean not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  state text not null constraint import_state_known check (state in (
    'RECEIVED', 'READING', 'REFUSED', 'PLANNED', 'RUNNING', 'STOPPED', 'DONE', 'WITHDRAWING',
    'WITHDRAWN')),
  mapping json,
  columns json constraint import_columns_listed check (json_typeof(columns) = 'array'),
  -- Outcomes by target, files, what was left out, rules, and the permissions that a token needs.
  counts json not null constraint import_counts_object check (json_typeof(counts) = 'object'),
  attachments json not null
    constraint import_attachments_object check (json_typeof(attachments) = 'object'),
  unmapped json not null constraint import_unmapped_listed check (json_typeof(unmapped) = 'array'),
  rules json not null constraint import_rules_listed check (json_typeof(rules) = 'array'),
  needs json not null constraint import_needs_listed check (json_typeof(needs) = 'array'),
  -- The digest of all outcomes and the mapping; null before there are any.
  plan text constraint import_plan_form check (plan ~ '^[0-9a-f]{64}$'),
  done integer not null,
  total integer not null,
  refusal json,
  original_attachment_id ulid,
  withdrawn json,
  primary key (owner_id, import_id),
  constraint import_times_ordered check (updated_at >= created_at),
  constraint import_progress check (done between 0 and total),
  constraint import_runs_its_plan check (
    plan is not null or state in ('RECEIVED', 'READING', 'REFUSED', 'PLANNED')),
  constraint import_refusal_told check ((state = 'REFUSED') = (refusal is not null)),
  constraint import_withdrawal_told check ((state = 'WITHDRAWN') = (withdrawn is not null))
);
call make_permanent('imports');
call count_rows_of('imports');
call count_changes_of('imports');
-- One import at a time an account.
create unique index imports_at_work on imports (owner_id)
  where state in ('RECEIVED', 'READING', 'RUNNING', 'WITHDRAWING');
create trigger fixed_columns before update on imports
  for each row when (
    (new.owner_id, new.import_id, new.format, new.name, new.size, new.sha256, new.keep_original,
     new.created_at)
      is distinct from
    (old.owner_id, old.import_id, old.format, old.name, old.size, old.sha256, old.keep_original,
     old.created_at)
  )
  execute function refuse('PRS04', 'owner, identifier, format, name and bytes are fixed');
alter table imports enable always trigger fixed_columns;
create trigger ended_for_good before update on imports
  for each row when (old.state in ('REFUSED', 'WITHDRAWN'))
  execute function refuse('PRS04', 'a refused or withdrawn import stays as it is');
alter table imports enable always trigger ended_for_good;
create trigger done_rises before update on imports
  for each row when (new.done < old.done)
  execute function refuse('PRS03', 'what is done stays done');
alter table imports enable always trigger done_rises;

-- The outcome of each item: names and numbers, no words.
create table import_items (
  owner_id ulid not null,
  import_id ulid not null,
  -- The line of the file, or a running number.
  place integer not null constraint import_item_place_positive check (place >= 1),
  key text not null constraint import_item_key_length check (char_length(key) between 1 and 200),
  -- Null for a target that is not known.
  target text,
  outcome text not null constraint import_item_outcome_known
    check (outcome in ('NEW', 'UNCHANGED', 'CHANGED', 'REFUSED')),
  record_id ulid,
  attachment_ids json not null,
  rules json not null,
  unmapped json not null,
  primary key (owner_id, import_id, place),
  constraint import_item_of_import foreign key (owner_id, import_id) references imports,
  constraint import_item_refused_for_a_reason
    check (outcome <> 'REFUSED' or json_array_length(rules) > 0)
);
create index import_items_by_outcome on import_items (outcome, import_id, owner_id, place);
call make_append_only('import_items');
call count_rows_of('import_items');

-- Origins of records. The newest row of a source and key has the record, the digest of its item, and the
-- revision that the import or its withdrawal wrote.
create table import_origins (
  owner_id ulid not null,
  -- Rises with each row of the same source and key.
  origin_id ulid not null,
  import_id ulid not null,
  -- ITEM; or TAG and FILE for what an item named, whose key is the identifier.
  kind text not null constraint import_origin_kind_known check (kind in ('ITEM', 'TAG', 'FILE')),
  source text not null,
  key text collate "C" not null
    constraint import_origin_key_length check (char_length(key) between 1 and 200),
  target text not null,
  record_id ulid not null,
  -- Null for a file.
  revision integer,
  -- The SHA-256 of the canonical item; null for what an item named.
  digest bytea constraint import_origin_digest_length check (octet_length(digest) = 32),
  change text not null constraint import_origin_change_known
    check (change in ('NEW', 'CHANGED', 'WITHDRAWN')),
  created_at timestamptz(3) not null,
  primary key (owner_id, origin_id),
  constraint import_origin_of_import foreign key (owner_id, import_id) references imports,
  constraint import_origin_whole check (
    (kind = 'ITEM') = (digest is not null) and (kind = 'FILE') = (revision is null))
);
create index import_origins_by_key on import_origins (key, source, owner_id, origin_id);
create index import_origins_of_an_import on import_origins (import_id, owner_id, origin_id);
create index import_origins_of_a_record on import_origins (record_id, owner_id, origin_id);
call make_append_only('import_origins');
call count_rows_of('import_origins');
