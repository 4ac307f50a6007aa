-- What a typed family adds to the Record Kernel: a projection of its roots that generic reads serve, a
-- guard on it, and executions that concern no single record.

-- The permission that a reader of the record's content needs today, in every revision; null: none. It may
-- change with any revision.
alter table records add column guard text
  constraint record_guard_is_a_permission references permissions (name);

-- An export of a whole family reads many records, and belongs to none of them.
alter table executions alter column record_id drop not null;
alter table executions alter column revision drop not null;
alter table executions add constraint execution_names_its_revision
  check ((record_id is null) = (revision is null));
drop trigger execution_matches_record on executions;
create trigger execution_matches_record after insert on executions
  for each row when (new.record_id is not null) execute function execution_matches_record();
alter table executions enable always trigger execution_matches_record;
create index executions_of_a_family on executions (owner_id, feature_id, execution_id)
  where record_id is null;
