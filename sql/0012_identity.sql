-- Identity. Every write locks the profile's root first.

-- True if `part` is a subsequence of `whole` without repeated entries.
create function is_sublist(part text[], whole text[]) returns boolean
language sql immutable strict parallel safe as $$
  select part = array(
    select name from unnest(whole) with ordinality as entries (name, place)
     where name = any (part) order by place)
$$;

create table identity_profiles (
  owner_id ulid not null constraint identity_profile_owner_exists references accounts,
  profile_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  display_name text not null
    constraint profile_name_length check (char_length(display_name) between 1 and 500),
  -- The current role: the text of the newest role, which `role_id` names; null without roles.
  role text constraint profile_role_length check (char_length(role) <= 500),
  role_id ulid,
  life_stage text,
  started_at timestamptz(3),
  ended_at timestamptz(3) constraint profile_period_ordered check (ended_at >= started_at),
  biography text constraint profile_biography_length check (char_length(biography) <= 100000),
  public_summary text
    constraint profile_summary_length check (char_length(public_summary) <= 100000),
  tags json constraint profile_tags_listed check (json_typeof(tags) = 'array'),
  constraint one_profile_an_owner unique (owner_id),
  primary key (owner_id, profile_id)
);

create table identity_profile_revisions (
  owner_id ulid not null,
  profile_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint profile_change_known
    check (change in ('CREATED', 'MODIFIED', 'ROLE_CHANGED', 'IMPORTED')),
  created_at timestamptz(3) not null,
  display_name text not null,
  role text,
  role_id ulid,
  life_stage text,
  started_at timestamptz(3),
  ended_at timestamptz(3),
  biography text,
  public_summary text,
  tags json,
  constraint profile_change_fits check (
    (change = 'CREATED') = (revision = 1) and (change <> 'ROLE_CHANGED' or role_id is not null)
  ),
  -- Allows a reference to a revision without naming the profile.
  constraint profile_revision_of_owner unique (owner_id, revision)
);
call make_revisions('identity_profiles', 'identity_profile_revisions', 'profile_id', '{}');

-- The newest role has the latest `changed_at`, and among equal ones the greatest identifier (entered last).
create table identity_roles (
  owner_id ulid not null,
  role_id ulid not null,
  role text not null constraint role_length check (char_length(role) between 1 and 500),
  changed_at timestamptz(3) not null,
  reason text constraint role_reason_length check (char_length(reason) <= 100000),
  -- The profile's revision that this role created; null if it was not the newest.
  profile_revision integer,
  created_at timestamptz(3) not null
      constraint role_not_in_the_future check (changed_at <= created_at + interval '5 minutes'),
  constraint role_of_profile foreign key (owner_id) references identity_profiles (owner_id),
  constraint role_of_revision foreign key (owner_id, profile_revision)
    references identity_profile_revisions (owner_id, revision),
  primary key (owner_id, role_id)
);
create index identity_roles_by_time on identity_roles (owner_id, changed_at, role_id);
call make_append_only('identity_roles');
call count_rows_of('identity_roles');
alter table identity_profile_revisions add constraint profile_role_exists
  foreign key (owner_id, role_id) references identity_roles deferrable initially deferred;

-- When a transaction ends, the profile has the newest role.
create function profile_has_newest_role() returns trigger language plpgsql as $$
declare
  profile identity_profiles;
  newest identity_roles;
begin
  select * into profile from identity_profiles p where p.owner_id = new.owner_id;
  select * into newest from identity_roles r
    where r.owner_id = new.owner_id order by r.changed_at desc, r.role_id desc limit 1;
  if found and (profile.role_id, profile.role) is distinct from (newest.role_id, newest.role) then
    raise exception using errcode = 'PRS05',
      message = 'identity_profiles: the role is not the newest one';
  end if;
  return null;
end $$;
call pin_search_path('profile_has_newest_role()');
create constraint trigger profile_has_newest_role after insert on identity_profile_revisions
  deferrable initially deferred for each row execute function profile_has_newest_role();
alter table identity_profile_revisions enable always trigger profile_has_newest_role;
create constraint trigger profile_has_newest_role after insert on identity_roles
  deferrable initially deferred for each row execute function profile_has_newest_role();
alter table identity_roles enable always trigger profile_has_newest_role;

-- Without an extension, a GiST exclusion constraint compares ranges but not texts: owners are ranges of one
-- identifier.
create type text_range as range (subtype = text, collation = "C");

