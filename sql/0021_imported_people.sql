-- People of other products: which of them may be here already.

-- An email or number in compared form, as `src/imports/converters/people.ts` computes it; null for a number of
-- fewer than six digits.
create function compared_detail(kind text, value json) returns text
  language sql immutable strict parallel safe
  as $$
    select case
      when kind = 'EMAIL' then 'email:' || lower(btrim(value ->> 'value', E' \t\n\r'))
      when length(regexp_replace(value ->> 'value', '[^0-9]', '', 'g')) >= 6
        then 'tel:' || regexp_replace(value ->> 'value', '[^0-9]', '', 'g')
    end
  $$;

create index person_details_by_compared
  on person_details (compared_detail(kind, value), owner_id, detail_id)
  where kind in ('EMAIL', 'PHONE');

alter table import_items
  drop constraint import_item_outcome_known,
  add constraint import_item_outcome_known
    check (outcome in ('NEW', 'UNCHANGED', 'CHANGED', 'REFUSED', 'POSSIBLE_DUPLICATE')),
  -- People who share an email or number with the item; null in formats that compare none.
  add column matches json constraint import_item_matches_listed check (json_typeof(matches) = 'array');

-- As before, and for an imported person with the source's own time.
create or replace function person_projection_fits() returns trigger language plpgsql as $$
begin
  if not exists (
    select from people p
      join records r on r.owner_id = p.owner_id and r.record_id = p.person_id
      join record_revisions v on v.owner_id = r.owner_id and v.record_id = r.record_id
     where p.owner_id = new.owner_id and p.person_id = new.person_id and v.revision = new.revision
       and (r.module_code, r.created_at, v.payload::text) = ('relationship', p.created_at, '{}')
       and (r.source_type = 'IMPORT'
            or (r.source_type, r.recorded_at) = ('USER_INPUT', p.created_at))
       and (v.revision_id, v.created_at, v.title, v.summary)
         = (new.revision_id, new.created_at, new.person_name, new.relationship_type)
       and v.archived_at is not distinct from new.archived_at
  ) then
    raise exception using errcode = 'PRS05',
      message = 'person_revisions: the projection differs from its revision';
  end if;
  return null;
end $$;
call pin_search_path('person_projection_fits()');
