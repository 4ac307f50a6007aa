-- Decisions, and what belongs to one. Each is a root with a ledger of revisions.

create table decisions (
  owner_id ulid not null constraint decision_owner_exists references accounts,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  archived_at timestamptz(3),
  question text not null
    constraint decision_question_length check (char_length(question) between 1 and 100000),
  options json not null
    constraint decision_options_listed
      check (coalesce(json_array_length(options -> 'items'), 0) between 2 and 50),
  chosen_option text,
  rationale text constraint decision_rationale_length check (char_length(rationale) <= 100000),
  prediction text constraint decision_prediction_length check (char_length(prediction) <= 100000),
  actual_outcome text
    constraint decision_actual_outcome_length check (char_length(actual_outcome) <= 100000),
  decided_at timestamptz(3)
    constraint decision_time_has_choice check (decided_at is null or chosen_option is not null),
  review_at timestamptz(3)
    constraint decision_review_not_before_choice check (review_at >= decided_at),
  -- One of the options, in the same spelling.
  constraint decision_choice_is_an_option
    check (chosen_option is null or (options -> 'items')::jsonb ? chosen_option),
  primary key (owner_id, decision_id)
);
-- Lists walk in creation order, over live decisions, archived ones, or all (the primary key).
create index decisions_live_by_creation on decisions (owner_id, decision_id)
  where archived_at is null;
create index decisions_archived_by_creation on decisions (owner_id, decision_id)
  where archived_at is not null;

create table decision_revisions (
  owner_id ulid not null,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint decision_change_known
    check (change in ('CREATED', 'MODIFIED', 'ARCHIVED', 'RESTORED')),
  created_at timestamptz(3) not null,
  archived_at timestamptz(3),
  question text not null,
  options json not null,
  chosen_option text,
  rationale text,
  prediction text,
  actual_outcome text,
  decided_at timestamptz(3)
      constraint decision_not_in_the_future check (decided_at <= created_at + interval '5 minutes'),
  review_at timestamptz(3),
  constraint decision_change_fits check (
    (change = 'CREATED') = (revision = 1)
    and (change <> 'ARCHIVED' or archived_at is not null)
    and (change <> 'RESTORED' or archived_at is null)
  ),
  constraint decision_revision_is_projected foreign key (owner_id, decision_id, revision)
    references record_revisions (owner_id, record_id, revision)
);
call make_revisions('decisions', 'decision_revisions', 'decision_id', '{}');

create table decision_analyses (
  owner_id ulid not null,
  analysis_id ulid not null,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  -- The decision's revision whose options were scored.
  decision_revision integer not null,
  criteria json not null
    constraint analysis_criteria_listed check (json_array_length(criteria) between 1 and 20),
  scores json not null
    constraint analysis_scores_object check (json_typeof(scores) = 'object'),
  totals json not null,
  ranking json not null,
  -- Null if no change of a single weight would change the leader.
  sensitivity json,
  constraint analysis_of_decision foreign key (owner_id, decision_id, decision_revision)
    references decision_revisions (owner_id, decision_id, revision),
  primary key (owner_id, analysis_id)
);
create index decision_analyses_of_a_decision
  on decision_analyses (owner_id, decision_id, analysis_id);

create table decision_analysis_revisions (
  owner_id ulid not null,
  analysis_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint analysis_change_known
    check (change = case revision when 1 then 'CREATED' else 'MODIFIED' end),
  created_at timestamptz(3) not null,
  decision_revision integer not null,
  criteria json not null,
  scores json not null,
  totals json not null,
  ranking json not null,
  sensitivity json
);
call make_revisions('decision_analyses', 'decision_analysis_revisions', 'analysis_id',
  '{decision_id}');

create table decision_predictions (
  owner_id ulid not null,
  prediction_id ulid not null,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  statement text not null
    constraint prediction_statement_length check (char_length(statement) between 1 and 100000),
  probability double precision not null
    constraint prediction_probability_range check (probability between 0 and 1),
  due_at timestamptz(3) not null,
  constraint prediction_of_decision foreign key (owner_id, decision_id) references decisions,
  -- Lists walk in this order too.
  constraint prediction_below_its_decision unique (owner_id, decision_id, prediction_id),
  -- The target of outcome_of_prediction_revision.
  constraint prediction_at_its_revision unique (owner_id, prediction_id, revision),
  primary key (owner_id, prediction_id)
);

create table decision_prediction_revisions (
  owner_id ulid not null,
  prediction_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint prediction_change_known
    check (change = case revision when 1 then 'CREATED' else 'MODIFIED' end),
  created_at timestamptz(3) not null,
  statement text not null,
  probability double precision not null,
  due_at timestamptz(3) not null
);
call make_revisions('decision_predictions', 'decision_prediction_revisions', 'prediction_id',
  '{decision_id}');

create table decision_outcomes (
  owner_id ulid not null,
  outcome_id ulid not null,
  decision_id ulid not null,
  -- The judged prediction and its revision; both null for any other outcome.
  prediction_id ulid,
  prediction_revision integer,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  occurred boolean not null,
  description text not null
    constraint outcome_description_length check (char_length(description) between 1 and 100000),
  observed_at timestamptz(3) not null,
  satisfaction integer constraint outcome_satisfaction_range check (satisfaction between 1 and 5),
  constraint outcome_of_decision foreign key (owner_id, decision_id) references decisions,
  constraint outcome_names_revision check ((prediction_id is null) = (prediction_revision is null)),
  constraint outcome_prediction_of_decision foreign key (owner_id, decision_id, prediction_id)
    references decision_predictions (owner_id, decision_id, prediction_id),
  -- Prevents a change of the prediction, also in transactions with an older snapshot.
  constraint outcome_of_prediction_revision
    foreign key (owner_id, prediction_id, prediction_revision)
    references decision_predictions (owner_id, prediction_id, revision),
  constraint one_outcome_a_prediction unique (owner_id, prediction_id),
  primary key (owner_id, outcome_id)
);
create index decision_outcomes_of_a_decision
  on decision_outcomes (owner_id, decision_id, outcome_id);

