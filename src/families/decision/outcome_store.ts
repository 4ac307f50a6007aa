import type { Sql } from "../../database/sql.ts";
import { rootParts } from "../../kit/declaration.ts";
import { storedRoot } from "../../kit/tables.ts";
import { component } from "../../validate/json_schema.ts";
import type { DecisionRow } from "./decision.ts";
import type { BelowDecision } from "./decision_store.ts";
import { OUTCOME, OUTCOME_MEMBERS, type OutcomeBody } from "./outcome.ts";
import { type PredictionRow, PREDICTIONS } from "./prediction.ts";

export const STORED_OUTCOMES = storedRoot<BelowDecision<typeof OUTCOME, "outcomeId", "MODIFIED">>({
  module: "decision",
  policy: "decision-outcome",
  keyNames: ["decisionId", "outcomeId"],
  ...rootParts(OUTCOME),
  schema: component("DecisionOutcome", OUTCOME_MEMBERS),
  isNamed: (sql, { decisionId, outcomeId }) =>
    sql`decision_id = ${decisionId} and outcome_id = ${outcomeId}`,
});
export const OUTCOMES = STORED_OUTCOMES.root;

/**
 * Locks the prediction that an outcome names, so that it cannot change before the commit.
 *
 * @returns an empty list if it does not exist, null if none is named.
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
