-- Details of people: names, ways to reach them, dates, organizations, links to other people. A detail is
-- written once; a control ends it or raises its privacy. Each appends a revision of its person.

alter table person_revisions
  drop constraint person_change_known,
  add constraint person_change_known check (change in (
    'CREATED', 'MODIFIED', 'STATUS_CHANGED', 'ARCHIVED', 'RESTORED', 'CONTACT_RECORDED',
    'CONTACT_RETRACTED', 'EVALUATION_CONFIRMED', 'DETAIL_RECORDED', 'DETAIL_CONTROLLED'));

alter table step_up_proofs
  drop constraint step_up_purpose_known,
  add constraint step_up_purpose_known check (purpose in (
    'RELATIONSHIP_EVALUATION_CONFIRM', 'MEMORY_PRIVACY_DOWNGRADE', 'MEMORY_SECRET_EXPORT',
    'IDENTITY_LEGACY_DRILL', 'IDENTITY_PUBLISH', 'ACCOUNT_EXPORT', 'TOKEN_CREATE',
    'SECOND_FACTOR_CHANGE', 'PASSKEY_CHANGE', 'RELATIONSHIP_EXPORT'));

create table person_details (
  owner_id ulid not null,
  detail_id ulid not null,
  person_id ulid not null,
  -- The revision that the detail belongs to: the one that it appended, or the creation of the person.
  person_revision integer not null,
  kind text not null constraint detail_kind_known check (kind in (
    'NAME', 'PHONE', 'EMAIL', 'URL', 'HANDLE', 'ADDRESS', 'ORGANIZATION', 'DATE', 'LINK', 'OTHER')),
  -- In canonical form, so that the hash is over its text.
  value json not null constraint detail_value_is_object check (json_typeof(value) = 'object'),
  label text constraint detail_label_length check (char_length(label) between 1 and 64),
  preferred boolean not null,
  note text constraint detail_note_length check (char_length(note) <= 2000),
  -- The level when the detail was written. In byte order the names of the levels rise with the levels.
  privacy text collate "C" not null constraint detail_privacy_known
    check (privacy in ('NORMAL', 'PRIVATE', 'SECRET')),
  content_hash text not null constraint detail_hash_fits
    check (content_hash = encode(sha256(convert_to(value::text, 'UTF8')), 'hex')),
  recorded_at timestamptz(3) not null,
  -- The person that a link names.
  linked_person text collate "C"
    generated always as (case when kind = 'LINK' then value ->> 'personId' end) stored,
  constraint detail_of_revision foreign key (owner_id, person_id, person_revision)
    references person_revisions (owner_id, person_id, revision) deferrable initially deferred,
  constraint detail_links_person foreign key (owner_id, linked_person)
    references people deferrable initially deferred,
  constraint detail_links_another check (linked_person <> person_id),
  primary key (owner_id, detail_id)
);
create index person_details_of_a_person on person_details (owner_id, person_id, detail_id);
create index person_details_of_dates on person_details (owner_id, detail_id) where kind = 'DATE';

create table person_detail_controls (
  owner_id ulid not null,
  control_id ulid not null,
  person_id ulid not null,
  detail_id ulid not null,
  person_revision integer not null,
  kind text not null constraint detail_control_known
    check (kind in ('SUPERSEDED', 'RETRACTED', 'PRIVACY_RECLASSIFIED')),
  superseded_by ulid,
  privacy text collate "C" constraint detail_control_privacy_known
    check (privacy in ('NORMAL', 'PRIVATE', 'SECRET')),
  recorded_at timestamptz(3) not null,
  constraint detail_control_of_detail foreign key (owner_id, detail_id)
    references person_details deferrable initially deferred,
  constraint detail_superseded_by_detail foreign key (owner_id, superseded_by)
    references person_details deferrable initially deferred,
  constraint detail_control_of_revision foreign key (owner_id, person_id, person_revision)
    references person_revisions (owner_id, person_id, revision) deferrable initially deferred,
  constraint detail_not_superseded_by_itself check (superseded_by <> detail_id),
  constraint detail_control_parts check (
    (kind = 'SUPERSEDED') = (superseded_by is not null)
    and (kind = 'PRIVACY_RECLASSIFIED') = (privacy is not null)
  ),
  -- The controls of a detail are in the order of the revisions.
  constraint one_detail_control_a_revision unique (owner_id, detail_id, person_revision),
  primary key (owner_id, control_id)
);
-- A detail ends once: it is superseded or retracted.
create unique index one_end_a_detail on person_detail_controls (owner_id, detail_id)
  where kind <> 'PRIVACY_RECLASSIFIED';

