/** Decision rows written past the application, and rows that the tables must reject. */

import { ulid } from "@std/ulid";
import {
  insertOwned,
  insertRow,
  newRow,
  type RootKind,
  stepRow,
  unprojected,
  wrongFirsts,
  wrongRows,
  wrongSteps,
} from "../../storage/family_rows.ts";
import { AT, insertInto, literal, nextRoot, type Offences, type Row } from "../../storage/rows.ts";

const LATER = "2026-11-27T12:00:00.000Z";
const PAST = "2026-11-01T12:00:00.000Z";

const ITEMS = `{"items":["By the river","Near work"]}`;

export const DECISIONS: RootKind = {
  root: "decisions",
  ledger: "decision_revisions",
  id: "decision_id",
  module: "decision",
  fixed: [],
  sample: () => ({
    archived_at: null,
    question: "Which flat do we take?",
    options: ITEMS,
    chosen_option: "By the river",
    rationale: "The light.",
    prediction: null,
    actual_outcome: null,
    decided_at: PAST,
    review_at: null,
    clocks: null,
  }),
  others: {
    archived_at: AT,
    question: "Which house do we take?",
    options: `{"items":["Near work","Neither"]}`,
    chosen_option: "Near work",
    rationale: "The way.",
    prediction: "We stay.",
    actual_outcome: "We stayed.",
    decided_at: AT,
    review_at: LATER,
    clocks: `{"decidedAt":"+10:00","reviewAt":"+11:00"}`,
  },
};

/** The decision, at the revision, that a row names. */
function decisionOf({ owner_id, decision_id = null, decision_revision }: Row): string {
  const decision = newRow(DECISIONS, String(owner_id), { decision_id });
  const next = nextRoot(decision, DECISIONS.others);
  return insertRow(DECISIONS, decision) +
    (decision_revision === 2 ? stepRow(DECISIONS, decision, next) : "");
}

/** Analyses of a decision's second revision, so that a revision can name the first. */
export const ANALYSES: RootKind = {
  root: "decision_analyses",
  ledger: "decision_analysis_revisions",
  id: "analysis_id",
  fixed: ["decision_id"],
  sample: () => ({
    decision_id: ulid(),
    decision_revision: 2,
    criteria: `[{"name":"Light","weight":2,"normalisedWeight":1}]`,
    scores: `{"Near work":{"Light":1},"Neither":{"Light":0}}`,
    totals: `[{"option":"Near work","total":1},{"option":"Neither","total":0}]`,
    ranking: `[{"rank":1,"option":"Near work","total":1},{"rank":2,"option":"Neither","total":0}]`,
    sensitivity: `{"criterion":"Light","weight":2,"criticalWeight":0,"change":-2}`,
  }),
  others: {
    decision_revision: 1,
    criteria: `[{"name":"Quiet","weight":1,"normalisedWeight":1}]`,
    scores: `{"Near work":{"Quiet":0},"Neither":{"Quiet":0}}`,
    totals: `[{"option":"Near work","total":0},{"option":"Neither","total":0}]`,
    ranking: `[{"rank":1,"option":"Near work","total":0},{"rank":1,"option":"Neither","total":0}]`,
    sensitivity: `{"criterion":"Quiet","weight":1,"criticalWeight":2,"change":1}`,
  },
  parents: decisionOf,
};

export const PREDICTIONS: RootKind = {
  root: "decision_predictions",
  ledger: "decision_prediction_revisions",
  id: "prediction_id",
  fixed: ["decision_id"],
  sample: () => ({
    decision_id: ulid(),
    statement: "We like it there.",
    probability: 0.75,
    due_at: LATER,
    clocks: null,
  }),
  others: {
    statement: "We still like it there.",
    probability: 0.5,
    due_at: AT,
    clocks: `{"dueAt":"+09:00"}`,
  },
  parents: decisionOf,
};

export const OUTCOMES: RootKind = {
  root: "decision_outcomes",
  ledger: "decision_outcome_revisions",
  id: "outcome_id",
  fixed: ["decision_id", "prediction_id", "prediction_revision"],
  sample: () => ({
    decision_id: ulid(),
    prediction_id: ulid(),
    prediction_revision: 1,
    occurred: true,
    description: "We stayed.",
    observed_at: PAST,
    satisfaction: 4,
    clocks: null,
  }),
  others: {
    occurred: false,
    description: "We left.",
    observed_at: AT,
    satisfaction: 2,
    clocks: `{"observedAt":"+09:00"}`,
  },
  parents: ({ owner_id, decision_id = null, prediction_id = null }) => {
    const columns = { decision_id, prediction_id };
    return prediction_id === null
      ? decisionOf({ owner_id: owner_id ?? null, decision_id })
      : insertRow(PREDICTIONS, newRow(PREDICTIONS, String(owner_id), columns));
  },
};

