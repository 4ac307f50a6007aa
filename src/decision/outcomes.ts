/** DEC-005: what came of a decision, also of one of its predictions. */

import { boolean, datetime, number, textarea } from "../catalog/fields.ts";
import { notInTheFuture, rule } from "../catalog/rules.ts";
import { newId } from "../core/ids.ts";
import type { Sql } from "../database/sql.ts";
import { ServiceError } from "../errors/service_error.ts";
import { changeEndpoint, createBelowEndpoint } from "../family/endpoints.ts";
import {
  fieldsBody,
  type KeptFields,
  newColumns,
  patchRoute,
  present,
  presentFields,
} from "../family/fields.ts";
import { revisionSchema } from "../family/lists.ts";
import { readEndpoints } from "../family/read_endpoints.ts";
import {
  firstRevision,
  ROOT_MEMBERS,
  type RootRow,
  type ShownRoot,
  showRoot,
} from "../family/root.ts";
import { storedRoot } from "../family/tables.ts";
import type { FamilyServices } from "../family/write.ts";
import type { Endpoint } from "../http/route.ts";
import { component, nullable, REVISION, TEXT, TIME, ULID } from "../validate/json_schema.ts";
import { identifier, type InferObject, optional } from "../validate/schema.ts";
import type { DecisionRow } from "./decision.ts";
import { type PredictionRow, PREDICTIONS } from "./predictions.ts";
import { DECISIONS, type DecisionTypes, isBelowDecision } from "./store.ts";

/** The fields of an outcome as columns. */
interface OutcomeColumns {
  readonly occurred: boolean;
  readonly description: string;
  readonly observed_at: Date;
  /** 1 to 5. */
  readonly satisfaction: number | null;
}

/** An outcome, or one of its revisions, as read from the database. */
interface OutcomeRow extends RootRow, OutcomeColumns {
  readonly outcome_id: string;
  readonly decision_id: string;
  readonly prediction_id: string | null;
  /** The revision that the prediction had, and keeps from then on. */
  readonly prediction_revision: number | null;
}

/** An outcome as a client sees it. */
interface Outcome extends ShownRoot {
  readonly outcomeId: string;
  readonly decisionId: string;
  readonly predictionId: string | null;
  readonly predictionRevision: number | null;
  readonly occurred: boolean;
  readonly description: string;
  readonly observedAt: string;
  readonly satisfaction: number | null;
}

interface OutcomeTypes {
  readonly key: DecisionTypes["key"] & { readonly outcomeId: string };
  readonly row: OutcomeRow;
  readonly change: "MODIFIED";
  readonly shown: Outcome;
}

const MEMBERS = {
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

const FIELDS: KeptFields<OutcomeRow, OutcomeColumns> = {
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

/** Outcomes below their decisions. */
const STORED = storedRoot<OutcomeTypes>({
  module: "decision",
  policy: "decision-outcome",
  keyNames: ["decisionId", "outcomeId"],
  idOf: (row) => row.outcome_id,
  show: (row) => ({
    outcomeId: row.outcome_id,
    decisionId: row.decision_id,
    predictionId: row.prediction_id,
    predictionRevision: row.prediction_revision,
    occurred: row.occurred,
    description: row.description,
    observedAt: row.observed_at.toISOString(),
    satisfaction: row.satisfaction,
    ...showRoot(row),
  }),
  schema: component<Outcome>("DecisionOutcome", MEMBERS),
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
export const OUTCOMES = STORED.root;

export const OUTCOME_BODY = {
  ...fieldsBody(FIELDS.fields),
  predictionId: optional(identifier),
};
export type OutcomeBody = InferObject<typeof OUTCOME_BODY>;

/**
 * The prediction that an outcome names, as a list without it where it is not there; null where none is
 * named. Its lock holds off a change of the prediction until the outcome is there, which forbids it.
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

/**
 * Decides a creation.
 *
 * @param predictions What `lockPrediction` found.
 * @throws ServiceError `PAYLOAD_INVALID` as the policy of the fields says; `RECORD_NOT_FOUND` for a
 * prediction that is not there.
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
    ...newColumns(FIELDS, fields, { now, recordId: outcome_id }),
  };
}

/** The endpoints of `/decisions/{decisionId}/outcomes`. */
export function createOutcomeEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "list" | "detail" | "change" | "revisions", Endpoint>> {
  return {
    create: createBelowEndpoint(services, DECISIONS, OUTCOMES, {
      summary: "Record what came of a decision, or of one of its predictions",
      body: OUTCOME_BODY,
      example: {
        occurred: true,
        description: "We stayed, and would choose it again.",
        observedAt: "2026-06-01T12:00:00Z",
        satisfaction: 4,
      },
      errors: ["DECISION_STATE_CONFLICT"],
      check: ({ predictionId: _, ...fields }, now) =>
        void newColumns(FIELDS, fields, { now, recordId: "" }),
      related: (sql, decision, body, { identity }) =>
        lockPrediction(sql, identity.account.accountId, decision, body),
      decide: (decision, body, now, { related: predictions }) =>
        decideOutcome(decision, body, predictions, now),
      options: () => ({ constraints: { one_outcome_a_prediction: "DECISION_STATE_CONFLICT" } }),
    }),
    change: changeEndpoint(services, OUTCOMES, {
      ...patchRoute(OUTCOMES.idOf, FIELDS),
      summary: "Change an outcome",
      example: { expectedRevision: 1, set: { satisfaction: 5 } },
    }),
    ...readEndpoints(services, DECISIONS, STORED, {
      one: "an outcome",
      all: "the outcomes of a decision",
      isBelow: isBelowDecision,
      revisionSchema: revisionSchema("DecisionOutcomeRevision", MEMBERS, ["CREATED", "MODIFIED"]),
    }),
  };
}
