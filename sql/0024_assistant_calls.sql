-- Dates of people by day and detail.

-- The days `MM-DD` on which dates of people return and their details, as `GET /relationship/dates` lists them.
-- One key, so that no plan of what is due takes this index and sorts.
drop index person_details_of_dates;
create index person_details_by_date
  on person_details (
    owner_id, ((pg_catalog.right(value ->> 'date', 5) || detail_id::text) collate "C"))
  where kind = 'DATE' and value ->> 'what' in ('BIRTHDAY', 'ANNIVERSARY', 'DEATH')
    and octet_length(value ->> 'date') > 4;
