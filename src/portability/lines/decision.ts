import { projectedAs, rootType } from "../description.ts";
import {
  bigInteger,
  boolean,
  id,
  integer,
  json,
  number,
  object,
  optional,
  text,
  time,
} from "../kinds.ts";
import { ARCHIVED } from "./shared.ts";

export const DECISION_LINES = rootType("decision", {
  table: "decisions",
  ledger: "decision_revisions",
  projection: projectedAs("decision"),
  fixed: { decision_id: id },
  changing: {
    ...ARCHIVED,
    question: text,
    options: object,
    chosen_option: optional(text),
    rationale: optional(text),
    prediction: optional(text),
    actual_outcome: optional(text),
    decided_at: optional(time),
    review_at: optional(time),
  },
});

export const ANALYSIS_LINES = rootType("analysis", {
  table: "decision_analyses",
  ledger: "decision_analysis_revisions",
  fixed: { analysis_id: id, decision_id: id },
  changing: {
    decision_revision: integer,
    criteria: json,
    scores: object,
    totals: json,
    ranking: json,
    sensitivity: optional(json),
  },
});

export const PREDICTION_LINES = rootType("prediction", {
  table: "decision_predictions",
  ledger: "decision_prediction_revisions",
  fixed: { prediction_id: id, decision_id: id },
  changing: { statement: text, probability: number, due_at: time },
});

export const OUTCOME_LINES = rootType("outcome", {
  table: "decision_outcomes",
  ledger: "decision_outcome_revisions",
  fixed: {
    outcome_id: id,
    decision_id: id,
    prediction_id: optional(id),
    prediction_revision: optional(integer),
  },
  changing: {
    occurred: boolean,
    description: text,
    observed_at: time,
    satisfaction: optional(integer),
  },
});

export const COUNTERFACTUAL_LINES = rootType("counterfactual", {
  table: "decision_counterfactuals",
  ledger: "decision_counterfactual_revisions",
  fixed: { counterfactual_id: id, decision_id: id },
  changing: {
    option: text,
    narrative: text,
    expected_value: optional(number),
    confidence: number,
  },
});

export const SIMULATION_LINES = rootType("simulation", {
  table: "decision_simulations",
  ledger: "decision_simulation_revisions",
  fixed: { simulation_id: id, decision_id: id },
  changing: {
    decision_revision: integer,
    algorithm: integer,
    seed: bigInteger,
    runs: integer,
    options: json,
    results: json,
  },
});
