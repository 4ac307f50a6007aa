/** DEC-004: predictions, expected results with a probability. */

import { newId } from "../../core/ids.ts";
import type { JsonObject } from "../../core/json.ts";
import type { Sql } from "../../database/sql.ts";
import { ServiceError } from "../../errors/service_error.ts";
import { changeEndpoint, createBelowEndpoint } from "../../kit/write_routes.ts";
import {
  fieldsOf,
  keptFields,
  type RootDeclaration,
  rootMembers,
  rootParts,
  type RootRowOf,
} from "../../kit/declaration.ts";
import { fieldsBody, newColumns, patchRoute } from "../../kit/fields.ts";
import { clocks, id, longText, number, time } from "../../kit/kinds.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { readEndpoints } from "../../kit/read_routes.ts";
import { firstRevision } from "../../kit/root.ts";
import { storedRoot } from "../../kit/tables.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { component } from "../../validate/json_schema.ts";
import type { DecisionRow } from "./decision.ts";
import { type BelowDecision, DECISIONS, isBelowDecision } from "./decision_store.ts";

export const PREDICTION = {
  table: "decision_predictions",
  ledger: "decision_prediction_revisions",
  fixed: { prediction_id: id, decision_id: id },
  fields: { statement: longText, probability: number(0, 1), due_at: time, clocks },
  state: {},
} satisfies RootDeclaration;

export type PredictionRow = RootRowOf<typeof PREDICTION>;

const MEMBERS = rootMembers(PREDICTION);

const REVISION_SCHEMA = revisionSchema("DecisionPredictionRevision", MEMBERS, [
  "CREATED",
  "MODIFIED",
]);

const FIELDS = keptFields(PREDICTION.fields, fieldsOf(PREDICTION.fields));

const STORED = storedRoot<BelowDecision<typeof PREDICTION, "predictionId", "MODIFIED">>({
  module: "decision",
  policy: "decision-prediction",
  keyNames: ["decisionId", "predictionId"],
  ...rootParts(PREDICTION),
  schema: component("DecisionPrediction", MEMBERS),
  isNamed: (sql, { decisionId, predictionId }) =>
    sql`decision_id = ${decisionId} and prediction_id = ${predictionId}`,
});
export const PREDICTIONS = STORED.root;

export const PREDICTION_BODY = fieldsBody(FIELDS.fields);

/** @throws ServiceError `PAYLOAD_INVALID` by the policy of the fields. */
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

export function createPredictionEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "list" | "detail" | "change" | "revisions", Endpoint>> {
  const patch = patchRoute(PREDICTIONS.idOf, FIELDS);
  return {
    create: createBelowEndpoint(services, DECISIONS, PREDICTIONS, {
      summary: "Record a prediction about a decision",
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
      revisionSchema: REVISION_SCHEMA,
    }),
  };
}

/** Call it only while the prediction is locked. */
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