create table identity_stages (
  owner_id ulid not null,
  stage_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  life_stage text not null,
  title text not null constraint stage_title_length check (char_length(title) between 1 and 200),
  started_at timestamptz(3) not null,
  -- The first moment after the stage; null while open.
  ended_at timestamptz(3) constraint stage_period_ordered check (ended_at > started_at),
  note text constraint stage_note_length check (char_length(note) <= 100000),
  constraint stage_of_profile foreign key (owner_id) references identity_profiles (owner_id),
  -- Two open stages overlap as well, because neither has an end.
  constraint stages_do_not_overlap exclude using gist (
    text_range(owner_id, owner_id, '[]') with =, tstzrange(started_at, ended_at) with &&
  ) where (archived_at is null),
  primary key (owner_id, stage_id)
);
-- Lists walk in creation order, over live stages, archived ones, or all (the primary key).
create index identity_stages_live_by_creation on identity_stages (owner_id, stage_id)
  where archived_at is null;
create index identity_stages_archived_by_creation on identity_stages (owner_id, stage_id)
  where archived_at is not null;

create table identity_stage_revisions (
  owner_id ulid not null,
  stage_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint stage_change_known
    check (change in ('CREATED', 'MODIFIED', 'ARCHIVED', 'RESTORED')),
  created_at timestamptz(3) not null,
  archived_at timestamptz(3),
  life_stage text not null,
  title text not null,
  started_at timestamptz(3) not null,
  ended_at timestamptz(3),
  note text,
  constraint stage_change_fits check (
    (change = 'CREATED') = (revision = 1)
    and (change <> 'ARCHIVED' or archived_at is not null)
    and (change <> 'RESTORED' or archived_at is null)
  )
);
call make_revisions('identity_stages', 'identity_stage_revisions', 'stage_id', '{}');

-- A snapshot names the profile's revision that it freezes, or has its own fields.
create table identity_snapshots (
  owner_id ulid not null,
  snapshot_id ulid not null,
  label text not null constraint snapshot_label_length check (char_length(label) between 1 and 200),
  as_of timestamptz(3),
  profile_revision integer,
  display_name text
    constraint snapshot_name_length check (char_length(display_name) between 1 and 500),
  role text constraint snapshot_role_length check (char_length(role) <= 500),
  life_stage text,
  started_at timestamptz(3),
  ended_at timestamptz(3) constraint snapshot_period_ordered check (ended_at >= started_at),
  biography text constraint snapshot_biography_length check (char_length(biography) <= 100000),
  public_summary text
    constraint snapshot_summary_length check (char_length(public_summary) <= 100000),
  tags json constraint snapshot_tags_listed check (json_typeof(tags) = 'array'),
  created_at timestamptz(3) not null
    constraint snapshot_not_in_the_future check (as_of <= created_at + interval '5 minutes'),
  constraint snapshot_has_one_source check (
    (profile_revision is null) = (num_nonnulls(display_name, role, life_stage, started_at, ended_at,
                                               biography, public_summary, tags) > 0)
  ),
  constraint snapshot_of_profile foreign key (owner_id) references identity_profiles (owner_id),
  constraint snapshot_of_revision foreign key (owner_id, profile_revision)
    references identity_profile_revisions (owner_id, revision),
  primary key (owner_id, snapshot_id)
);
call make_append_only('identity_snapshots');
call count_rows_of('identity_snapshots');

-- A comparison names both sides and stores no values, because neither side can change.
create table identity_comparisons (
  owner_id ulid not null,
  -- The identifier of its execution.
  comparison_id ulid not null,
  left_revision integer,
  left_snapshot_id ulid,
  right_revision integer,
  right_snapshot_id ulid,
  created_at timestamptz(3) not null,
  constraint comparison_has_two_sides check (
    num_nonnulls(left_revision, left_snapshot_id) = 1
    and num_nonnulls(right_revision, right_snapshot_id) = 1
  ),
  constraint comparison_is_execution foreign key (owner_id, comparison_id) references executions,
  constraint comparison_of_left_revision foreign key (owner_id, left_revision)
    references identity_profile_revisions (owner_id, revision),
  constraint comparison_of_right_revision foreign key (owner_id, right_revision)
    references identity_profile_revisions (owner_id, revision),
  constraint comparison_of_left_snapshot foreign key (owner_id, left_snapshot_id)
    references identity_snapshots,
  constraint comparison_of_right_snapshot foreign key (owner_id, right_snapshot_id)
    references identity_snapshots,
  primary key (owner_id, comparison_id)
);
call make_append_only('identity_comparisons');
call count_rows_of('identity_comparisons');

