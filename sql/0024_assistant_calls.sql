-- Dates of people by day; events of assistants' calls, combined and counted; the words that assistants search.

-- The days `MM-DD` on which dates of people return and their details, as `GET /relationship/dates` lists them.
-- One key, so that no plan of what is due takes this index and sorts.
drop index person_details_of_dates;
create index person_details_by_date
  on person_details (
    owner_id, ((pg_catalog.right(value ->> 'date', 5) || detail_id::text) collate "C"))
  where kind = 'DATE' and value ->> 'what' in ('BIRTHDAY', 'ANNIVERSARY', 'DEATH')
    and octet_length(value ->> 'date') > 4;

-- The number of calls that one event reports: the refused ones of a minute; null for a single call.
alter table access_events
  add column count integer constraint access_event_count_positive check (count >= 1);

-- The calls of an assistant since a time, and the records that it was given.
drop index access_events_of_assistants;
create index access_events_of_assistants on access_events (account_id, credential_id, event_id)
  include (records, count) where credential_kind = 'ASSISTANT';

-- Events of assistants' calls count as content of the account: it decides how many programs call how often.
-- Other events do not, because a full account continues to sign in and to end credentials.
insert into account_storage as s (owner_id, slot, bytes)
  select e.account_id, pg_current_xact_id()::text::bigint, sum(octet_length(e::text))
    from access_events e where e.tool is not null group by e.account_id
  on conflict (owner_id, slot) do update set bytes = s.bytes + excluded.bytes;
create function count_assistant_calls() returns trigger language plpgsql as $$
declare
  counted record;
begin
  for counted in
    select r.account_id, sum(octet_length(r::text)) as bytes from new_rows r
     where r.tool is not null group by r.account_id
  loop
    perform add_account_storage(counted.account_id, counted.bytes);
  end loop;
  return null;
end $$;
call pin_search_path('count_assistant_calls()');
create trigger storage_added after insert on access_events referencing new table as new_rows
  for each statement execute function count_assistant_calls();
alter table access_events enable always trigger storage_added;

-- Rule 2 of src/records/search_index/lexemes.ts adds entries for the words that assistants may find. The service
-- indexes older records again, in batches while it runs.
update search_index_build
   set rule = 2, after_owner_id = null, after_record_id = null,
       is_complete = not exists (select from records);