/** Outcomes of a decision, without a prediction. */
export const UNPREDICTED: RootKind = {
  ...OUTCOMES,
  sample: () => ({ ...OUTCOMES.sample(), prediction_id: null, prediction_revision: null }),
};

export const COUNTERFACTUALS: RootKind = {
  root: "decision_counterfactuals",
  ledger: "decision_counterfactual_revisions",
  id: "counterfactual_id",
  fixed: ["decision_id"],
  sample: () => ({
    decision_id: ulid(),
    option: "Near work",
    narrative: "An hour more a day.",
    expected_value: 1000,
    confidence: 0.5,
  }),
  others: {
    option: "Neither",
    narrative: "We look on.",
    expected_value: -0.5,
    confidence: 1,
  },
  parents: decisionOf,
};

/** They have one revision. */
export const SIMULATIONS: RootKind = {
  root: "decision_simulations",
  ledger: "decision_simulation_revisions",
  id: "simulation_id",
  fixed: ["decision_id"],
  sample: () => ({
    decision_id: ulid(),
    decision_revision: 1,
    algorithm: 1,
    seed: 42,
    runs: 1000,
    options: `[{"option":"By the river","factors":[]},{"option":"Near work","factors":[]}]`,
    results: `[{"option":"By the river","mean":1.5},{"option":"Near work","mean":-2.25}]`,
  }),
  others: {
    decision_revision: 2,
    algorithm: 2,
    seed: 0,
    runs: 1,
    options: `[{"option":"Near work","factors":[]},{"option":"By the river","factors":[]}]`,
    results: `[{"option":"Near work","mean":0},{"option":"By the river","mean":0}]`,
  },
  change: "CREATED",
  parents: decisionOf,
  onlyRevision: "simulation_has_one_revision",
};

export const DECISION_KINDS: readonly RootKind[] = [
  DECISIONS,
  ANALYSES,
  PREDICTIONS,
  OUTCOMES,
  COUNTERFACTUALS,
  SIMULATIONS,
];

const TOO_LONG = "x".repeat(100_001);

function optionsOf(count: number): string {
  return JSON.stringify(Array.from({ length: count }, (_, index) => `Option ${index}`));
}

/** Name another decision, or a missing revision. */
function orphans(kind: RootKind, ...columns: readonly Row[]): Offences {
  return ({ accountId }) => {
    const row = newRow(kind, accountId);
    const other = newRow(DECISIONS, ulid());
    const wrong = [{ decision_id: ulid() }, { decision_id: other.decision_id ?? null }, ...columns];
    return wrong.map((columns) =>
      insertOwned(DECISIONS, other) + kind.parents?.(row) +
      insertInto(kind.root, { ...row, ...columns })
    );
  };
}

