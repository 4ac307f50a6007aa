/** DEC-004: what is expected to come of a decision, with a probability. */

import { datetime, number, textarea } from "../../catalog/fields.ts";
import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { changeEndpoint, createBelowEndpoint } from "../kit/write_routes.ts";
import {
  fieldsBody,
  type KeptFields,
  newColumns,
  patchRoute,
  present,
  presentFields,
} from "../kit/fields.ts";
import { revisionSchema } from "../kit/list_routes.ts";
import { readEndpoints } from "../kit/read_routes.ts";
import {
  firstRevision,
  ROOT_MEMBERS,
  type RootRow,
  type ShownRoot,
  showRoot,
} from "../kit/root.ts";
import { storedRoot } from "../kit/tables.ts";
import type { FamilyServices } from "../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { component, TEXT, TIME, ULID } from "../../validate/json_schema.ts";
import type { DecisionRow } from "./decision.ts";
import { DECISIONS, type DecisionTypes, isBelowDecision } from "./decision_store.ts";

/** The fields of a prediction as columns. */
interface PredictionColumns {
  readonly statement: string;
  /** 0 to 1. */
  readonly probability: number;
  readonly due_at: Date;
}

/** A prediction, or one of its revisions, as read from the database. */
export interface PredictionRow extends RootRow, PredictionColumns {
  readonly prediction_id: string;
  readonly decision_id: string;
}

/** A prediction as a client sees it. */
interface Prediction extends ShownRoot {
  readonly predictionId: string;
  readonly decisionId: string;
  readonly statement: string;
  readonly probability: number;
  readonly dueAt: string;
}

interface PredictionTypes {
  readonly key: DecisionTypes["key"] & { readonly predictionId: string };
  readonly row: PredictionRow;
  readonly change: "MODIFIED";
  readonly shown: Prediction;
}

const MEMBERS = {
  predictionId: ULID,
  decisionId: ULID,
  statement: TEXT,
  probability: { type: "number", minimum: 0, maximum: 1 },
  dueAt: TIME,
  ...ROOT_MEMBERS,
} as const;

const FIELDS: KeptFields<PredictionRow, PredictionColumns> = {
  fields: {
    fields: [
      textarea("statement", { required: true }),
      number("probability", { required: true, minimum: 0, maximum: 1 }),
      datetime("dueAt", { required: true }),
    ],
    rules: [],
  },
  read: ({ statement, probability, due_at }) =>
    presentFields({ statement, probability, dueAt: due_at }),
  columns: (fields) => ({
    statement: present(fields.text("statement")),
    probability: present(fields.number("probability")),
    due_at: present(fields.date("dueAt")),
  }),
};

/** Predictions below their decisions. */
const STORED = storedRoot<PredictionTypes>({
  module: "decision",
  policy: "decision-prediction",
  keyNames: ["decisionId", "predictionId"],
  idOf: (row) => row.prediction_id,
  show: (row) => ({
    predictionId: row.prediction_id,
    decisionId: row.decision_id,
    statement: row.statement,
    probability: row.probability,
    dueAt: row.due_at.toISOString(),
    ...showRoot(row),
  }),
  schema: component<Prediction>("DecisionPrediction", MEMBERS),
  tables: (sql) => ({
    root: sql`decision_predictions`,
    ledger: sql`decision_prediction_revisions`,
    id: sql`prediction_id`,
    fixed: sql`prediction_id, decision_id`,
    changing: sql`probability, due_at, statement`,
    short: sql`probability, due_at`,
    long: { kind: "text", columns: { statement: sql`statement` }, hidden: null },
  }),
  isNamed: (sql, { decisionId, predictionId }) =>
    sql`decision_id = ${decisionId} and prediction_id = ${predictionId}`,
  fixedValues: (sql, row) => sql`${row.prediction_id}, ${row.decision_id}`,
  changingValues: (sql, row) =>
    sql`${row.probability}::double precision, ${row.due_at}::timestamptz, ${row.statement}`,
});
export const PREDICTIONS = STORED.root;

export const PREDICTION_BODY = fieldsBody(FIELDS.fields);

/**
 * Decides a creation.
 *
 * @throws ServiceError `PAYLOAD_INVALID` as the policy of the fields says.
 */
export function decidePrediction(
  { decision_id }: DecisionRow,
  body: JsonObject,
  now: Date,
): PredictionRow {
  const prediction_id = newId(now);
  return {
    prediction_id,
    decision_id,
    ...firstRevision(now),
    ...newColumns(FIELDS, body, { now, recordId: prediction_id }),
  };
}

/** The endpoints of `/decisions/{decisionId}/predictions`. */
export function createPredictionEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "list" | "detail" | "change" | "revisions", Endpoint>> {
  const patch = patchRoute(PREDICTIONS.idOf, FIELDS);
  return {
    create: createBelowEndpoint(services, DECISIONS, PREDICTIONS, {
      summary: "Predict what will come of a decision",
      body: PREDICTION_BODY,
      example: {
        statement: "We still like it there after a year.",
        probability: 0.8,
        dueAt: "2027-06-01T00:00:00Z",
      },
      check: (body, now) => void newColumns(FIELDS, body, { now, recordId: "" }),
      decide: decidePrediction,
    }),
    change: changeEndpoint(services, PREDICTIONS, {
      ...patch,
      summary: "Change a prediction that has no outcome yet",
      example: { expectedRevision: 1, set: { probability: 0.7 } },
      errors: ["DECISION_STATE_CONFLICT"],
      related: (sql, row, _body, { caller }) => hasOutcome(sql, caller.account.accountId, row),
      decide(row, body, now, { related: isFrozen }) {
        const next = patch.decide(row, body, now);
        if (isFrozen) throw new ServiceError("DECISION_STATE_CONFLICT");
        return next;
      },
    }),
    ...readEndpoints(services, DECISIONS, STORED, {
      one: "a prediction",
      all: "the predictions of a decision",
      isBelow: isBelowDecision,
      revisionSchema: revisionSchema("DecisionPredictionRevision", MEMBERS, [
        "CREATED",
        "MODIFIED",
      ]),
    }),
  };
}

/** Whether it is known how the prediction came out. To be asked behind the prediction's lock. */
async function hasOutcome(
  sql: Sql,
  owner: string,
  { prediction_id }: PredictionRow,
): Promise<boolean> {
  const outcomes = await sql`
    select 1 from decision_outcomes
     where owner_id = ${owner} and prediction_id = ${prediction_id}`;
  return outcomes.length > 0;
}