-- A published slug belongs to its owner forever, on the whole server.
create table identity_slugs (
  slug text collate "C" not null constraint slug_shape
    check (slug ~ '^[a-z0-9-]{3,64}$' and slug not in ('publish', 'refresh', 'revoke')),
  owner_id ulid not null,
  created_at timestamptz(3) not null,
  constraint slug_of_profile foreign key (owner_id) references identity_profiles (owner_id),
  constraint slug_of_one_owner unique (slug),
  primary key (owner_id, slug)
);
call make_append_only('identity_slugs');
call count_rows_of('identity_slugs');

create table identity_publications (
  owner_id ulid not null,
  publication_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  slug text collate "C" not null,
  fields text[] not null constraint publication_fields_public check (
    cardinality(fields) > 0 and is_sublist(
      fields, '{displayName, currentRole, lifeStage, publicSummary, tags}')
  ),
  state text not null
    constraint publication_state_known check (state in ('PUBLISHED', 'REVOKED')),
  profile_revision integer not null,
  published_at timestamptz(3) not null
    constraint publication_not_before_creation check (published_at >= created_at),
  revoked_at timestamptz(3)
    constraint publication_state_fits check ((revoked_at is not null) = (state = 'REVOKED')),
  constraint publication_slug_of_owner foreign key (owner_id, slug)
    references identity_slugs,
  constraint publication_of_revision foreign key (owner_id, profile_revision)
    references identity_profile_revisions (owner_id, revision),
  constraint one_publication_an_owner unique (owner_id),
  primary key (owner_id, publication_id)
);

create table identity_publication_revisions (
  owner_id ulid not null,
  publication_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint publication_change_known
    check (change in ('CREATED', 'PUBLISHED', 'REFRESHED', 'REVOKED')),
  created_at timestamptz(3) not null,
  slug text collate "C" not null,
  fields text[] not null,
  state text not null,
  profile_revision integer not null,
  published_at timestamptz(3) not null,
  revoked_at timestamptz(3),
  constraint publication_change_fits check (
    (change = 'CREATED') = (revision = 1) and (change = 'REVOKED') = (state = 'REVOKED')
  )
);
call make_revisions(
  'identity_publications', 'identity_publication_revisions', 'publication_id', '{}');

-- The fields to release one day, to whom and when, in words for people. The service never acts on them.
create table identity_legacy_plans (
  owner_id ulid not null,
  plan_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  recipient_description text not null constraint legacy_plan_recipient_length
    check (char_length(recipient_description) between 1 and 100000),
  release_condition text not null constraint legacy_plan_condition_length
    check (char_length(release_condition) between 1 and 100000),
  instructions text
    constraint legacy_plan_instructions_length check (char_length(instructions) <= 100000),
  fields text[] not null constraint legacy_plan_fields_known check (
    cardinality(fields) > 0 and is_sublist(
      fields, '{displayName, currentRole, lifeStage, startedAt, endedAt, biography, publicSummary, tags}')
  ),
  constraint legacy_plan_of_profile foreign key (owner_id) references identity_profiles (owner_id),
  constraint one_legacy_plan_an_owner unique (owner_id),
  primary key (owner_id, plan_id)
);

create table identity_legacy_plan_revisions (
  owner_id ulid not null,
  plan_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint legacy_plan_change_known
    check (change = case revision when 1 then 'CREATED' else 'REPLACED' end),
  created_at timestamptz(3) not null,
  recipient_description text not null,
  release_condition text not null,
  instructions text,
  fields text[] not null
);
call make_revisions('identity_legacy_plans', 'identity_legacy_plan_revisions', 'plan_id', '{}');

-- A drill names the revisions of plan and profile that it read.
create table identity_legacy_drills (
  owner_id ulid not null,
  -- The identifier of its execution.
  drill_id ulid not null,
  plan_id ulid not null,
  plan_revision integer not null,
  profile_revision integer not null,
  created_at timestamptz(3) not null,
  constraint legacy_drill_is_execution foreign key (owner_id, drill_id) references executions,
  constraint legacy_drill_of_plan_revision foreign key (owner_id, plan_id, plan_revision)
    references identity_legacy_plan_revisions (owner_id, plan_id, revision),
  constraint legacy_drill_of_profile_revision foreign key (owner_id, profile_revision)
    references identity_profile_revisions (owner_id, revision),
  primary key (owner_id, drill_id)
);
call make_append_only('identity_legacy_drills');
call count_rows_of('identity_legacy_drills');
