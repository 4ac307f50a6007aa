-- The guards that every write of a record passes, with the same promises and for less of the processor. A
-- statement that writes reads each CHECK and each WHEN of its tables from their stored text anew, which
-- costs more than to evaluate them; a function in plpgsql is read once a session. Nothing here reads a
-- stored row: each step takes its locks for a moment, however large the tables are.

-- The same texts as before, length and characters apart: to count repetitions in a pattern takes ten times
-- as long. Every character of the pattern is one byte. What is stored has passed the pattern of sql/0001,
-- which takes the same texts, so that it needs no validation.
alter domain ulid drop constraint canonical_ulid;
alter domain ulid add constraint canonical_ulid
  check (octet_length(value) = 26 and value ~ '^[0-7][0-9A-HJKMNP-TV-Z]+$') not valid;

-- What a root holds by itself. Every operator and function is named with its schema, so that those of a
-- caller's search path cannot stand in, and no search path has to be set at every call.
create function is_record(
  module_code text, revision integer, source_type text, created_at timestamptz,
  updated_at timestamptz, title text, summary text, payload json
) returns boolean language plpgsql immutable parallel safe as $$
begin
  return module_code collate pg_catalog."C" operator(pg_catalog.~) '^[a-z][a-z-]*$'
    and pg_catalog.octet_length(module_code) operator(pg_catalog.<=) 40
    and revision operator(pg_catalog.>=) 1
    and source_type operator(pg_catalog.=) any (array['USER_INPUT', 'IMPORT', 'SEED', 'SYSTEM'])
    and updated_at operator(pg_catalog.>=) created_at
    and pg_catalog.char_length(title) operator(pg_catalog.<=) 200
    and pg_catalog.char_length(summary) operator(pg_catalog.<=) 1000
    and pg_catalog.json_typeof(payload) operator(pg_catalog.=) 'object';
end $$;
-- The stored rows have passed the seven that it takes the place of, and need no validation.
alter table records
  drop constraint record_module_code_shape,
  drop constraint record_revision_positive,
  drop constraint record_source_type_known,
  drop constraint record_times_ordered,
  drop constraint record_title_length,
  drop constraint record_summary_length,
  drop constraint record_payload_object,
  add constraint record_is_record check (is_record(
    module_code, revision, source_type, created_at, updated_at, title, summary, payload)) not valid;

-- What a record holds is checked at its root, and the row of its present revision is proven equal to that.
-- Only the rows behind it, as an import writes them, are checked by themselves. That a row has a root is
-- proven by the same look-up: a root never goes away. That its revision is positive follows from
-- revision_follows: each revision but the first needs the one before it.
create or replace function ledger_matches_root() returns trigger language plpgsql as $$
declare
  root records;
begin
  select * into root from records r
    where r.owner_id = new.owner_id and r.record_id = new.record_id;
  if not found or root.module_code <> new.module_code then
    raise exception using errcode = 'PRS05', message = 'records: the revision is of another module';
  end if;
  if root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'records: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision then
    if (root.revision_id, root.title, root.summary, root.payload::text, root.updated_at)
         <> (new.revision_id, new.title, new.summary, new.payload::text, new.created_at)
       or root.archived_at is distinct from new.archived_at
    then
      raise exception using errcode = 'PRS05', message = 'records: the root differs from its revision';
    end if;
  elsif new.revision < 1 or char_length(new.title) > 200 or char_length(new.summary) > 1000
     or json_typeof(new.payload) <> 'object'
  then
    raise exception using errcode = 'PRS05',
      message = 'records: the revision is none that a root could have had';
  end if;
  if new.change not in ('CREATED', 'MODIFIED', 'ARCHIVED', 'RESTORED')
     or (new.change = 'CREATED') <> (new.revision = 1)
     or new.change = 'ARCHIVED' and new.archived_at is null
     or new.change = 'RESTORED' and new.archived_at is not null
  then
    raise exception using errcode = 'PRS05', message = 'records: the kind of change does not fit';
  end if;
  return null;
end $$;
call pin_search_path('ledger_matches_root()');

alter table record_revisions
  drop constraint revision_of_record,
  drop constraint revision_positive,
  drop constraint revision_change_known,
  drop constraint revision_change_fits,
  drop constraint revision_title_length,
  drop constraint revision_summary_length,
  drop constraint revision_payload_object;

-- What a change of a root leaves as it is, and its step. All of the columns are NOT NULL.
create function record_steps() returns trigger language plpgsql as $$
begin
  if (row(new.owner_id, new.record_id, new.module_code, new.source_type, new.recorded_at,
          new.created_at)
      operator(pg_catalog.=)
      row(old.owner_id, old.record_id, old.module_code, old.source_type, old.recorded_at,
          old.created_at)) is not true
  then
    raise exception using errcode = 'PRS04',
      message = 'records: owner, identifier, module, source and creation are fixed';
  end if;
  if (new.revision operator(pg_catalog.=) (old.revision operator(pg_catalog.+) 1)) is not true then
    raise exception using errcode = 'PRS03', message = 'records: the revision steps by one';
  end if;
  return new;
end $$;
drop trigger fixed_columns on records;
drop trigger revision_step on records;
create trigger steps before update on records for each row execute function record_steps();
alter table records enable always trigger steps;