/** Keyed by constraint. */
export const DECISION_OFFENCES: Readonly<Record<string, Offences>> = {
  decision_owner_exists: () => [insertInto("decisions", newRow(DECISIONS, ulid()))],
  decision_question_length: wrongRows(DECISIONS, { question: "" }, { question: TOO_LONG }),
  decision_options_listed: wrongRows(
    DECISIONS,
    ...["{}", "[]", ...[0, 1, 51].map((count) => `{"items":${optionsOf(count)}}`)].map((
      options,
    ) => ({ options, chosen_option: null, decided_at: null })),
  ),
  decision_choice_is_an_option: wrongRows(
    DECISIONS,
    ...["Neither", "by the river", "By the river ", "By", "items", ""].map((chosen_option) => ({
      chosen_option,
    })),
  ),
  decision_rationale_length: wrongRows(DECISIONS, { rationale: TOO_LONG }),
  decision_prediction_length: wrongRows(DECISIONS, { prediction: TOO_LONG }),
  decision_actual_outcome_length: wrongRows(DECISIONS, { actual_outcome: TOO_LONG }),
  decision_time_has_choice: wrongRows(DECISIONS, { chosen_option: null }),
  decision_review_not_before_choice: wrongRows(DECISIONS, {
    decided_at: AT,
    review_at: "2026-11-20T11:59:59.999Z",
  }),
  decision_change_known: wrongSteps(DECISIONS, { change: "modified" }, { change: "REVISED" }),
  decision_change_fits: wrongSteps(
    DECISIONS,
    { change: "CREATED" },
    { change: "ARCHIVED", archived_at: null },
    { change: "RESTORED", archived_at: AT },
  ),
  decision_not_in_the_future: wrongFirsts(DECISIONS, { decided_at: "2026-11-20T12:05:00.001Z" }),
  decision_revision_is_projected: unprojected(DECISIONS),
  analysis_criteria_listed: wrongRows(
    ANALYSES,
    { criteria: "[]" },
    { criteria: JSON.stringify(Array(21).fill({})) },
  ),
  analysis_scores_object: wrongRows(ANALYSES, { scores: "[]" }, { scores: "null" }),
  analysis_of_decision: orphans(ANALYSES, { decision_revision: 3 }),
  analysis_change_known: wrongFirsts(ANALYSES, { change: "MODIFIED" }, { change: "created" }),
  prediction_statement_length: wrongRows(PREDICTIONS, { statement: "" }, { statement: TOO_LONG }),
  prediction_probability_range: wrongRows(
    PREDICTIONS,
    ...[-0.001, 1.001, "NaN", "Infinity"].map((probability) => ({ probability })),
  ),
  prediction_of_decision: orphans(PREDICTIONS),
  prediction_change_known: wrongSteps(PREDICTIONS, { change: "CREATED" }, { change: "REVISED" }),
  outcome_description_length: wrongRows(OUTCOMES, { description: "" }, { description: TOO_LONG }),
  outcome_satisfaction_range: wrongRows(OUTCOMES, { satisfaction: 0 }, { satisfaction: 6 }),
  outcome_of_decision: orphans(UNPREDICTED),
  outcome_names_revision: wrongRows(OUTCOMES, { prediction_id: null }),
  outcome_prediction_of_decision: ({ accountId }) => {
    const other = newRow(DECISIONS, accountId);
    const row = newRow(OUTCOMES, accountId);
    return [
      insertRow(DECISIONS, other) + OUTCOMES.parents?.(row) +
      insertInto("decision_outcomes", { ...row, decision_id: other.decision_id ?? null }),
    ];
  },
  // Without the trigger, which runs first.
  outcome_of_prediction_revision: ({ accountId }) => {
    const row = newRow(OUTCOMES, accountId);
    const named = `prediction_id = ${literal(row.prediction_id ?? null)}`;
    return [
      insertRow(OUTCOMES, row) +
      `set constraints all immediate;
       alter table decision_predictions disable trigger prediction_is_open;
       update decision_predictions set revision = 2 where ${named};`,
    ];
  },
  one_outcome_a_prediction: ({ accountId }) => {
    const row = newRow(OUTCOMES, accountId);
    const second = { ...row, outcome_id: ulid(), revision_id: ulid() };
    return [insertRow(OUTCOMES, row) + insertInto("decision_outcomes", second)];
  },
  outcome_change_known: wrongSteps(OUTCOMES, { change: "CREATED" }, { change: "REVISED" }),
  outcome_not_in_the_future: wrongFirsts(OUTCOMES, { observed_at: "2026-11-20T12:05:00.001Z" }),
  counterfactual_option_length: wrongRows(
    COUNTERFACTUALS,
    { option: "" },
    { option: "x".repeat(201) },
  ),
  counterfactual_narrative_length: wrongRows(
    COUNTERFACTUALS,
    { narrative: "" },
    { narrative: TOO_LONG },
  ),
  counterfactual_value_range: wrongRows(
    COUNTERFACTUALS,
    ...[-1_000_000_000_001, 1_000_000_000_001, "NaN"].map((expected_value) => ({ expected_value })),
  ),
  counterfactual_confidence_range: wrongRows(
    COUNTERFACTUALS,
    ...[-0.001, 1.001, "NaN"].map((confidence) => ({ confidence })),
  ),
  counterfactual_of_decision: orphans(COUNTERFACTUALS),
  counterfactual_change_known: wrongSteps(COUNTERFACTUALS, { change: "CREATED" }),
  simulation_has_one_revision: wrongRows(SIMULATIONS, { revision: 2 }, { revision: 0 }),
  simulation_algorithm_known: wrongRows(SIMULATIONS, { algorithm: 2 }, { algorithm: 0 }),
  simulation_seed_range: wrongRows(SIMULATIONS, { seed: -1 }, { seed: 2 ** 53 }),
  simulation_runs_range: wrongRows(SIMULATIONS, { runs: 0 }, { runs: 100_001 }),
  simulation_options_listed: wrongRows(
    SIMULATIONS,
    ...[1, 51].map((count) => ({ options: optionsOf(count), results: optionsOf(count) })),
  ),
  simulation_results_complete: wrongRows(
    SIMULATIONS,
    { results: optionsOf(1) },
    { results: optionsOf(3) },
  ),
  simulation_of_decision: orphans(SIMULATIONS, { decision_revision: 2 }),
  simulation_change_known: wrongFirsts(SIMULATIONS, { change: "MODIFIED" }, { change: "created" }),
};
