-- The clock by which a person states a time: an offset from UTC, with or without a zone. A column `clocks` maps
-- members of the API to clocks such as `+09:00[Asia/Tokyo]`; null without any. The times stay in UTC, and a
-- local time follows from both. Rows from before have no clocks, so the constraints need no scan (`not valid`).

-- True for a clock whose local time is in the years 0001 to 9999.
create function is_clock(clock text, instant timestamptz) returns boolean
language plpgsql immutable parallel safe as $$
begin
  return clock ~ '^(?!-00:00)[+-]([01][0-9]|2[0-3]):[0-5][0-9](\[[A-Za-z][A-Za-z0-9_+/-]{0,63}\])?$'
    and instant at time zone 'UTC' + left(clock, 6)::interval hour to minute
      between timestamp '0001-01-01' and timestamp '9999-12-31 23:59:59.999';
end $$;
call pin_search_path('is_clock(text, timestamptz)');

-- True if each clock belongs to a time that is not null. `names` and `times` have the same order.
create function are_clocks(clocks json, names text[], times timestamptz[]) returns boolean
language plpgsql immutable strict parallel safe as $$
begin
  return json_typeof(clocks) = 'object' and (
    select count(*) > 0 and count(*) = count(distinct name)
           and bool_and(coalesce(is_clock(clock, times[array_position(names, name)]), false))
      from json_each_text(clocks) as each (name, clock));
end $$;
call pin_search_path('are_clocks(json, text[], timestamptz[])');

-- As are_clocks, for the times of a payload.
create function are_record_clocks(clocks json, payload json) returns boolean
language plpgsql immutable strict parallel safe as $$
declare
  names text[];
begin
  if json_typeof(clocks) <> 'object' then return false; end if;
  select array_agg(name) into names from json_object_keys(clocks) name
   where payload ->> name ~ '^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$';
  return are_clocks(
    clocks, names, (select array_agg((payload ->> name)::timestamptz) from unnest(names) name));
exception when datetime_field_overflow then
  return false;
end $$;
call pin_search_path('are_record_clocks(json, json)');

-- Processes of the release before write a revision without clocks and leave the root's clocks as they are. So
-- an update that states clocks also states their revision in `clocks_revision`; without it they are removed.
create function remove_former_clocks() returns trigger language plpgsql as $$
begin
  new.clocks := null;
  new.clocks_revision := null;
  return new;
end $$;