create table decision_outcome_revisions (
  owner_id ulid not null,
  outcome_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint outcome_change_known
    check (change = case revision when 1 then 'CREATED' else 'MODIFIED' end),
  created_at timestamptz(3) not null,
  occurred boolean not null,
  description text not null,
  observed_at timestamptz(3) not null
    constraint outcome_not_in_the_future check (observed_at <= created_at + interval '5 minutes'),
  satisfaction integer
);
call make_revisions('decision_outcomes', 'decision_outcome_revisions', 'outcome_id',
  '{decision_id, prediction_id, prediction_revision}');

-- An outcome names the current revision of its prediction. The lock prevents a change of the prediction
-- until the outcome is committed; then prediction_is_open rejects it.
create function outcome_fits_prediction() returns trigger language plpgsql as $$
declare
  present integer;
begin
  select revision into present from decision_predictions p
    where p.owner_id = new.owner_id and p.prediction_id = new.prediction_id for no key update;
  if present is distinct from new.prediction_revision then
    raise exception using errcode = 'PRS05',
      message = 'decision_outcomes: the outcome is of another revision of its prediction';
  end if;
  return new;
end $$;
call pin_search_path('outcome_fits_prediction()');
create trigger outcome_fits_prediction before insert on decision_outcomes
  for each row when (new.prediction_id is not null) execute function outcome_fits_prediction();
alter table decision_outcomes enable always trigger outcome_fits_prediction;

-- A prediction does not change once its outcome is known.
create function prediction_is_open() returns trigger language plpgsql as $$
begin
  if exists (select from decision_outcomes o
              where o.owner_id = old.owner_id and o.prediction_id = old.prediction_id) then
    raise exception using errcode = 'PRS04',
      message = 'decision_predictions: a prediction with an outcome stays as it is';
  end if;
  return new;
end $$;
call pin_search_path('prediction_is_open()');
create trigger prediction_is_open before update on decision_predictions
  for each row execute function prediction_is_open();
alter table decision_predictions enable always trigger prediction_is_open;

create table decision_counterfactuals (
  owner_id ulid not null,
  counterfactual_id ulid not null,
  decision_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  option text not null
    constraint counterfactual_option_length check (char_length(option) between 1 and 200),
  narrative text not null
    constraint counterfactual_narrative_length check (char_length(narrative) between 1 and 100000),
  expected_value double precision constraint counterfactual_value_range
    check (expected_value between -1000000000000 and 1000000000000),
  confidence double precision not null
    constraint counterfactual_confidence_range check (confidence between 0 and 1),
  constraint counterfactual_of_decision foreign key (owner_id, decision_id) references decisions,
  primary key (owner_id, counterfactual_id)
);
create index decision_counterfactuals_of_a_decision
  on decision_counterfactuals (owner_id, decision_id, counterfactual_id);

create table decision_counterfactual_revisions (
  owner_id ulid not null,
  counterfactual_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint counterfactual_change_known
    check (change = case revision when 1 then 'CREATED' else 'MODIFIED' end),
  created_at timestamptz(3) not null,
  option text not null,
  narrative text not null,
  expected_value double precision,
  confidence double precision not null
);
call make_revisions('decision_counterfactuals', 'decision_counterfactual_revisions',
  'counterfactual_id', '{decision_id}');

create table decision_simulations (
  owner_id ulid not null,
  simulation_id ulid not null,
  decision_id ulid not null,
  revision integer not null constraint simulation_has_one_revision check (revision = 1),
  revision_id ulid not null,
  created_at timestamptz(3) not null,
  updated_at timestamptz(3) not null,
  decision_revision integer not null,
  algorithm integer not null constraint simulation_algorithm_known check (algorithm = 1),
  seed bigint not null constraint simulation_seed_range check (seed between 0 and 9007199254740991),
  runs integer not null constraint simulation_runs_range check (runs between 1 and 100000),
  options json not null
    constraint simulation_options_listed check (json_array_length(options) between 2 and 50),
  results json not null constraint simulation_results_complete
    check (json_array_length(results) = json_array_length(options)),
  constraint simulation_of_decision foreign key (owner_id, decision_id, decision_revision)
    references decision_revisions (owner_id, decision_id, revision),
  primary key (owner_id, simulation_id)
);
create index decision_simulations_of_a_decision
  on decision_simulations (owner_id, decision_id, simulation_id);

create table decision_simulation_revisions (
  owner_id ulid not null,
  simulation_id ulid not null,
  revision integer not null,
  revision_id ulid not null,
  change text not null constraint simulation_change_known check (change = 'CREATED'),
  created_at timestamptz(3) not null,
  decision_revision integer not null,
  algorithm integer not null,
  seed bigint not null,
  runs integer not null,
  options json not null,
  results json not null
);
call make_revisions('decision_simulations', 'decision_simulation_revisions', 'simulation_id',
  '{decision_id}');
