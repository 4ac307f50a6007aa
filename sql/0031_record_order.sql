-- The order of records by title and own time, for lists, search and counts. Each row can be computed again
-- from its record, and is written with it, like its row of search_index.

create table record_order (
  owner_id ulid not null,
  record_id ulid not null,
  -- Empty in a row that the build writes again, so that no further index has to find those.
  module_code text collate "C" not null,
  -- Version of the rules that computed the row.
  rule smallint not null,
  is_archived boolean not null,
  -- The permission that a reader needs, or empty for none.
  guard text collate "C" not null,
  -- The folded words of the title, at most 64 code points.
  order_form text collate "C" not null,
  own_time timestamptz(3),
  -- The local date of the time, if it has a clock.
  own_day date,
  -- The kind of a measurement or a term, or the precision of the time.
  kind text collate "C",
  primary key (owner_id, record_id)
);
create index record_order_by_form
  on record_order (module_code, owner_id, guard, is_archived, order_form, record_id);
-- Also finds the records without an own time, newest first.
create index record_order_by_time
  on record_order (module_code, owner_id, guard, is_archived, own_time, record_id);
create index record_order_by_kind
  on record_order (module_code, owner_id, guard, kind, own_time, record_id)
  where kind is not null and own_time is not null and not is_archived;
create index record_order_guarded
  on record_order (module_code, owner_id, guard, is_archived, record_id) where guard <> '';

-- Progress of rule 3, which fills record_order and further words. The columns before stay as they are, so
-- that a process of the release before, with rule 2, neither builds again nor refuses a search.
alter table search_index_build
  add column order_rule smallint not null default 3,
  add column order_after_owner_id ulid,
  add column order_after_record_id ulid,
  add column order_is_complete boolean not null default false;
update search_index_build set order_is_complete = not exists (select from records);

-- A process of the release before writes only the words of rule 2: the build repeats the row.
create function repeat_record_order() returns trigger language plpgsql as $$
begin
  insert into record_order (owner_id, record_id, module_code, rule, is_archived, guard, order_form)
    values (new.owner_id, new.record_id, '', 2, false, '', '')
    on conflict (owner_id, record_id) do update set rule = 2, module_code = '';
  return null;
end $$;
call pin_search_path('repeat_record_order()');
create trigger former_rule after insert or update on search_index
  for each row when (new.rule = 2) execute function repeat_record_order();
alter table search_index enable always trigger former_rule;

-- These two also find the rows without a time, newest first.
create index memories_by_time on memories (owner_id, time_from, memory_id);
create index people_by_last_contact on people (owner_id, last_contact_at, person_id);
-- Without a condition that a range implies, a search by key could use these as well as the key.
create index person_contacts_by_day on person_contacts (owner_id, contacted_at, contact_id)
  where contacted_at is not null;
create index decision_predictions_by_due on decision_predictions (owner_id, due_at, prediction_id)
  where due_at is not null;
create index decision_outcomes_by_observation
  on decision_outcomes (owner_id, observed_at, outcome_id) where observed_at is not null;
