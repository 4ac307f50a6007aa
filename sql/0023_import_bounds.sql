-- Bounds of imports: tries of reading, planned imports that are discarded, and what a plan may compare.

alter table imports
  -- Tries of reading the file since the upload or the last mapping, each counted before it begins; null before
  -- the first.
  add column tries integer constraint import_tries_counted check (tries between 1 and 3),
  -- Permissions to read that the credential of the upload, or of the last mapping, had: the plan compares
  -- nothing else. Null for none.
  add column reads json constraint import_reads_listed check (json_typeof(reads) = 'array'),
  -- The file's own name; null if the upload did not state it.
  add column filename text
    constraint import_filename_length check (char_length(filename) between 1 and 200),
  drop constraint import_state_known,
  add constraint import_state_known check (state in (
    'RECEIVED', 'READING', 'REFUSED', 'PLANNED', 'DISCARDED', 'RUNNING', 'STOPPED', 'DONE',
    'WITHDRAWING', 'WITHDRAWN')),
  drop constraint import_runs_its_plan,
  add constraint import_runs_its_plan check (
    plan is not null or state in ('RECEIVED', 'READING', 'REFUSED', 'PLANNED', 'DISCARDED'));
drop trigger fixed_columns on imports;
create trigger fixed_columns before update on imports
  for each row when (
    (new.owner_id, new.import_id, new.format, new.name, new.size, new.sha256, new.keep_original,
     new.created_at, new.filename)
      is distinct from
    (old.owner_id, old.import_id, old.format, old.name, old.size, old.sha256, old.keep_original,
     old.created_at, old.filename)
  )
  execute function refuse('PRS04', 'owner, identifier, format, names and bytes are fixed');
alter table imports enable always trigger fixed_columns;
drop trigger ended_for_good on imports;
create trigger ended_for_good before update on imports
  for each row when (old.state in ('REFUSED', 'DISCARDED', 'WITHDRAWN'))
  execute function refuse('PRS04', 'a refused, discarded or withdrawn import stays as it is');
alter table imports enable always trigger ended_for_good;
