/** DEC-005: outcomes of decisions and of their predictions. */

import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { orNull } from "../../kit/columns.ts";
import {
  fieldsOf,
  keptFields,
  type RootDeclaration,
  rootMembers,
  type RootRowOf,
} from "../../kit/declaration.ts";
import { fieldsBody, newColumns } from "../../kit/fields.ts";
import { clocks, flag, id, integer, longText, revision, time } from "../../kit/kinds.ts";
import { firstRevision } from "../../kit/root.ts";
import { identifier, type InferObject, optional } from "../../validate/schema.ts";
import type { DecisionRow } from "./decision.ts";
import type { PredictionRow } from "./prediction.ts";

export const OUTCOME = {
  table: "decision_outcomes",
  ledger: "decision_outcome_revisions",
  fixed: {
    outcome_id: id,
    decision_id: id,
    prediction_id: orNull(id),
    /** The prediction's revision never changes once set. */
    prediction_revision: orNull(revision),
  },
  fields: {
    occurred: flag,
    description: longText,
    observed_at: time,
    satisfaction: orNull(integer(1, 5)),
    clocks,
  },
  state: {},
} satisfies RootDeclaration;

type OutcomeRow = RootRowOf<typeof OUTCOME>;

export const OUTCOME_MEMBERS = rootMembers(OUTCOME);

export const OUTCOME_FIELDS = keptFields(
  OUTCOME.fields,
  fieldsOf(OUTCOME.fields, [
    rule(
      "outcome.observed_at_not_in_the_future",
      "observedAt is not in the future",
      notInTheFuture("observedAt"),
    ),
  ]),
);

export const OUTCOME_BODY = {
  ...fieldsBody(OUTCOME_FIELDS.fields),
  predictionId: optional(identifier),
};
export type OutcomeBody = InferObject<typeof OUTCOME_BODY>;

/**
 * @param predictions The result of `lockPrediction`.
 * @throws ServiceError `PAYLOAD_INVALID` by the policy of the fields; `RECORD_NOT_FOUND` for a
 *   prediction that does not exist.
 */
export function decideOutcome(
  { decision_id }: DecisionRow,
  { predictionId: _, ...fields }: OutcomeBody,
  predictions: readonly PredictionRow[] | null,
  now: Date,
): OutcomeRow {
  if (predictions?.length === 0) throw new ServiceError("RECORD_NOT_FOUND");
  const [prediction] = predictions ?? [];
  const outcome_id = newId(now);
  return {
    outcome_id,
    decision_id,
    prediction_id: prediction?.prediction_id ?? null,
    prediction_revision: prediction?.revision ?? null,
    ...firstRevision(now),
    ...newColumns(OUTCOME_FIELDS, fields, { now, recordId: outcome_id }),
  };
}
