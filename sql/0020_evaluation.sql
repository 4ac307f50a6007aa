-- Evaluations of people: what a provider proposed, each step of a proposal, and what the owner confirmed
-- of it. The tables come before `people` in a restore, as the other ledgers of a person do.

create table person_proposals (
  owner_id ulid not null,
  proposal_id ulid not null,
  person_id ulid not null,
  created_at timestamptz(3) not null,
  -- Whether the owner's words may go to a provider outside of the service.
  provider_consent boolean not null,
  source_digest text not null
    constraint proposal_digest_shape check (source_digest ~ '^[0-9a-f]{64}$'),
  -- The revision of the person that the digest took.
  source_revision integer not null,
  -- The evidence that the digest took: a list of identifiers.
  sources json not null
    constraint proposal_sources_listed check (json_typeof(sources) = 'array'),
  state text not null constraint proposal_state_known check (
    state in ('REQUESTED', 'READY', 'CONFIRMED', 'REJECTED', 'EXPIRED', 'STALE')),
  -- The claims that were made of it, but for those that were given back.
  attempts integer not null constraint proposal_attempts_range check (attempts between 0 and 5),
  -- The claim of the worker that has it now; null between two claims.
  lease_id ulid constraint proposal_lease_fits
    check (lease_id is null or (state = 'REQUESTED' and attempts > 0)),
  -- From when on a worker may claim it: the end of its lease, or of the pause after a failure.
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
-- After the fifth attempt a proposal stays requested, and makes room.
create unique index one_open_proposal_a_person on person_proposals (owner_id, person_id)
  where state = 'READY' or (state = 'REQUESTED' and (attempts < 5 or lease_id is not null));
-- The worker walks over those of all owners.
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
  -- A proposal comes to a state once, and leaves it once.
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
  -- The revision of the person that the evaluation has appended.
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

-- What was reserved for them: the root's newest evaluation, the revision and the line of the timeline.
alter table people
  drop constraint person_evaluation_reserved,
  add constraint person_evaluation_exists
    foreign key (owner_id, person_id, current_evaluation_revision)
    references person_evaluations (owner_id, person_id, evaluation_revision)
    deferrable initially deferred;
alter table person_revisions
  drop constraint person_revision_evaluation_reserved,
  drop constraint person_change_known,
  add constraint person_change_known check (change in (
    'CREATED', 'MODIFIED', 'STATUS_CHANGED', 'ARCHIVED', 'RESTORED', 'CONTACT_RECORDED',
    'CONTACT_RETRACTED', 'EVALUATION_CONFIRMED'));
alter table person_timeline_entries
  drop constraint timeline_kind_known,
  add constraint timeline_kind_known check (kind in (
    'CONTACT_RECORDED', 'CONTACT_RETRACTED', 'EXPERIENCE_RECORDED', 'STATUS_CHANGED',
    'EVALUATION_CONFIRMED'));

-- A proposal moves until it is decided, expired or stale; what it was asked of never changes.
call make_permanent('person_proposals');
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
-- A claim is an attempt of its own, and a claim that is given back is none.
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

-- Not even a claim is written about an archived or sealed person.
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

-- When a transaction ends, a proposal is in the state that its last event names.
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

-- An evaluation is the candidate of its proposal, word for word.
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

-- As before, with the line of an evaluation.
create or replace function timeline_entry_fits_source() returns trigger language plpgsql as $$
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

-- As before, with the revision of an evaluation: it alone changes which evaluation is the newest.
create or replace function person_revision_has_its_entry() returns trigger language plpgsql as $$
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

create constraint trigger proposal_state_is_its_last_event
  after insert or update of state on person_proposals deferrable initially deferred
  for each row execute function proposal_state_is_its_last_event();
alter table person_proposals enable always trigger proposal_state_is_its_last_event;
call make_person_guard('proposal_state_is_its_last_event', 'person_proposal_events', '');
call make_person_guard('evaluation_is_its_candidate', 'person_evaluations', '');
call make_person_guard('person_entry_fits_revision', 'person_evaluations', $$'EVALUATION_CONFIRMED'$$);
call make_person_guard('person_entry_is_on_timeline', 'person_evaluations',
  $$'EVALUATION_CONFIRMED', 'evaluation_id'$$);

do $$
declare
  ledger text;
begin
  foreach ledger in array array['person_proposal_events', 'person_evaluations'] loop
    execute format('call make_append_only(%L)', ledger);
  end loop;
  foreach ledger in array array['person_proposals', 'person_proposal_events', 'person_evaluations']
  loop
    execute format(
      'create trigger person_takes_entries after insert on %1$s
         for each row execute function person_takes_entries()', ledger);
    execute format('alter table %s enable always trigger person_takes_entries', ledger);
  end loop;
end $$;
