import type { Sql } from "../../database/sql.ts";
import { storedRoot } from "../kit/tables.ts";
import { component } from "../../validate/json_schema.ts";
import type { DecisionRow } from "./decision.ts";
import {
  type Outcome,
  OUTCOME_MEMBERS,
  type OutcomeBody,
  type OutcomeTypes,
  showOutcome,
} from "./outcome.ts";
import { type PredictionRow, PREDICTIONS } from "./prediction.ts";

/** Outcomes below their decisions. */
export const STORED_OUTCOMES = storedRoot<OutcomeTypes>({
  module: "decision",
  policy: "decision-outcome",
  keyNames: ["decisionId", "outcomeId"],
  idOf: (row) => row.outcome_id,
  show: showOutcome,
  schema: component<Outcome>("DecisionOutcome", OUTCOME_MEMBERS),
  tables: (sql) => ({
    root: sql`decision_outcomes`,
    ledger: sql`decision_outcome_revisions`,
    id: sql`outcome_id`,
    fixed: sql`outcome_id, decision_id, prediction_id, prediction_revision`,
    changing: sql`occurred, observed_at, satisfaction, description`,
    short: sql`occurred, observed_at, satisfaction`,
    long: { kind: "text", columns: { description: sql`description` }, hidden: null },
  }),
  isNamed: (sql, { decisionId, outcomeId }) =>
    sql`decision_id = ${decisionId} and outcome_id = ${outcomeId}`,
  fixedValues: (sql, row) =>
    sql`${row.outcome_id}, ${row.decision_id}, ${row.prediction_id},
      ${row.prediction_revision}::integer`,
  changingValues: (sql, row) =>
    sql`${row.occurred}::boolean, ${row.observed_at}::timestamptz, ${row.satisfaction}::integer,
      ${row.description}`,
});
export const OUTCOMES = STORED_OUTCOMES.root;

/**
 * Locks the prediction that an outcome names, so that it cannot change before the outcome forbids it.
 *
 * @returns an empty list if the prediction does not exist, or null if the outcome does not name one.
 */
export async function lockPrediction(
  sql: Sql,
  owner: string,
  { decision_id: decisionId }: DecisionRow,
  { predictionId }: OutcomeBody,
): Promise<readonly PredictionRow[] | null> {
  return predictionId === undefined
    ? null
    : await PREDICTIONS.lock(sql, owner, { decisionId, predictionId });
}
