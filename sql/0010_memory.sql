-- Memories, slices that freeze a revision, and drafts.

create table memories (
  owner_id ulid not null constraint memory_owner_exists references accounts,
  memory_id ulid not null,
  revision integer not null constraint memory_revision_positive check (revision >= 1),
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  title text not null constraint memory_title_length check (char_length(title) between 1 and 200),
  summary text not null constraint memory_summary_length check (char_length(summary) <= 1000),
  memory_type text not null,
  -- A person's own words. Revisions do not repeat them, because they never change.
  original_content text not null
    constraint memory_original_length check (char_length(original_content) between 1 and 100000),
  current_content text not null
    constraint memory_content_length check (char_length(current_content) between 1 and 100000),
  occurred_at timestamptz(3),
  time_precision text,
  time_text text,
  -- The range of time and precision, computed at write in the offset that the client sent.
  time_from timestamptz(3),
  time_to timestamptz(3),
  importance integer constraint memory_importance_range check (importance between 1 and 5),
  ai_draft text,
  ai_draft_provider text,
  ai_draft_model text,
  privacy_level text not null constraint memory_privacy_known
    check (privacy_level in ('NORMAL', 'PRIVATE', 'SECRET')),
  constraint memory_times_ordered check (updated_at >= created_at),
  constraint memory_time_range check (
    (time_from is null and time_to is null)
    or (occurred_at is not null and time_from is not null and time_to is not null
        and time_from < time_to)
  ),
  constraint memory_ai_draft_whole check ((ai_draft is null) = (ai_draft_provider is null)
    and (ai_draft is not null or ai_draft_model is null)),
  primary key (owner_id, memory_id)
);
-- Lists walk in creation order: over live memories, archived ones, all (the primary key), or, with a time
-- in the query, those that have one.
create index memories_live_by_creation on memories (owner_id, memory_id) where archived_at is null;
create index memories_archived_by_creation on memories (owner_id, memory_id)
  where archived_at is not null;
create index memories_with_time_by_creation on memories (owner_id, memory_id)
  where time_from is not null;

create table memory_revisions (
  owner_id ulid not null,
  memory_id ulid not null,
  revision integer not null constraint memory_ledger_revision_positive check (revision >= 1),
  revision_id ulid not null,
  change text not null constraint memory_change_known check (change in (
    'CREATED', 'REVISED', 'RECOVERED', 'AI_DRAFTED', 'AI_DRAFT_ADOPTED', 'AI_DRAFT_REJECTED',
    'TIME_CHANGED', 'PRIVACY_CHANGED', 'ARCHIVED', 'RESTORED')),
  created_at timestamptz(3) not null,
  archived_at timestamptz(3),
  title text not null,
  summary text not null,
  memory_type text not null,
  current_content text not null,
  occurred_at timestamptz(3),
  time_precision text,
  time_text text,
  time_from timestamptz(3),
  time_to timestamptz(3),
  importance integer,
  ai_draft text,
  ai_draft_provider text,
  ai_draft_model text,
  privacy_level text not null,
  previous_revision integer generated always as (nullif(revision - 1, 0)) stored,
  primary key (owner_id, memory_id, revision),
  constraint memory_not_in_the_future check (occurred_at <= created_at + interval '5 minutes'),
  constraint memory_change_fits check (
    (change = 'CREATED') = (revision = 1)
    and (change <> 'ARCHIVED' or archived_at is not null)
    and (change <> 'RESTORED' or archived_at is null)
    and (change <> 'AI_DRAFTED' or ai_draft is not null)
    and (change not in ('AI_DRAFT_ADOPTED', 'AI_DRAFT_REJECTED') or ai_draft is null)
  ),
  constraint memory_revision_of_memory foreign key (owner_id, memory_id) references memories,
  constraint memory_revision_follows foreign key (owner_id, memory_id, previous_revision)
    references memory_revisions (owner_id, memory_id, revision),
  constraint memory_revision_is_projected foreign key (owner_id, memory_id, revision)
    references record_revisions (owner_id, record_id, revision),
  -- A page cursor too.
  constraint memory_revision_id_unique unique (revision_id, owner_id)
);
-- These constraints have other names than make_revisions would give them.
alter table memories add constraint memory_has_its_revision
  foreign key (owner_id, memory_id, revision)
  references memory_revisions (owner_id, memory_id, revision) deferrable initially deferred;
call make_append_only('memory_revisions');
call count_rows_of('memory_revisions');
call make_root('memories', 'memory_id', array['original_content']);
call make_ledger_of_root('memory_revisions', 'memories', 'memory_id', array['original_content']);
-- The original words are in the root alone.
call count_rows_of('memories');

-- A slice freezes a revision by naming it, because the ledger row never changes.
create table memory_slices (
  owner_id ulid not null,
  slice_id ulid not null,
  memory_id ulid not null,
  memory_revision integer not null,
  label text not null constraint memory_slice_label_length check (char_length(label) between 1 and 200),
  created_at timestamptz(3) not null,
  primary key (owner_id, slice_id),
  constraint memory_slice_of_revision foreign key (owner_id, memory_id, memory_revision)
    references memory_revisions (owner_id, memory_id, revision)
);
create index memory_slices_of_a_memory on memory_slices (owner_id, memory_id, slice_id);
call make_append_only('memory_slices');
call count_rows_of('memory_slices');

-- A draft changes with each save, until it is committed or discarded.
create table memory_drafts (
  owner_id ulid not null constraint memory_draft_owner_exists references accounts,
  -- Chosen by the client, so that it can save again before it gets a response.
  draft_id ulid not null,
  -- The memory to revise; null to create one.
  memory_id ulid,
  draft_version integer not null constraint memory_draft_version_positive check (draft_version >= 1),
  content json not null
    constraint memory_draft_content_object check (json_typeof(content) = 'object'),
  state text not null constraint memory_draft_state_known
    check (state in ('OPEN', 'COMMITTED', 'DISCARDED')),
  committed_memory_id ulid,
  committed_revision integer,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  primary key (owner_id, draft_id),
  constraint memory_draft_of_memory foreign key (owner_id, memory_id) references memories,
  constraint memory_draft_made_revision
    foreign key (owner_id, committed_memory_id, committed_revision)
    references memory_revisions (owner_id, memory_id, revision),
  constraint memory_draft_result check (
    (state = 'COMMITTED') = (committed_memory_id is not null)
    and (committed_memory_id is null) = (committed_revision is null)
    and (memory_id is null or committed_memory_id is null or committed_memory_id = memory_id)
  )
);
create index memory_drafts_by_state on memory_drafts (owner_id, state, draft_id);
call make_permanent('memory_drafts');
call count_rows_of('memory_drafts');
call count_changes_of('memory_drafts');
create trigger ended_for_good before update on memory_drafts
  for each row when (old.state <> 'OPEN')
  execute function refuse('PRS04', 'a committed or discarded draft stays as it is');
alter table memory_drafts enable always trigger ended_for_good;
create trigger fixed_columns before update on memory_drafts
  for each row when (
    (new.owner_id, new.draft_id, new.memory_id, new.created_at)
      is distinct from (old.owner_id, old.draft_id, old.memory_id, old.created_at)
  )
  execute function refuse('PRS04', 'owner, identifier, memory and creation are fixed');
alter table memory_drafts enable always trigger fixed_columns;
create trigger version_rises before update on memory_drafts
  for each row when (
    new.draft_version < old.draft_version
    or (new.draft_version = old.draft_version and new.content::text <> old.content::text)
  )
  execute function refuse('PRS03', 'the content changes with a higher version only');
alter table memory_drafts enable always trigger version_rises;
