import { changeEndpoint, createBelowEndpoint } from "../../kit/write_routes.ts";
import { newColumns, patchRoute } from "../../kit/fields.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { readEndpoints } from "../../kit/read_routes.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { decideOutcome, OUTCOME_BODY, OUTCOME_FIELDS, OUTCOME_MEMBERS } from "./outcome.ts";
import { lockPrediction, OUTCOMES, STORED_OUTCOMES } from "./outcome_store.ts";
import { DECISIONS, isBelowDecision } from "./decision_store.ts";

export function createOutcomeEndpoints(
  services: FamilyServices,
): Readonly<Record<"create" | "list" | "detail" | "change" | "revisions", Endpoint>> {
  return {
    create: createBelowEndpoint(services, DECISIONS, OUTCOMES, {
      summary: "Record an outcome of a decision, or of one of its predictions",
      body: OUTCOME_BODY,
      example: {
        occurred: true,
        description: "We stayed, and would choose it again.",
        observedAt: "2026-06-01T12:00:00Z",
        satisfaction: 4,
      },
      errors: ["DECISION_STATE_CONFLICT"],
      check: ({ predictionId: _, ...fields }, now) =>
        void newColumns(OUTCOME_FIELDS, fields, { now, recordId: "" }),
      related: (sql, decision, body, { caller }) =>
        lockPrediction(sql, caller.account.accountId, decision, body),
      decide: (decision, body, now, { related: predictions }) =>
        decideOutcome(decision, body, predictions, now),
      options: () => ({ constraints: { one_outcome_a_prediction: "DECISION_STATE_CONFLICT" } }),
    }),
    change: changeEndpoint(services, OUTCOMES, {
      ...patchRoute(OUTCOMES.idOf, OUTCOME_FIELDS),
      summary: "Change an outcome",
      example: { expectedRevision: 1, set: { satisfaction: 5 } },
    }),
    ...readEndpoints(services, DECISIONS, STORED_OUTCOMES, {
      one: "an outcome",
      all: "the outcomes of a decision",
      isBelow: isBelowDecision,
      revisionSchema: revisionSchema("DecisionOutcomeRevision", OUTCOME_MEMBERS, [
        "CREATED",
        "MODIFIED",
      ]),
    }),
  };
}
