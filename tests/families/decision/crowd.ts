/** Many decisions, one with many objects: data for query plans. */

import type { Caller } from "../../support/world.ts";
import {
  ANALYSES,
  COUNTERFACTUALS,
  DECISIONS,
  OUTCOMES,
  PREDICTIONS,
  SIMULATIONS,
} from "./rows.ts";
import { insertRow, newRow } from "../../storage/family_rows.ts";
import { idOf, idsSql, insertManyRows } from "../../storage/many_rows.ts";
import type { Row } from "../../storage/rows.ts";

/** With the names of identifiers. */
export const BELOW_DECISIONS = {
  analyses: "analysisId",
  predictions: "predictionId",
  outcomes: "outcomeId",
  counterfactuals: "counterfactualId",
  simulations: "simulationId",
} as const;

/** The decision's id, from the identifiers' prefix. */
export function crowdedDecision(beginning: string): string {
  return idOf(beginning, 0);
}

/** Plus one decision with as many objects of each kind. */
export function insertDecisionCrowd(
  { accountId }: Pick<Caller, "accountId">,
  count: number,
  beginning: string,
): string {
  const decision_id = crowdedDecision(beginning);
  const below: Row = { decision_id };
  const ofPrediction = { prediction_id: idsSql(beginning) };
  return [
    insertRow(DECISIONS, newRow(DECISIONS, accountId, { decision_id })),
    insertManyRows(DECISIONS, newRow(DECISIONS, accountId), count, beginning),
    ...[ANALYSES, PREDICTIONS, COUNTERFACTUALS, SIMULATIONS].map((kind) => {
      const revision = "decision_revision" in kind.sample() ? { decision_revision: 1 } : {};
      return insertManyRows(
        kind,
        newRow(kind, accountId, { ...below, ...revision }),
        count,
        beginning,
      );
    }),
    insertManyRows(OUTCOMES, newRow(OUTCOMES, accountId, below), count, beginning, ofPrediction),
  ].join("\n");
}
