-- People, and the data about each. A guard that a request can violate names a constraint in its error, as a
-- table's constraint would.

create table people (
  owner_id ulid not null constraint person_owner_exists references accounts,
  person_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  person_name text not null
    constraint person_name_length check (char_length(person_name) between 1 and 200),
  relationship_type text not null,
  importance integer not null constraint person_importance_range check (importance between 1 and 5),
  -- Time of the newest contact that is not retracted.
  last_contact_at timestamptz(3),
  desired_contact_interval_days integer constraint person_contact_interval_range
    check (desired_contact_interval_days between 1 and 3650),
  opinion text constraint person_opinion_length check (char_length(opinion) <= 100000),
  evidence text constraint person_evidence_length check (char_length(evidence) <= 100000),
  counter_evidence text
    constraint person_counter_evidence_length check (char_length(counter_evidence) <= 100000),
  status text not null constraint person_status_known
    check (status in ('ACTIVE', 'PAUSED', 'ARCHIVED', 'SEALED')),
  -- The status that a restoration returns to.
  status_before text constraint person_status_before_known check (status_before in ('ACTIVE', 'PAUSED')),
  current_evaluation_revision integer,
  constraint person_archival_fits check (
    (status = 'ARCHIVED') = (status_before is not null)
    and (status <> 'ARCHIVED' or archived_at is not null)
    and (status not in ('ACTIVE', 'PAUSED') or archived_at is null)
  ),
  primary key (owner_id, person_id)
);

create table person_revisions (
  owner_id ulid not null,
  person_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint person_change_known check (change in (
    'CREATED', 'MODIFIED', 'STATUS_CHANGED', 'ARCHIVED', 'RESTORED', 'CONTACT_RECORDED',
    'CONTACT_RETRACTED', 'EVALUATION_CONFIRMED')),
  created_at timestamptz(3) not null,
  archived_at timestamptz(3),
  person_name text not null,
  relationship_type text not null,
  importance integer not null,
  last_contact_at timestamptz(3),
  desired_contact_interval_days integer,
  opinion text,
  evidence text,
  counter_evidence text,
  status text not null,
  status_before text,
  current_evaluation_revision integer,
  -- Only archiving a person leaves it archived, and only sealing it leaves it sealed.
  constraint person_change_fits check (
    (change = 'CREATED') = (revision = 1)
    and (change <> 'CREATED' or status = 'ACTIVE')
    and (change = 'ARCHIVED') = (status = 'ARCHIVED')
    and (status <> 'SEALED' or change = 'STATUS_CHANGED')
  ),
  constraint person_revision_is_projected foreign key (owner_id, person_id, revision)
    references record_revisions (owner_id, record_id, revision)
);
call make_revisions('people', 'person_revisions', 'person_id', '{}');

create function refuse_by_status() returns trigger language plpgsql as $$
begin
  raise exception using errcode = 'PRS02', constraint = 'person_status_allows',
    message = format('%s: %s', tg_table_name, tg_argv[0]);
end $$;

create trigger ended_for_good before update on people
  for each row when (old.status = 'SEALED')
  execute function refuse_by_status('a sealed person stays as it is');
alter table people enable always trigger ended_for_good;
-- An archived person can only return to its status before, or be sealed; any other can take any status.
create trigger status_moves before update on people
  for each row when (
    (old.status = 'ARCHIVED' and new.status not in (old.status_before, 'SEALED'))
    or (old.status <> 'ARCHIVED' and new.status = 'ARCHIVED'
        and new.status_before is distinct from old.status)
    or (new.status = 'SEALED' and new.archived_at is distinct from old.archived_at)
  )
  execute function refuse_by_status('no such move of the status');
alter table people enable always trigger status_moves;