-- A revision of these kinds comes with its entry, and changes nothing else that an entry explains.
create function person_revision_has_its_detail() returns trigger language plpgsql as $$
begin
  if not exists (
    select from person_revisions v
     where v.owner_id = new.owner_id and v.person_id = new.person_id
       and v.revision = new.revision - 1 and v.status = new.status
       and v.last_contact_at is not distinct from new.last_contact_at
  ) or not (case new.change
    when 'DETAIL_RECORDED' then exists (
      select from person_details d
       where d.owner_id = new.owner_id and d.person_id = new.person_id
         and d.person_revision = new.revision)
    else exists (
      select from person_detail_controls c
       where c.owner_id = new.owner_id and c.person_id = new.person_id
         and c.person_revision = new.revision)
  end) then
    raise exception using errcode = 'PRS05',
      message = 'person_revisions: the revision lacks the detail that explains it';
  end if;
  return null;
end $$;
call pin_search_path('person_revision_has_its_detail()');
create constraint trigger person_revision_has_its_detail after insert on person_revisions
  deferrable initially deferred
  for each row when (new.change in ('DETAIL_RECORDED', 'DETAIL_CONTROLLED'))
  execute function person_revision_has_its_detail();
alter table person_revisions enable always trigger person_revision_has_its_detail;

-- A control raises the effective privacy or ends its detail. What supersedes a detail is of its person and
-- kind, and has not ended itself.
create function detail_control_fits() returns trigger language plpgsql as $$
begin
  if not exists (
    select from person_details d
     where d.owner_id = new.owner_id and d.person_id = new.person_id and d.detail_id = new.detail_id
  ) then
    raise exception using errcode = 'PRS05', constraint = 'detail_control_of_person',
      message = 'person_detail_controls: the detail is of another person';
  end if;
  if new.privacy <= (
    select greatest(d.privacy, max(c.privacy))
      from person_details d left join person_detail_controls c
        on c.owner_id = d.owner_id and c.detail_id = d.detail_id
           and c.person_revision < new.person_revision
     where d.owner_id = new.owner_id and d.detail_id = new.detail_id
     group by d.privacy
  ) then
    raise exception using errcode = 'PRS05', constraint = 'detail_privacy_rises',
      message = 'person_detail_controls: the privacy does not rise';
  end if;
  if new.superseded_by is not null and not exists (
    select from person_details d join person_details s
        on s.owner_id = d.owner_id and s.detail_id = new.superseded_by
           and (s.person_id, s.kind) = (d.person_id, d.kind)
     where d.owner_id = new.owner_id and d.detail_id = new.detail_id and not exists (
       select from person_detail_controls c
        where c.owner_id = s.owner_id and c.detail_id = s.detail_id
          and c.kind <> 'PRIVACY_RECLASSIFIED' and c.person_revision <= new.person_revision)
  ) then
    raise exception using errcode = 'PRS05', constraint = 'detail_superseded_by_live',
      message = 'person_detail_controls: what supersedes the detail is of another kind, or has ended';
  end if;
  return null;
end $$;
call pin_search_path('detail_control_fits()');

-- A person has at most 200 details that have not ended.
create function person_details_are_few() returns trigger language plpgsql as $$
begin
  if (
    select count(*) from person_details d
     where d.owner_id = new.owner_id and d.person_id = new.person_id and not exists (
       select from person_detail_controls c
        where c.owner_id = d.owner_id and c.detail_id = d.detail_id
          and c.kind <> 'PRIVACY_RECLASSIFIED')
  ) > 200 then
    raise exception using errcode = 'PRS05', constraint = 'person_details_are_few',
      message = 'person_details: the person has 200 details';
  end if;
  return null;
end $$;
call pin_search_path('person_details_are_few()');

call make_person_guard('person_entry_fits_revision', 'person_details',
  $$'CREATED', 'DETAIL_RECORDED'$$);
call make_person_guard('person_entry_fits_revision', 'person_detail_controls',
  $$'DETAIL_CONTROLLED'$$);
call make_person_guard('detail_control_fits', 'person_detail_controls', '');
call make_person_guard('person_details_are_few', 'person_details', '');

do $$
declare
  ledger text;
begin
  foreach ledger in array array['person_details', 'person_detail_controls'] loop
    execute format('call make_append_only(%L)', ledger);
    execute format('call count_rows_of(%L)', ledger);
    execute format(
      'create trigger person_takes_entries after insert on %1$s
         for each row execute function person_takes_entries()', ledger);
    execute format('alter table %s enable always trigger person_takes_entries', ledger);
  end loop;
end $$;
