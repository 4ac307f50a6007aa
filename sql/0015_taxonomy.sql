-- Advisory locks. A write that places a category, or changes whether it is active, first takes the owner's
-- tree lock. A write that adds or removes names of a kind takes the names lock last. Later statements then
-- see what every earlier holder committed.
create function taxonomy_tree_lock(the_owner text) returns bigint
  language sql immutable parallel safe
  return hashtextextended('taxonomy tree ' || the_owner, 0);
create function taxonomy_names_lock(the_owner text, the_kind text) returns bigint
  language sql immutable parallel safe
  return hashtextextended('taxonomy ' || the_kind || ' ' || the_owner, 0);

create table taxonomy_terms (
  owner_id ulid not null constraint taxonomy_term_owner_exists references accounts,
  term_id ulid not null,
  kind text collate "C" not null
    constraint taxonomy_term_kind_known check (kind in ('TAG', 'CATEGORY')),
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- Null while active.
  deactivated_at timestamptz(3),
  -- The tag that this one was merged into, with its names and records.
  merged_into ulid constraint taxonomy_merged_is_inactive_tag check (
    merged_into is null
    or (kind = 'TAG' and deactivated_at is not null and merged_into <> term_id)),
  parent_id ulid
    constraint taxonomy_parent_of_category check (parent_id is null or kind = 'CATEGORY'),
  color text constraint taxonomy_color_shape check (color ~ '^#[0-9A-Fa-f]{6}$'),
  sort_order integer
    constraint taxonomy_sort_order_range check (sort_order between 0 and 1000000),
  name text not null constraint taxonomy_name_length check (char_length(name) between 1 and 64),
  aliases json not null constraint taxonomy_aliases_listed check (
    case json_typeof(aliases) when 'array' then json_array_length(aliases) <= 50 else false end),
  description text
    constraint taxonomy_description_length check (char_length(description) <= 100000),
  primary key (owner_id, term_id),
  -- Lists walk in this order too.
  constraint taxonomy_terms_of_a_kind unique (kind, owner_id, term_id),
  -- Deferred, because a restore inserts terms in the order of their identifiers.
  constraint taxonomy_parent_exists foreign key (owner_id, kind, parent_id)
    references taxonomy_terms (owner_id, kind, term_id) deferrable initially deferred,
  constraint taxonomy_merged_into_exists foreign key (owner_id, kind, merged_into)
    references taxonomy_terms (owner_id, kind, term_id) deferrable initially deferred
);
-- Lists walk in creation order: over active terms, inactive ones, or all of a kind (the constraint above).
create index taxonomy_terms_active on taxonomy_terms (kind, owner_id, term_id)
  where deactivated_at is null;
create index taxonomy_terms_inactive on taxonomy_terms (kind, owner_id, term_id)
  where deactivated_at is not null;
create index taxonomy_categories_below on taxonomy_terms (parent_id, owner_id, term_id)
  where parent_id is not null;

create table taxonomy_term_revisions (
  owner_id ulid not null,
  term_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint taxonomy_change_known check (change in (
    'CREATED', 'CHANGED', 'RENAMED', 'MOVED', 'DEACTIVATED', 'REACTIVATED', 'MERGED')),
  created_at timestamptz(3) not null,
  deactivated_at timestamptz(3),
  merged_into ulid,
  parent_id ulid,
  color text,
  sort_order integer,
  name text not null,
  aliases json not null,
  description text,
  constraint taxonomy_change_fits check (
    (change = 'CREATED') = (revision = 1)
    and (change <> 'DEACTIVATED' or deactivated_at is not null)
    and (change <> 'REACTIVATED' or deactivated_at is null)
    and (change = 'MERGED') = (merged_into is not null)),
  constraint taxonomy_revision_is_projected foreign key (owner_id, term_id, revision)
    references record_revisions (owner_id, record_id, revision)
);
call make_revisions('taxonomy_terms', 'taxonomy_term_revisions', 'term_id', '{kind}');

create trigger merged_for_ever before update on taxonomy_terms
  for each row when (old.merged_into is not null)
  execute function refuse('PRS04', 'a merged tag stays as it is');
alter table taxonomy_terms enable always trigger merged_for_ever;

