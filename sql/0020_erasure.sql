-- Erasures: a certificate for each run of `deno task erase`, and the identifiers that are gone. Rows are not
-- deleted: a run copies the installation without them (src/operator/erasure).

create table erasure_certificates (
  account_id ulid not null,
  certificate_id ulid not null,
  reason text not null constraint erasure_reason_known
    check (reason in ('OWNER_REQUEST', 'SUBJECT_REQUEST', 'MISTAKE', 'LAW', 'OTHER')),
  -- Identifiers, counts and digests: never content.
  certificate json not null
    constraint erasure_certificate_object check (json_typeof(certificate) = 'object'),
  created_at timestamptz(3) not null,
  primary key (certificate_id)
);
call make_append_only('erasure_certificates');

-- An erased account has a row with its own identifier as the subject. Neither the owner nor the certificate is
-- a foreign key: the account may be gone, and an imported account brings the identifiers alone.
create table erased_subjects (
  owner_id ulid not null,
  subject_id ulid not null,
  -- Null for an attachment and for an account.
  module_code text collate "C",
  certificate_id ulid not null,
  erased_at timestamptz(3) not null,
  primary key (owner_id, subject_id)
);
call make_append_only('erased_subjects');

create function is_erased(the_owner text, the_subject text) returns boolean
  language sql stable as $$
  select exists (
    select from erased_subjects e where e.owner_id = the_owner and e.subject_id = the_subject)
$$;
call pin_search_path('is_erased(text, text)');

-- A term, a profile or a person that another row names exists or was erased: these guards take the place of
-- foreign keys, and refuse with the same SQLSTATE and name. None is ever deleted, so a check at the end of
-- the writing transaction is enough.
create function taxonomy_term_names_terms() returns trigger language plpgsql as $$
declare
  named ulid;
begin
  foreach named in array array[new.parent_id, new.merged_into]::text[] loop
    if named is not null and not is_erased(new.owner_id, named) and not exists (
      select from taxonomy_terms t
       where t.owner_id = new.owner_id and t.kind = new.kind and t.term_id = named
    ) then
      raise exception using errcode = '23503',
        constraint = case when named = new.parent_id then 'taxonomy_parent_exists'
                          else 'taxonomy_merged_into_exists' end,
        message = 'taxonomy_terms: the term that is named does not exist';
    end if;
  end loop;
  return null;
end $$;
call pin_search_path('taxonomy_term_names_terms()');
create constraint trigger taxonomy_new_term_names_terms after insert on taxonomy_terms
  deferrable initially deferred for each row
  when (new.parent_id is not null or new.merged_into is not null)
  execute function taxonomy_term_names_terms();
create constraint trigger taxonomy_term_names_terms after update on taxonomy_terms
  deferrable initially deferred for each row
  when ((new.parent_id, new.merged_into) is distinct from (old.parent_id, old.merged_into))
  execute function taxonomy_term_names_terms();
alter table taxonomy_terms enable always trigger taxonomy_new_term_names_terms;
alter table taxonomy_terms enable always trigger taxonomy_term_names_terms;
alter table taxonomy_terms drop constraint if exists taxonomy_parent_exists,
  drop constraint if exists taxonomy_merged_into_exists;

create function slug_has_profile() returns trigger language plpgsql as $$
begin
  if not is_erased(new.owner_id, new.owner_id) and not exists (
    select from identity_profiles p where p.owner_id = new.owner_id
  ) then
    raise exception using errcode = '23503', constraint = 'slug_of_profile',
      message = 'identity_slugs: the owner has no profile';
  end if;
  return null;
end $$;
call pin_search_path('slug_has_profile()');
create constraint trigger slug_has_profile after insert on identity_slugs
  deferrable initially deferred for each row execute function slug_has_profile();
alter table identity_slugs enable always trigger slug_has_profile;
alter table identity_slugs drop constraint if exists slug_of_profile;

create function detail_link_names_person() returns trigger language plpgsql as $$
begin
  if not is_erased(new.owner_id, new.linked_person) and not exists (
    select from people p where p.owner_id = new.owner_id and p.person_id = new.linked_person
  ) then
    raise exception using errcode = '23503', constraint = 'detail_links_person',
      message = 'person_details: the linked person does not exist';
  end if;
  return null;
end $$;
call pin_search_path('detail_link_names_person()');
create constraint trigger detail_link_names_person after insert on person_details
  deferrable initially deferred for each row when (new.linked_person is not null)
  execute function detail_link_names_person();
alter table person_details enable always trigger detail_link_names_person;
alter table person_details drop constraint if exists detail_links_person;

-- An identifier that was erased is not used for a draft again, which clients choose themselves.
create function draft_is_not_erased() returns trigger language plpgsql as $$
begin
  if is_erased(new.owner_id, new.draft_id) then
    raise exception using errcode = 'PRS05', constraint = 'memory_draft_not_erased',
      message = 'memory_drafts: the draft was erased';
  end if;
  return new;
end $$;
call pin_search_path('draft_is_not_erased()');
create trigger draft_is_not_erased before insert on memory_drafts
  for each row execute function draft_is_not_erased();
alter table memory_drafts enable always trigger draft_is_not_erased;

-- As in 0015_taxonomy.sql, but a category whose parent was erased is at the top.
create or replace function taxonomy_category_fits_tree() returns trigger language plpgsql as $$
declare
  category taxonomy_terms;
  is_active boolean;
  levels integer := 0;
  above ulid := new.term_id;
begin
  while above is not null and levels <= 8 loop
    select * into category from taxonomy_terms t
      where t.owner_id = new.owner_id and t.term_id = above;
    exit when not found;
    -- Level 0 is the category itself, level 1 its parent.
    if levels = 0 then
      is_active := category.deactivated_at is null;
    elsif levels = 1 and is_active and category.deactivated_at is not null then
      raise exception using errcode = 'PRS05',
        message = 'taxonomy_terms: an active category is below an inactive one';
    end if;
    levels := levels + 1;
    above := category.parent_id;
  end loop;
  -- The children of a new category are newer, and each is checked by its own trigger.
  if tg_op = 'UPDATE' and levels <= 8 then
    if not is_active and exists (
      select from (
        select t.deactivated_at from taxonomy_terms t
         where t.owner_id = new.owner_id and t.parent_id = new.term_id offset 0) child
       where child.deactivated_at is null) then
      raise exception using errcode = 'PRS05',
        message = 'taxonomy_terms: an inactive category has an active one below it';
    end if;
    with recursive below as (
      select new.term_id, levels as level
      union all
      select child.term_id, below.level + 1
        from below cross join lateral (
          select t.term_id from taxonomy_terms t
           where t.owner_id = new.owner_id and t.parent_id = below.term_id offset 0) child
       where below.level <= 8
    )
    select max(level) into levels from below;
  end if;
  if levels > 8 then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_terms: a category is below itself or on a ninth level';
  end if;
  return null;
end $$;
call pin_search_path('taxonomy_category_fits_tree()');
