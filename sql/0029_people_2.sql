-- People and calendars of other programs: lines of cards, names that changed, UIDs, numbers, yearly dates.

alter table person_details
  -- `{ version, lines }`: the lines of the card that the detail came from, unfolded. Null without a card.
  add column lines json
    constraint detail_lines_object check (json_typeof(lines) = 'object')
    constraint detail_lines_length check (octet_length(lines::text) <= 32768);

-- The newest revision with another name than the one before; null if the name never changed.
alter table people add column name_revision integer
  constraint person_name_revision_range check (name_revision between 2 and revision);

create function last_renaming(owner text, person text) returns integer
  language sql stable
  as $$
    select max(v.revision)
      from person_revisions v
      join person_revisions before on before.owner_id = v.owner_id
       and before.person_id = v.person_id and before.revision = v.revision - 1
     where v.owner_id = owner and v.person_id = person and before.person_name <> v.person_name
  $$;
call pin_search_path('last_renaming(text, text)');
-- The guards want a revision for each update. A rewrite of the table would make it empty in older
-- snapshots: a backup that is running would lose all people.
alter table people
  disable trigger revision_step, disable trigger status_moves, disable trigger ended_for_good;
update people p set name_revision = renaming.revision
  from (select owner_id, person_id, last_renaming(owner_id, person_id) as revision
          from people offset 0) renaming
 where renaming.owner_id = p.owner_id and renaming.person_id = p.person_id
   and renaming.revision is not null;
alter table people
  enable always trigger revision_step, enable always trigger status_moves,
  enable always trigger ended_for_good;

create function note_name_revision() returns trigger language plpgsql as $$
begin
  new.name_revision := new.revision;
  return new;
end $$;
call pin_search_path('note_name_revision()');
create trigger note_name_revision before update on people
  for each row when (new.person_name is distinct from old.person_name)
  execute function note_name_revision();
alter table people enable always trigger note_name_revision;

-- A further UID of a card, whose first UID is the key of its item.
alter table import_origins
  drop constraint import_origin_kind_known,
  add constraint import_origin_kind_known check (kind in ('ITEM', 'TAG', 'FILE', 'UID')),
  drop constraint import_origin_key_length,
  add constraint import_origin_key_length
    check (char_length(key) between 1 and case kind when 'UID' then 2000 else 200 end);

-- The compared form of a UID, as `src/families/relationship/card_uids.ts` computes it.
create function compared_uid(uid text) returns text
  language sql immutable strict parallel safe
  as $$ select regexp_replace(lower(btrim(uid, E' \t\n\r')), '^urn:uuid:', '') $$;

create index import_origins_by_uid
  on import_origins (compared_uid(key), owner_id, origin_id)
  where target in ('person', 'community') and kind in ('ITEM', 'UID')
    and (source = 'vcard' or source like 'vcard:%');

-- The tags that a record no longer carries: a repeated card does not assign them again.
create index taxonomy_assignments_removed
  on taxonomy_assignments (record_id, owner_id, term_id) where removed_at is not null;

-- The text that equal e-mail addresses and numbers share: the address, or seven digits before an extension.
-- The hits are compared in full (`src/families/relationship/compared_number.ts`).
create function shared_by_details(kind text, value json) returns text
  language sql immutable strict parallel safe
  as $$
    select case
      when kind = 'EMAIL' then 'email:' || lower(btrim(value ->> 'value', E' \t\n\r'))
      when length(digits) >= 6 then 'tel:' || right(digits, 7)
    end
      from (select replace(regexp_replace(regexp_replace(regexp_replace(regexp_replace(
              value ->> 'value', '^[ \t\n\r]*tel:', '', 'i'),
              '[;,#A-Za-z\u00c0-\u1fff\u3041-\ud7ff].*$', ''),
              '[^0-9+]', '', 'g'),
              '^(\+|00?)', ''), '+', '') as digits) number
  $$;
drop index person_details_by_compared;
create index person_details_by_shared
  on person_details (shared_by_details(kind, value), owner_id, detail_id)
  where kind in ('EMAIL', 'PHONE');

-- Whether a date returns every year if it has a month and a day.
create function is_yearly_date(value json, label text) returns boolean
  language sql immutable parallel safe
  as $$
    select coalesce(
      (value ->> 'yearly')::boolean,
      value ->> 'what' in ('BIRTHDAY', 'ANNIVERSARY', 'DEATH')
        or value ->> 'what' = 'OTHER' and label is not null)
  $$;
drop index person_details_by_day;
create index person_details_by_day
  on person_details (
    owner_id, (pg_catalog.right(value ->> 'date', 5) collate "C"), person_id, detail_id)
  where kind = 'DATE' and is_yearly_date(value, label) and octet_length(value ->> 'date') > 4;
drop index person_details_by_date;
create index person_details_by_date
  on person_details (
    owner_id, ((pg_catalog.right(value ->> 'date', 5) || detail_id::text) collate "C"))
  where kind = 'DATE' and is_yearly_date(value, label) and octet_length(value ->> 'date') > 4;

-- The date of a death in a form that sorts before every later day: `2019-02-03` before `2019-02-04`,
-- `2019` before `2019-01-01`, and `--02-03` and the empty text of a kept line before every day. Null
-- for details of the living.
create function stated_death(kind text, value json) returns text
  language sql immutable parallel safe
  as $$
    select case
      when kind = 'DATE' and value ->> 'what' = 'DEATH' then value ->> 'date'
      when kind = 'OTHER' and upper(value ->> 'property')
        in ('DEATHDATE', 'X-DEATHDATE', 'X-PRS-DEATHDATE', 'X-MONICA-DEAD') then ''
    end
  $$;
create index person_details_of_the_dead
  on person_details (owner_id, person_id, (stated_death(kind, value) collate "C"), detail_id)
  where stated_death(kind, value) is not null;