-- Every name and alias in use, unique per owner and kind. Merged tags have none.
create table taxonomy_names (
  owner_id ulid not null,
  kind text collate "C" not null,
  -- The folded name, computed by the service, because the engines have different versions of Unicode.
  compared text collate "C" not null,
  term_id ulid not null,
  -- 0 for the name; from 1 on the aliases in order.
  position integer not null constraint taxonomy_name_position check (position >= 0),
  spelling text not null,
  primary key (owner_id, kind, compared),
  constraint taxonomy_name_of_term foreign key (owner_id, kind, term_id)
    references taxonomy_terms (owner_id, kind, term_id),
  constraint taxonomy_name_place unique (term_id, owner_id, position)
);
create trigger come_and_go before update or truncate on taxonomy_names
  for each statement execute function refuse('PRS01', 'names come and go, and never change');
alter table taxonomy_names enable always trigger come_and_go;

-- When a transaction ends, the names of a term are its name and its aliases, one by one …
create function taxonomy_name_is_of_term() returns trigger language plpgsql as $$
declare
  term taxonomy_terms;
  present text;
begin
  select * into term from taxonomy_terms t
    where t.owner_id = new.owner_id and t.term_id = new.term_id;
  -- The same transaction may have removed the name again.
  select n.spelling into present from taxonomy_names n
    where n.owner_id = new.owner_id and n.term_id = new.term_id and n.position = new.position;
  if found and (term.merged_into is not null or present is distinct from
      case new.position when 0 then term.name else term.aliases ->> (new.position - 1) end) then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_names: the name is not one of its term''s';
  end if;
  return null;
end $$;
call pin_search_path('taxonomy_name_is_of_term()');
create constraint trigger taxonomy_name_is_of_term after insert on taxonomy_names
  deferrable initially deferred for each row execute function taxonomy_name_is_of_term();
alter table taxonomy_names enable always trigger taxonomy_name_is_of_term;

-- … and all of them.
create function taxonomy_term_has_names() returns trigger language plpgsql as $$
declare
  the_owner ulid;
  the_term ulid;
begin
  if tg_op = 'DELETE' then
    the_owner := old.owner_id;
    the_term := old.term_id;
  else
    the_owner := new.owner_id;
    the_term := new.term_id;
  end if;
  if (
    select case when t.merged_into is null
             then array[t.name] || array(select json_array_elements_text(t.aliases)) else '{}' end
      from taxonomy_terms t where t.owner_id = the_owner and t.term_id = the_term
  ) is distinct from array(
    select n.spelling from taxonomy_names n
     where n.owner_id = the_owner and n.term_id = the_term order by n.position
  ) then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_terms: the names of a term are not its name and its aliases';
  end if;
  return null;
end $$;
call pin_search_path('taxonomy_term_has_names()');
create constraint trigger taxonomy_new_term_has_names after insert on taxonomy_terms
  deferrable initially deferred for each row execute function taxonomy_term_has_names();
create constraint trigger taxonomy_term_has_names after update on taxonomy_terms
  deferrable initially deferred for each row when (
    (new.name, new.aliases::text, new.merged_into)
      is distinct from (old.name, old.aliases::text, old.merged_into))
  execute function taxonomy_term_has_names();
create constraint trigger taxonomy_term_has_names after delete on taxonomy_names
  deferrable initially deferred for each row execute function taxonomy_term_has_names();
alter table taxonomy_terms enable always trigger taxonomy_new_term_has_names;
alter table taxonomy_terms enable always trigger taxonomy_term_has_names;
alter table taxonomy_names enable always trigger taxonomy_term_has_names;

-- When a transaction ends, no category is below itself or on a ninth level, and the parent of an active one
-- is active. The tree lock ensures that for concurrent transactions.
create function taxonomy_category_fits_tree() returns trigger language plpgsql as $$
declare
  category taxonomy_terms;
  is_active boolean;
  levels integer := 0;
  above ulid := new.term_id;
begin
  while above is not null and levels <= 8 loop
    select * into category from taxonomy_terms t
      where t.owner_id = new.owner_id and t.term_id = above;
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
create constraint trigger taxonomy_new_category_fits_tree after insert on taxonomy_terms
  deferrable initially deferred for each row when (new.parent_id is not null)
  execute function taxonomy_category_fits_tree();
create constraint trigger taxonomy_category_fits_tree after update on taxonomy_terms
  deferrable initially deferred for each row when (
    new.kind = 'CATEGORY'
    and (new.parent_id, new.deactivated_at) is distinct from (old.parent_id, old.deactivated_at))
  execute function taxonomy_category_fits_tree();
alter table taxonomy_terms enable always trigger taxonomy_new_category_fits_tree;
alter table taxonomy_terms enable always trigger taxonomy_category_fits_tree;