create procedure make_clocks_of_root(root regclass) language plpgsql as $$
begin
  execute format(
    'alter table %s add column if not exists clocks json,
       add column if not exists clocks_revision integer', root);
  execute format(
    'create or replace trigger former_clocks before update on %s
       for each row when (new.clocks is not null and new.clocks_revision is distinct from new.revision)
       execute function remove_former_clocks()', root);
  execute format('alter table %s enable always trigger former_clocks', root);
end $$;

-- Each member of `names` is the time of the same place in `times`.
create procedure make_clocks_of_ledger(ledger regclass, names text[], times name[])
language plpgsql as $$
declare
  rule name := (select relname from pg_class where oid = ledger) || '_clocks';
begin
  execute format(
    'alter table %1$s
       add column if not exists clocks json,
       drop constraint if exists %2$I,
       add constraint %2$I check (are_clocks(clocks, %3$L, array[%4$s])) not valid',
    ledger, rule, names, (select string_agg(format('%I', name), ', ') from unnest(times) name));
end $$;

-- Adds clocks to a root and its ledger. It can be called again after they got a time. `root_only` is as in
-- make_ledger_of_root.
create procedure make_clocks(root regclass, ledger regclass, id name, names text[], times name[],
                             root_only name[])
language plpgsql as $$
begin
  call make_clocks_of_root(root);
  call make_clocks_of_ledger(ledger, names, times);
  call make_ledger_of_root(ledger, root, id, root_only || name 'clocks_revision');
end $$;

call make_clocks('memories', 'memory_revisions', 'memory_id', '{occurredAt}', '{occurred_at}',
                 '{original_content}');
call make_clocks('decisions', 'decision_revisions', 'decision_id', '{decidedAt,reviewAt}',
                 '{decided_at,review_at}', '{}');
call make_clocks('decision_predictions', 'decision_prediction_revisions', 'prediction_id', '{dueAt}',
                 '{due_at}', '{decision_id}');
call make_clocks('decision_outcomes', 'decision_outcome_revisions', 'outcome_id', '{observedAt}',
                 '{observed_at}', '{decision_id,prediction_id,prediction_revision}');
call make_clocks('identity_profiles', 'identity_profile_revisions', 'profile_id',
                 '{startedAt,endedAt}', '{started_at,ended_at}', '{}');
call make_clocks('identity_stages', 'identity_stage_revisions', 'stage_id', '{startedAt,endedAt}',
                 '{started_at,ended_at}', '{}');
call make_clocks('people', 'person_revisions', 'person_id', '{lastContactAt}', '{last_contact_at}',
                 '{}');
call make_clocks_of_ledger('identity_roles', '{changedAt}', '{changed_at}');
call make_clocks_of_ledger('identity_snapshots', '{asOf,startedAt,endedAt}',
                           '{as_of,started_at,ended_at}');
call make_clocks_of_ledger('person_contacts', '{contactedAt}', '{contacted_at}');
call make_clocks_of_ledger('person_experiences', '{occurredAt}', '{occurred_at}');
call make_clocks_of_ledger('person_timeline_entries', '{occurredAt}', '{occurred_at}');
call make_clocks_of_ledger('resource_snapshots', '{observedAt}', '{observed_at}');

-- The prediction comes first: with the wider rows and without statistics, PostgreSQL chose an index on the
-- owner alone, which reads all outcomes of the account.
alter table decision_outcomes
  drop constraint one_outcome_a_prediction,
  add constraint one_outcome_a_prediction unique (prediction_id, owner_id);

call make_clocks_of_root('records');
alter table record_revisions add column clocks json;

-- As before, and with the rules of clocks.
create or replace function ledger_matches_root() returns trigger language plpgsql as $$
declare
  root records;
begin
  select * into root from records r
    where r.owner_id = new.owner_id and r.record_id = new.record_id;
  if not found or root.module_code <> new.module_code then
    raise exception using errcode = 'PRS05', message = 'records: the revision is of another module';
  end if;
  if root.revision < new.revision then
    raise exception using errcode = 'PRS05', message = 'records: the ledger runs ahead of its root';
  end if;
  if root.revision = new.revision then
    if (root.revision_id, root.title, root.summary, root.payload::text, root.updated_at)
         <> (new.revision_id, new.title, new.summary, new.payload::text, new.created_at)
       or root.archived_at is distinct from new.archived_at
       or root.clocks::text is distinct from new.clocks::text
    then
      raise exception using errcode = 'PRS05', message = 'records: the root differs from its revision';
    end if;
  elsif new.revision < 1 or char_length(new.title) > 200 or char_length(new.summary) > 1000
     or json_typeof(new.payload) <> 'object'
  then
    raise exception using errcode = 'PRS05',
      message = 'records: the revision violates the limits of a record';
  end if;
  if new.clocks is not null and are_record_clocks(new.clocks, new.payload) is not true then
    raise exception using errcode = 'PRS05',
      message = 'records: a clock does not fit a time of the payload';
  end if;
  if new.change not in ('CREATED', 'MODIFIED', 'ARCHIVED', 'RESTORED')
     or (new.change = 'CREATED') <> (new.revision = 1)
     or new.change = 'ARCHIVED' and new.archived_at is null
     or new.change = 'RESTORED' and new.archived_at is not null
  then
    raise exception using errcode = 'PRS05', message = 'records: the kind of change does not fit';
  end if;
  return null;
end $$;
call pin_search_path('ledger_matches_root()');

-- The clock that a timeline shows: none of a secret entry, because a zone names a place.
create function shown_clock(clocks json, name text, privacy text) returns text
  language sql immutable parallel safe
  as $$ select case when privacy <> 'SECRET' then clocks ->> name end $$;

-- As before, and with the clock of the source.
create or replace function timeline_entry_fits_source() returns trigger language plpgsql as $$
begin
  if not (case new.kind
    when 'CONTACT_RECORDED' then exists (
      select from person_contacts c
       where c.owner_id = new.owner_id and c.person_id = new.person_id
         and c.contact_id = new.source_id
         and (c.contacted_at, c.recorded_at) = (new.occurred_at, new.recorded_at)
         and shown_clock(c.clocks, 'contactedAt', c.privacy)
           is not distinct from new.clocks ->> 'occurredAt')
    when 'CONTACT_RETRACTED' then new.occurred_at is null and exists (
      select from person_contact_controls k
       where k.owner_id = new.owner_id and k.person_id = new.person_id
         and k.contact_id = new.source_id and k.recorded_at = new.recorded_at)
    when 'EXPERIENCE_RECORDED' then exists (
      select from person_experiences e
       where e.owner_id = new.owner_id and e.person_id = new.person_id
         and e.experience_id = new.source_id and e.recorded_at = new.recorded_at
         and e.occurred_at is not distinct from new.occurred_at
         and shown_clock(e.clocks, 'occurredAt', e.privacy)
           is not distinct from new.clocks ->> 'occurredAt')
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