-- The projection in the records shows only the name and the kind of relationship.
create function person_projection_fits() returns trigger language plpgsql as $$
begin
  if not exists (
    select from people p
      join records r on r.owner_id = p.owner_id and r.record_id = p.person_id
      join record_revisions v on v.owner_id = r.owner_id and v.record_id = r.record_id
     where p.owner_id = new.owner_id and p.person_id = new.person_id and v.revision = new.revision
       and (r.module_code, r.source_type, r.created_at, r.recorded_at, v.payload::text)
         = ('relationship', 'USER_INPUT', p.created_at, p.created_at, '{}')
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
create trigger person_projection_fits after insert on person_revisions
  for each row execute function person_projection_fits();
alter table person_revisions enable always trigger person_projection_fits;

-- The ledgers of a person. The end of this file assigns their guards.

create table person_status_events (
  owner_id ulid not null,
  event_id ulid not null,
  person_id ulid not null,
  person_revision integer not null,
  from_status text not null,
  to_status text not null,
  reason text constraint status_event_reason_length check (char_length(reason) <= 500),
  recorded_at timestamptz(3) not null,
  constraint status_event_of_revision foreign key (owner_id, person_id, person_revision)
    references person_revisions (owner_id, person_id, revision),
  -- The history walks in this order too.
  constraint one_status_event_a_revision unique (owner_id, person_id, person_revision),
  constraint status_event_moves check ((from_status, to_status) in (
    ('ACTIVE', 'PAUSED'), ('PAUSED', 'ACTIVE'), ('ACTIVE', 'ARCHIVED'), ('PAUSED', 'ARCHIVED'),
    ('ARCHIVED', 'ACTIVE'), ('ARCHIVED', 'PAUSED'), ('ACTIVE', 'SEALED'), ('PAUSED', 'SEALED'),
    ('ARCHIVED', 'SEALED'))),
  primary key (owner_id, person_id, event_id)
);

create table person_contacts (
  owner_id ulid not null,
  contact_id ulid not null,
  person_id ulid not null,
  person_revision integer not null,
  contacted_at timestamptz(3) not null,
  channel text not null constraint contact_channel_known
    check (channel in ('IN_PERSON', 'CALL', 'VIDEO', 'MESSAGE', 'EMAIL', 'LETTER', 'OTHER')),
  direction text not null constraint contact_direction_known
    check (direction in ('OUTGOING', 'INCOMING', 'MUTUAL')),
  note text constraint contact_note_length check (char_length(note) <= 100000),
  privacy text not null constraint contact_privacy_known
    check (privacy in ('NORMAL', 'PRIVATE', 'SECRET')),
  content_hash text constraint contact_hash_fits
    check (content_hash is not distinct from encode(sha256(convert_to(note, 'UTF8')), 'hex')),
  recorded_at timestamptz(3) not null,
  constraint contact_of_revision foreign key (owner_id, person_id, person_revision)
    references person_revisions (owner_id, person_id, revision) deferrable initially deferred,
  constraint one_contact_a_revision unique (owner_id, person_id, person_revision),
  primary key (owner_id, person_id, contact_id)
);
create index person_contacts_by_time on person_contacts (owner_id, person_id, contacted_at);

create table person_contact_controls (
  owner_id ulid not null,
  control_id ulid not null,
  person_id ulid not null,
  contact_id ulid not null,
  person_revision integer not null,
  kind text not null constraint contact_control_known check (kind = 'RETRACTED'),
  recorded_at timestamptz(3) not null,
  constraint contact_control_of_contact foreign key (owner_id, person_id, contact_id)
    references person_contacts,
  constraint contact_control_of_revision foreign key (owner_id, person_id, person_revision)
    references person_revisions (owner_id, person_id, revision) deferrable initially deferred,
  constraint one_contact_control_a_revision unique (owner_id, person_id, person_revision),
  -- A retraction is final.
  constraint one_control_a_contact unique (owner_id, person_id, contact_id),
  primary key (owner_id, person_id, control_id)
);

create table person_experiences (
  owner_id ulid not null,
  experience_id ulid not null,
  person_id ulid not null,
  title text not null constraint experience_title_length check (char_length(title) between 1 and 200),
  narrative text constraint experience_narrative_length check (char_length(narrative) <= 100000),
  occurred_at timestamptz(3),
  time_precision text not null constraint experience_time_precision_known check (time_precision in (
    'EXACT', 'DAY', 'MONTH', 'SEASON', 'YEAR', 'DECADE', 'LIFE_PERIOD', 'UNKNOWN')),
  time_text text constraint experience_time_text_length check (char_length(time_text) <= 500),
  privacy text not null constraint experience_privacy_known
    check (privacy in ('NORMAL', 'PRIVATE', 'SECRET')),
  content_hash text constraint experience_hash_fits
    check (content_hash is not distinct from encode(sha256(convert_to(narrative, 'UTF8')), 'hex')),
  recorded_at timestamptz(3) not null,
  constraint experience_of_person foreign key (owner_id, person_id) references people
    deferrable initially deferred,
  constraint experience_time_fits check (
    (time_precision not in ('EXACT', 'DAY') or occurred_at is not null)
    and (time_precision <> 'UNKNOWN' or occurred_at is null)
    and (time_precision <> 'LIFE_PERIOD' or time_text is not null)
  ),
  primary key (owner_id, person_id, experience_id)
);

create table person_evidence (
  owner_id ulid not null,
  evidence_id ulid not null,
  person_id ulid not null,
  stance text not null constraint evidence_stance_known check (stance in ('SUPPORTING', 'COUNTER')),
  content text not null
    constraint evidence_content_length check (char_length(content) between 1 and 100000),
  source_kind text not null constraint evidence_source_known
    check (source_kind in ('OBSERVATION', 'MESSAGE', 'RECORD', 'THIRD_PARTY', 'OTHER')),
  -- Not a foreign key: it may name a record that is not imported yet.
  source_ref ulid,
  -- The level when the entry was written. The levels' names rise in byte order.
  privacy text collate "C" not null constraint evidence_privacy_known
    check (privacy in ('NORMAL', 'PRIVATE', 'SECRET')),
  provider_consent boolean not null,
  content_hash text not null constraint evidence_hash_fits
    check (content_hash = encode(sha256(convert_to(content, 'UTF8')), 'hex')),
  recorded_at timestamptz(3) not null,
  constraint evidence_of_person foreign key (owner_id, person_id) references people
    deferrable initially deferred,
  constraint evidence_source_fits check ((source_kind = 'RECORD') = (source_ref is not null)),
  -- Evidence can be named without its person.
  constraint evidence_id_unique unique (evidence_id, owner_id),
  primary key (owner_id, person_id, evidence_id)
);

create table person_evidence_controls (
  owner_id ulid not null,
  control_id ulid not null,
  person_id ulid not null,
  evidence_id ulid not null,
  -- Counts the controls of all evidence about a person from 1.
  control_number integer not null
    constraint evidence_control_number_positive check (control_number >= 1),
  previous_number integer generated always as (nullif(control_number - 1, 0)) stored,
  kind text not null constraint evidence_control_known
    check (kind in ('SUPERSEDED', 'RETRACTED', 'PRIVACY_RECLASSIFIED')),
  superseded_by ulid,
  privacy text collate "C" constraint evidence_control_privacy_known
    check (privacy in ('NORMAL', 'PRIVATE', 'SECRET')),
  recorded_at timestamptz(3) not null,
  constraint evidence_control_of_evidence foreign key (owner_id, person_id, evidence_id)
    references person_evidence,
  constraint evidence_superseded_by_evidence foreign key (owner_id, person_id, superseded_by)
    references person_evidence,
  constraint evidence_not_superseded_by_itself check (superseded_by <> evidence_id),
  constraint evidence_control_parts check (
    (kind = 'SUPERSEDED') = (superseded_by is not null)
    and (kind = 'PRIVACY_RECLASSIFIED') = (privacy is not null)
  ),
  constraint evidence_control_number_unique unique (owner_id, person_id, control_number),
  constraint evidence_control_follows foreign key (owner_id, person_id, previous_number)
    references person_evidence_controls (owner_id, person_id, control_number),
  primary key (owner_id, person_id, control_id)
);
create index person_evidence_controls_of_an_entry
  on person_evidence_controls (owner_id, person_id, evidence_id);
-- An entry ends once: it is superseded or retracted.
create unique index one_end_an_evidence on person_evidence_controls (owner_id, person_id, evidence_id)
  where kind <> 'PRIVACY_RECLASSIFIED';

-- Proposals of evaluations, which a provider writes; the steps of each; and confirmed evaluations. A
-- proposal's state changes until it is decided, expired or stale; its request never changes.

create table person_proposals (
  owner_id ulid not null,
  proposal_id ulid not null,
  person_id ulid not null,
  created_at timestamptz(3) not null,
  -- Whether the owner's words may be sent to a provider outside the service.
  provider_consent boolean not null,
  source_digest text not null
    constraint proposal_digest_shape check (source_digest ~ '^[0-9a-f]{64}$'),
  source_revision integer not null,
  -- Identifiers of the evidence that the digest covers.
  sources json not null
    constraint proposal_sources_listed check (json_typeof(sources) = 'array'),
  state text not null constraint proposal_state_known check (
    state in ('REQUESTED', 'READY', 'CONFIRMED', 'REJECTED', 'EXPIRED', 'STALE')),
  -- Number of leases, except those that were returned.
  attempts integer not null constraint proposal_attempts_range check (attempts between 0 and 5),
  -- The current lease of a worker; or null.
  lease_id ulid constraint proposal_lease_fits
    check (lease_id is null or (state = 'REQUESTED' and attempts > 0)),
  -- When a worker may lease it again: the end of the lease, or of the pause after a failure.
  claimable_at timestamptz(3) not null,
  candidate text
    constraint proposal_candidate_length check (char_length(candidate) between 1 and 100000),
  provider text constraint proposal_provider_known check (provider in ('local-summary', 'http')),
  model text,
  ready_at timestamptz(3),
  expires_at timestamptz(3) constraint proposal_lasts check (expires_at > ready_at),
  -- When the owner confirmed or rejected it.
  decided_at timestamptz(3),
  evaluation_revision integer,
  constraint proposal_candidate_whole check (
    num_nulls(candidate, provider, ready_at, expires_at) in (0, 4)
    and coalesce(provider = 'http', false) = (model is not null)
    and (candidate is null or attempts > 0)
    and (candidate is null or state <> 'REQUESTED')
    and (candidate is not null or state in ('REQUESTED', 'STALE'))),
  constraint proposal_decision_fits check (
    (decided_at is not null) = (state in ('CONFIRMED', 'REJECTED'))
    and (evaluation_revision is not null) = (state = 'CONFIRMED')),
  constraint proposal_of_revision foreign key (owner_id, person_id, source_revision)
    references person_revisions (owner_id, person_id, revision) deferrable initially deferred,
  constraint one_proposal_an_evaluation unique (owner_id, person_id, evaluation_revision),
  primary key (owner_id, person_id, proposal_id)
);
-- After its fifth attempt a proposal stays REQUESTED, but another one may be requested.
create unique index one_open_proposal_a_person on person_proposals (owner_id, person_id)
  where state = 'READY' or (state = 'REQUESTED' and (attempts < 5 or lease_id is not null));
-- The worker walks over the proposals of all owners.
create index person_proposals_claimable
  on person_proposals (claimable_at, owner_id, person_id, proposal_id)
  where state = 'REQUESTED' and attempts < 5;

create table person_proposal_events (
  owner_id ulid not null,
  event_id ulid not null,
  person_id ulid not null,
  proposal_id ulid not null,
  from_state text,
  to_state text not null,
  reason text constraint proposal_event_reason_fits
    check (reason is null or (to_state = 'REJECTED' and char_length(reason) <= 500)),
  recorded_at timestamptz(3) not null,
  constraint proposal_event_moves check ((coalesce(from_state, ''), to_state) in (
    ('', 'REQUESTED'), ('REQUESTED', 'READY'), ('REQUESTED', 'STALE'), ('READY', 'CONFIRMED'),
    ('READY', 'REJECTED'), ('READY', 'EXPIRED'), ('READY', 'STALE'))),
  constraint event_of_proposal foreign key (owner_id, person_id, proposal_id)
    references person_proposals,
  -- A proposal enters a state once and leaves it once.
  constraint one_event_to_a_state unique (owner_id, person_id, proposal_id, to_state),
  constraint one_event_from_a_state unique (owner_id, person_id, proposal_id, from_state),
  constraint proposal_event_follows foreign key (owner_id, person_id, proposal_id, from_state)
    references person_proposal_events (owner_id, person_id, proposal_id, to_state),
  primary key (owner_id, person_id, proposal_id, event_id)
);

create table person_evaluations (
  owner_id ulid not null,
  evaluation_id ulid not null,
  person_id ulid not null,
  evaluation_revision integer not null
    constraint evaluation_revision_positive check (evaluation_revision >= 1),
  previous_revision integer generated always as (nullif(evaluation_revision - 1, 0)) stored,
  proposal_id ulid not null,
  origin text not null constraint evaluation_origin_known check (origin = 'USER_CONFIRMED'),
  text text not null,
  provider text not null,
  model text,
  source_digest text not null,
  source_revision integer not null,
  person_revision integer not null,
  recorded_at timestamptz(3) not null,
  constraint evaluation_revision_unique unique (owner_id, person_id, evaluation_revision),
  constraint evaluation_follows foreign key (owner_id, person_id, previous_revision)
    references person_evaluations (owner_id, person_id, evaluation_revision),
  constraint evaluation_of_proposal foreign key (owner_id, person_id, proposal_id)
    references person_proposals,
  constraint evaluation_of_revision foreign key (owner_id, person_id, person_revision)
    references person_revisions (owner_id, person_id, revision) deferrable initially deferred,
  constraint one_evaluation_a_revision unique (owner_id, person_id, person_revision),
  primary key (owner_id, person_id, evaluation_id)
);
alter table person_proposals add constraint proposal_made_evaluation
  foreign key (owner_id, person_id, evaluation_revision)
  references person_evaluations (owner_id, person_id, evaluation_revision)
  deferrable initially deferred;
alter table people add constraint person_evaluation_exists
  foreign key (owner_id, person_id, current_evaluation_revision)
  references person_evaluations (owner_id, person_id, evaluation_revision)
  deferrable initially deferred;

call make_permanent('person_proposals');
call count_rows_of('person_proposals');
call count_changes_of('person_proposals');
create trigger fixed_columns before update on person_proposals
  for each row when (
    (new.owner_id, new.person_id, new.proposal_id, new.created_at, new.provider_consent,
     new.source_digest, new.source_revision, new.sources::text)
      is distinct from
    (old.owner_id, old.person_id, old.proposal_id, old.created_at, old.provider_consent,
     old.source_digest, old.source_revision, old.sources::text)
  )
  execute function refuse('PRS04', 'what a proposal was requested with is fixed');
alter table person_proposals enable always trigger fixed_columns;
create trigger ended_for_good before update on person_proposals
  for each row when (old.state not in ('REQUESTED', 'READY'))
  execute function refuse('PRS04', 'an ended proposal stays as it is');
alter table person_proposals enable always trigger ended_for_good;
create trigger ready_for_good before update on person_proposals
  for each row when (
    old.state = 'READY' and (
      new.state in ('READY', 'REQUESTED')
      or (new.attempts, new.candidate, new.provider, new.model, new.ready_at, new.expires_at)
         is distinct from
         (old.attempts, old.candidate, old.provider, old.model, old.ready_at, old.expires_at))
  )
  execute function refuse('PRS04', 'a ready proposal ends with its candidate');
alter table person_proposals enable always trigger ready_for_good;
-- Each lease counts as one attempt, unless it is returned.
create trigger attempts_step before update on person_proposals
  for each row when (
    case
      when new.lease_id is distinct from old.lease_id and new.lease_id is not null
        then new.attempts <> old.attempts + 1
      when new.lease_id is distinct from old.lease_id
        then new.attempts not in (old.attempts, old.attempts - 1)
      else new.attempts <> old.attempts
    end
  )
  execute function refuse('PRS03', 'each claim is one attempt');
alter table person_proposals enable always trigger attempts_step;

-- Proposals of an archived or sealed person do not change, not even by a lease.
create function proposal_of_open_person() returns trigger language plpgsql as $$
begin
  if (
    select status from people p
     where p.owner_id = new.owner_id and p.person_id = new.person_id
  ) in ('ARCHIVED', 'SEALED') then
    raise exception using errcode = 'PRS02', constraint = 'person_status_allows',
      message = 'person_proposals: the person is archived or sealed';
  end if;
  return new;
end $$;
call pin_search_path('proposal_of_open_person()');
create trigger proposal_of_open_person before update on person_proposals
  for each row execute function proposal_of_open_person();
alter table person_proposals enable always trigger proposal_of_open_person;

create function proposal_sources_are_evidence() returns trigger language plpgsql as $$
begin
  if json_array_length(new.sources) <> (
    select count(distinct e.evidence_id)
      from json_array_elements_text(new.sources) source join person_evidence e
        on e.owner_id = new.owner_id and e.person_id = new.person_id and e.evidence_id = source
  ) then
    raise exception using errcode = 'PRS05',
      message = 'person_proposals: a source is no evidence about the person';
  end if;
  return null;
end $$;
call pin_search_path('proposal_sources_are_evidence()');
create trigger proposal_sources_are_evidence after insert on person_proposals
  for each row execute function proposal_sources_are_evidence();
alter table person_proposals enable always trigger proposal_sources_are_evidence;

create table person_timeline_entries (
  owner_id ulid not null,
  entry_id ulid not null,
  person_id ulid not null,
  kind text not null constraint timeline_kind_known check (kind in (
    'CONTACT_RECORDED', 'CONTACT_RETRACTED', 'EXPERIENCE_RECORDED', 'STATUS_CHANGED',
    'EVALUATION_CONFIRMED')),
  -- A contact, experience, status event or evaluation.
  source_id ulid not null,
  occurred_at timestamptz(3),
  recorded_at timestamptz(3) not null,
  constraint one_timeline_entry_a_source unique (owner_id, person_id, kind, source_id),
  primary key (owner_id, person_id, entry_id)
);
create index person_timeline_by_time
  on person_timeline_entries (owner_id, person_id, coalesce(occurred_at, recorded_at), entry_id);

-- The guards of the ledgers. Most foreign keys to people are deferred, so that a restore can insert ledger
-- rows before people, who may be archived or sealed: person_takes_entries accepts rows whose person does
-- not exist yet.

-- An entry prevents a change of the person's status until it is committed; an archived or sealed person
-- accepts no entries.
create function person_takes_entries() returns trigger language plpgsql as $$
declare
  present text;
begin
  select status into present from people p
    where p.owner_id = new.owner_id and p.person_id = new.person_id for no key update;
  if present in ('ARCHIVED', 'SEALED') then
    raise exception using errcode = 'PRS02', constraint = 'person_status_allows',
      message = format('%s: an archived or sealed person takes no entries', tg_table_name);
  end if;
  return null;
end $$;
call pin_search_path('person_takes_entries()');

-- The entry's revision of its person has one of the given kinds.
create function person_entry_fits_revision() returns trigger language plpgsql as $$
begin
  if not exists (
    select from person_revisions v
     where v.owner_id = new.owner_id and v.person_id = new.person_id
       and v.revision = new.person_revision and v.created_at = new.recorded_at
       and v.change = any (tg_argv)
  ) then
    raise exception using errcode = 'PRS05',
      message = format('%s: the revision is of another kind', tg_table_name);
  end if;
  return null;
end $$;
call pin_search_path('person_entry_fits_revision()');

-- The entry has its line in the timeline.
create function person_entry_is_on_timeline() returns trigger language plpgsql as $$
begin
  if not exists (
    select from person_timeline_entries t
     where t.owner_id = new.owner_id and t.person_id = new.person_id and t.kind = tg_argv[0]
       and t.source_id = to_jsonb(new) ->> tg_argv[1]
  ) then
    raise exception using errcode = 'PRS05',
      message = format('%s: the entry is missing in the timeline', tg_table_name);
  end if;
  return null;
end $$;
call pin_search_path('person_entry_is_on_timeline()');

-- A timeline line repeats the values of its source.
create function timeline_entry_fits_source() returns trigger language plpgsql as $$
begin
  if not (case new.kind
    when 'CONTACT_RECORDED' then exists (
      select from person_contacts c
       where c.owner_id = new.owner_id and c.person_id = new.person_id
         and c.contact_id = new.source_id
         and (c.contacted_at, c.recorded_at) = (new.occurred_at, new.recorded_at))
    when 'CONTACT_RETRACTED' then new.occurred_at is null and exists (
      select from person_contact_controls k
       where k.owner_id = new.owner_id and k.person_id = new.person_id
         and k.contact_id = new.source_id and k.recorded_at = new.recorded_at)
    when 'EXPERIENCE_RECORDED' then exists (
      select from person_experiences e
       where e.owner_id = new.owner_id and e.person_id = new.person_id
         and e.experience_id = new.source_id and e.recorded_at = new.recorded_at
         and e.occurred_at is not distinct from new.occurred_at)
    when 'STATUS_CHANGED' then new.occurred_at is null and exists (
      select from person_status_events s
       where s.owner_id = new.owner_id and s.person_id = new.person_id
         and s.event_id = new.source_id and s.recorded_at = new.recorded_at)
    when 'EVALUATION_CONFIRMED' then new.occurred_at is null and exists (
      select from person_evaluations e
       where e.owner_id = new.owner_id and e.person_id = new.person_id
         and e.evaluation_id = new.source_id and e.recorded_at = new.recorded_at)
  end) then
    raise exception using errcode = 'PRS05',
      message = 'person_timeline_entries: the entry differs from its source';
  end if;
  return null;
end $$;
call pin_search_path('timeline_entry_fits_source()');

-- A person's last contact is the newest one that is not retracted.
create function last_contact_is_newest() returns trigger language plpgsql as $$
begin
  if (
    select last_contact_at from people p
     where p.owner_id = new.owner_id and p.person_id = new.person_id
  ) is distinct from (
    select contacted_at from person_contacts c
     where c.owner_id = new.owner_id and c.person_id = new.person_id and not exists (
       select from person_contact_controls k
        where k.owner_id = c.owner_id and k.person_id = c.person_id and k.contact_id = c.contact_id)
     order by contacted_at desc limit 1
  ) then
    raise exception using errcode = 'PRS05',
      message = 'people: the last contact is not the newest one';
  end if;
  return null;
end $$;
call pin_search_path('last_contact_is_newest()');

-- A revision that changes the status, the last contact or the newest evaluation comes with the entry that
-- explains it, and no other revision changes them.
create function person_revision_has_its_entry() returns trigger language plpgsql as $$
declare
  previous person_revisions;
begin
  select * into previous from person_revisions v
    where v.owner_id = new.owner_id and v.person_id = new.person_id and v.revision = new.revision - 1;
  if not (case
    when new.change in ('STATUS_CHANGED', 'ARCHIVED', 'RESTORED') then
      new.last_contact_at is not distinct from previous.last_contact_at and exists (
        select from person_status_events e
         where e.owner_id = new.owner_id and e.person_id = new.person_id
           and e.person_revision = new.revision
           and (e.from_status, e.to_status) = (previous.status, new.status))
    when new.change = 'CONTACT_RETRACTED' then
      new.status = previous.status and exists (
        select from person_contact_controls k
         where k.owner_id = new.owner_id and k.person_id = new.person_id
           and k.person_revision = new.revision)
    when new.change = 'CONTACT_RECORDED' or (new.change = 'CREATED' and new.last_contact_at is not null) then
      new.status = coalesce(previous.status, new.status) and exists (
        select from person_contacts c
         where c.owner_id = new.owner_id and c.person_id = new.person_id
           and c.person_revision = new.revision)
    when new.change in ('MODIFIED', 'EVALUATION_CONFIRMED') then
      new.status = previous.status
      and new.last_contact_at is not distinct from previous.last_contact_at
    else true
  end and case new.change
    when 'EVALUATION_CONFIRMED' then
      new.current_evaluation_revision = coalesce(previous.current_evaluation_revision, 0) + 1
      and exists (
        select from person_evaluations e
         where e.owner_id = new.owner_id and e.person_id = new.person_id
           and e.person_revision = new.revision
           and e.evaluation_revision = new.current_evaluation_revision)
    else
      new.current_evaluation_revision is not distinct from previous.current_evaluation_revision
  end) then
    raise exception using errcode = 'PRS05',
      message = 'person_revisions: the revision lacks the entry that explains it';
  end if;
  return null;
end $$;
call pin_search_path('person_revision_has_its_entry()');

-- A control of evidence raises the effective privacy or ends its entry; an ended entry cannot supersede
-- another.
create function evidence_control_fits() returns trigger language plpgsql as $$
begin
  if new.privacy <= (
    select greatest(e.privacy, max(c.privacy))
      from person_evidence e left join person_evidence_controls c
        on c.owner_id = e.owner_id and c.person_id = e.person_id and c.evidence_id = e.evidence_id
           and c.control_number < new.control_number
     where e.owner_id = new.owner_id and e.person_id = new.person_id
       and e.evidence_id = new.evidence_id
     group by e.privacy
  ) then
    raise exception using errcode = 'PRS05', constraint = 'evidence_privacy_rises',
      message = 'person_evidence_controls: the privacy does not rise';
  end if;
  if exists (
    select from person_evidence_controls c
     where c.owner_id = new.owner_id and c.person_id = new.person_id
       and c.evidence_id = new.superseded_by
       and c.kind <> 'PRIVACY_RECLASSIFIED' and c.control_number < new.control_number
  ) then
    raise exception using errcode = 'PRS05', constraint = 'evidence_superseded_by_live',
      message = 'person_evidence_controls: what supersedes the entry has ended itself';
  end if;
  return null;
end $$;
call pin_search_path('evidence_control_fits()');

create function proposal_state_is_its_last_event() returns trigger language plpgsql as $$
begin
  if (
    select state from person_proposals p
     where p.owner_id = new.owner_id and p.person_id = new.person_id
       and p.proposal_id = new.proposal_id
  ) is distinct from (
    select to_state from person_proposal_events e
     where e.owner_id = new.owner_id and e.person_id = new.person_id
       and e.proposal_id = new.proposal_id and not exists (
         select from person_proposal_events n
          where n.owner_id = e.owner_id and n.person_id = e.person_id
            and n.proposal_id = e.proposal_id and n.from_state = e.to_state)
  ) then
    raise exception using errcode = 'PRS05',
      message = format('%s: the state is not that of the last event', tg_table_name);
  end if;
  return null;
end $$;
call pin_search_path('proposal_state_is_its_last_event()');

-- An evaluation is its proposal's candidate, word for word.
create function evaluation_is_its_candidate() returns trigger language plpgsql as $$
begin
  if not exists (
    select from person_proposals p
     where p.owner_id = new.owner_id and p.person_id = new.person_id
       and p.proposal_id = new.proposal_id and p.state = 'CONFIRMED'
       and (p.candidate, p.provider, p.source_digest, p.source_revision, p.evaluation_revision,
            p.decided_at)
         = (new.text, new.provider, new.source_digest, new.source_revision,
            new.evaluation_revision, new.recorded_at)
       and p.model is not distinct from new.model
  ) then
    raise exception using errcode = 'PRS05',
      message = 'person_evaluations: the evaluation differs from its proposal';
  end if;
  return null;
end $$;
call pin_search_path('evaluation_is_its_candidate()');

create procedure make_person_guard(guard name, ledger regclass, arguments text) language plpgsql as $$
begin
  execute format(
    'create constraint trigger %1$I after insert on %2$s deferrable initially deferred
       for each row execute function %1$I(%3$s)', guard, ledger, arguments);
  execute format('alter table %s enable always trigger %I', ledger, guard);
end $$;

call make_person_guard('person_revision_has_its_entry', 'person_revisions', '');
call make_person_guard('person_entry_fits_revision', 'person_status_events',
  $$'STATUS_CHANGED', 'ARCHIVED', 'RESTORED'$$);
call make_person_guard('person_entry_fits_revision', 'person_contacts', $$'CREATED', 'CONTACT_RECORDED'$$);
call make_person_guard('person_entry_fits_revision', 'person_contact_controls', $$'CONTACT_RETRACTED'$$);
call make_person_guard('last_contact_is_newest', 'person_contacts', '');
call make_person_guard('last_contact_is_newest', 'person_contact_controls', '');
call make_person_guard('evidence_control_fits', 'person_evidence_controls', '');
call make_person_guard('person_entry_is_on_timeline', 'person_status_events',
  $$'STATUS_CHANGED', 'event_id'$$);
call make_person_guard('person_entry_is_on_timeline', 'person_contacts',
  $$'CONTACT_RECORDED', 'contact_id'$$);
call make_person_guard('person_entry_is_on_timeline', 'person_contact_controls',
  $$'CONTACT_RETRACTED', 'contact_id'$$);
call make_person_guard('person_entry_is_on_timeline', 'person_experiences',
  $$'EXPERIENCE_RECORDED', 'experience_id'$$);
call make_person_guard('timeline_entry_fits_source', 'person_timeline_entries', '');
call make_person_guard('proposal_state_is_its_last_event', 'person_proposal_events', '');
call make_person_guard('evaluation_is_its_candidate', 'person_evaluations', '');
call make_person_guard('person_entry_fits_revision', 'person_evaluations', $$'EVALUATION_CONFIRMED'$$);
call make_person_guard('person_entry_is_on_timeline', 'person_evaluations',
  $$'EVALUATION_CONFIRMED', 'evaluation_id'$$);
create constraint trigger proposal_state_is_its_last_event
  after insert or update of state on person_proposals deferrable initially deferred
  for each row execute function proposal_state_is_its_last_event();
alter table person_proposals enable always trigger proposal_state_is_its_last_event;

do $$
declare
  ledger text;
begin
  foreach ledger in array array[
    'person_status_events', 'person_contacts', 'person_contact_controls', 'person_experiences',
    'person_evidence', 'person_evidence_controls', 'person_proposal_events', 'person_evaluations',
    'person_timeline_entries']
  loop
    execute format('call make_append_only(%L)', ledger);
    execute format('call count_rows_of(%L)', ledger);
  end loop;
  foreach ledger in array array[
    'person_contacts', 'person_contact_controls', 'person_experiences', 'person_evidence',
    'person_evidence_controls', 'person_proposals', 'person_proposal_events', 'person_evaluations']
  loop
    execute format(
      'create trigger person_takes_entries after insert on %1$s
         for each row execute function person_takes_entries()', ledger);
    execute format('alter table %s enable always trigger person_takes_entries', ledger);
  end loop;
end $$;

create trigger not_in_the_future before insert on person_contacts
  for each row when (new.contacted_at > new.recorded_at + interval '5 minutes')
  execute function refuse('PRS06', 'the contact lies in the future');
alter table person_contacts enable always trigger not_in_the_future;
create trigger not_in_the_future before insert on person_experiences
  for each row when (new.occurred_at > new.recorded_at + interval '5 minutes')
  execute function refuse('PRS06', 'the experience lies in the future');
alter table person_experiences enable always trigger not_in_the_future;