-- Terms of records. The row remains when its record no longer carries the term.
create table taxonomy_assignments (
  owner_id ulid not null,
  assignment_id ulid not null,
  -- If the tag was merged, the one that it was merged into.
  term_id ulid not null,
  module_code text collate "C" not null
    constraint taxonomy_terms_carry_no_terms check (module_code <> 'taxonomy'),
  record_id ulid not null,
  assigned_at timestamptz(3) not null,
  removed_at timestamptz(3),
  primary key (owner_id, assignment_id),
  constraint taxonomy_assignment_times_ordered check (removed_at >= assigned_at),
  constraint taxonomy_assignment_of_term foreign key (owner_id, term_id) references taxonomy_terms,
  constraint taxonomy_assignment_of_record foreign key (owner_id, record_id) references records
);
create index taxonomy_assignments_of_a_term
  on taxonomy_assignments (term_id, owner_id, assignment_id) where removed_at is null;
create index taxonomy_assignments_of_a_record
  on taxonomy_assignments (record_id, owner_id, assignment_id) where removed_at is null;
create unique index taxonomy_assignment_once
  on taxonomy_assignments (record_id, term_id, owner_id) where removed_at is null;
call make_permanent('taxonomy_assignments');
-- A change ends an assignment or names another term. Neither adds content, so changes are not counted.
call count_rows_of('taxonomy_assignments');
create trigger fixed_columns before update on taxonomy_assignments
  for each row when (
    (new.owner_id, new.assignment_id, new.module_code, new.record_id, new.assigned_at)
      is distinct from
    (old.owner_id, old.assignment_id, old.module_code, old.record_id, old.assigned_at))
  execute function refuse('PRS04', 'owner, identifier, record and time of assignment are fixed');
alter table taxonomy_assignments enable always trigger fixed_columns;
create trigger removed_for_ever before update on taxonomy_assignments
  for each row when (old.removed_at is not null)
  execute function refuse('PRS04', 'a removed assignment stays as it is');
alter table taxonomy_assignments enable always trigger removed_for_ever;

create function taxonomy_assignment_matches_record() returns trigger language plpgsql as $$
begin
  if new.module_code is distinct from (
    select module_code from records r
     where r.owner_id = new.owner_id and r.record_id = new.record_id
  ) then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_assignments: the record is of another module';
  end if;
  return null;
end $$;
call pin_search_path('taxonomy_assignment_matches_record()');
create trigger taxonomy_assignment_matches_record after insert on taxonomy_assignments
  for each row execute function taxonomy_assignment_matches_record();
alter table taxonomy_assignments enable always trigger taxonomy_assignment_matches_record;

-- When a transaction ends, no record carries a merged tag, and only a merge has changed the tag of an
-- assignment. The next guard checks the same from the tag's side.
create function taxonomy_assignment_follows_merge() returns trigger language plpgsql as $$
declare
  assignment taxonomy_assignments;
  target ulid;
begin
  if tg_op = 'UPDATE' and new.term_id <> old.term_id then
    select t.merged_into into target from taxonomy_terms t
      where t.owner_id = old.owner_id and t.term_id = old.term_id;
    if target is distinct from new.term_id then
      raise exception using errcode = 'PRS04',
        message = 'taxonomy_assignments: the term changes by a merge alone';
    end if;
  end if;
  select * into assignment from taxonomy_assignments a
    where a.owner_id = new.owner_id and a.assignment_id = new.assignment_id;
  select t.merged_into into target from taxonomy_terms t
    where t.owner_id = assignment.owner_id and t.term_id = assignment.term_id;
  if assignment.removed_at is null and target is not null then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_assignments: a record carries a merged tag';
  end if;
  return null;
end $$;
call pin_search_path('taxonomy_assignment_follows_merge()');
create constraint trigger taxonomy_assignment_follows_merge
  after insert or update on taxonomy_assignments
  deferrable initially deferred for each row execute function taxonomy_assignment_follows_merge();
alter table taxonomy_assignments enable always trigger taxonomy_assignment_follows_merge;

create function taxonomy_merged_tag_is_bare() returns trigger language plpgsql as $$
begin
  if exists (select from taxonomy_assignments a
              where a.owner_id = new.owner_id and a.term_id = new.term_id
                and a.removed_at is null) then
    raise exception using errcode = 'PRS05',
      message = 'taxonomy_terms: a record carries a merged tag';
  end if;
  return null;
end $$;
call pin_search_path('taxonomy_merged_tag_is_bare()');
create constraint trigger taxonomy_merged_tag_is_bare after update on taxonomy_terms
  deferrable initially deferred for each row
  when (new.merged_into is not null and old.merged_into is null)
  execute function taxonomy_merged_tag_is_bare();
alter table taxonomy_terms enable always trigger taxonomy_merged_tag_is_bare;
