/** DEC-005: outcomes of decisions and of their predictions. */

import { boolean, datetime, number, textarea } from "../../catalog/fields.ts";
import { notInTheFuture, rule } from "../../catalog/rules.ts";
import { newId } from "../../core/ids.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { fieldsBody, type KeptFields, newColumns, present, presentFields } from "../kit/fields.ts";
import {
  firstRevision,
  ROOT_MEMBERS,
  type RootRow,
  type ShownRoot,
  showRoot,
} from "../kit/root.ts";
import { nullable, REVISION, TEXT, TIME, ULID } from "../../validate/json_schema.ts";
import { identifier, type InferObject, optional } from "../../validate/schema.ts";
import type { DecisionRow } from "./decision.ts";
import type { PredictionRow } from "./prediction.ts";
import type { DecisionTypes } from "./decision_store.ts";

/** The fields of an outcome as columns. */
interface OutcomeColumns {
  readonly occurred: boolean;
  readonly description: string;
  readonly observed_at: Date;
  /** 1 to 5. */
  readonly satisfaction: number | null;
}

/** An outcome, or one of its revisions, as read from the database. */
export interface OutcomeRow extends RootRow, OutcomeColumns {
  readonly outcome_id: string;
  readonly decision_id: string;
  readonly prediction_id: string | null;
  /** The revision that the prediction had, and keeps from then on. */
  readonly prediction_revision: number | null;
}

/** An outcome as a client sees it. */
export interface Outcome extends ShownRoot {
  readonly outcomeId: string;
  readonly decisionId: string;
  readonly predictionId: string | null;
  readonly predictionRevision: number | null;
  readonly occurred: boolean;
  readonly description: string;
  readonly observedAt: string;
  readonly satisfaction: number | null;
}

export interface OutcomeTypes {
  readonly key: DecisionTypes["key"] & { readonly outcomeId: string };
  readonly row: OutcomeRow;
  readonly change: "MODIFIED";
  readonly shown: Outcome;
}

export const OUTCOME_MEMBERS = {
  outcomeId: ULID,
  decisionId: ULID,
  predictionId: nullable(ULID),
  predictionRevision: nullable(REVISION),
  occurred: { type: "boolean" },
  description: TEXT,
  observedAt: TIME,
  satisfaction: nullable({ type: "integer", minimum: 1, maximum: 5 }),
  ...ROOT_MEMBERS,
} as const;

export const OUTCOME_FIELDS: KeptFields<OutcomeRow, OutcomeColumns> = {
  fields: {
    fields: [
      boolean("occurred", { required: true }),
      textarea("description", { required: true }),
      datetime("observedAt", { required: true }),
      number("satisfaction", { minimum: 1, maximum: 5, integer: true }),
    ],
    rules: [
      rule(
        "outcome.observed_at_not_in_the_future",
        "observedAt is not in the future",
        notInTheFuture("observedAt"),
      ),
    ],
  },
  read: ({ occurred, description, observed_at, satisfaction }) =>
    presentFields({ occurred, description, observedAt: observed_at, satisfaction }),
  columns: (fields) => ({
    occurred: present(fields.flag("occurred")),
    description: present(fields.text("description")),
    observed_at: present(fields.date("observedAt")),
    satisfaction: fields.number("satisfaction") ?? null,
  }),
};

export const OUTCOME_BODY = {
  ...fieldsBody(OUTCOME_FIELDS.fields),
  predictionId: optional(identifier),
};
export type OutcomeBody = InferObject<typeof OUTCOME_BODY>;

/** Returns an outcome as a client sees it. */
export function showOutcome(row: OutcomeRow): Outcome {
  return {
    outcomeId: row.outcome_id,
    decisionId: row.decision_id,
    predictionId: row.prediction_id,
    predictionRevision: row.prediction_revision,
    occurred: row.occurred,
    description: row.description,
    observedAt: row.observed_at.toISOString(),
    satisfaction: row.satisfaction,
    ...showRoot(row),
  };
}

/**
 * Decides a creation.
 *
 * @param predictions the result of `lockPrediction`.
 * @throws ServiceError `PAYLOAD_INVALID` as the policy of the fields says; `RECORD_NOT_FOUND` for a
 * prediction that does not exist.
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
