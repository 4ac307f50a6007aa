/** Endpoints of `/api/v2/decision`: decisions here, then one file a topic. */

import { DECISION } from "../../catalog/modules/decision.ts";
import { archivableListEndpoint } from "../../kit/archivable_list_routes.ts";
import {
  archiveEndpoints,
  changeEndpoint,
  createEndpoint,
  detailEndpoint,
} from "../../kit/write_routes.ts";
import { fieldsBody, patchRoute } from "../../kit/fields.ts";
import { listBelowEndpoint } from "../../kit/list_routes.ts";
import { storedRevisions } from "../../kit/tables.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { createAnalysisEndpoints } from "./analysis_routes.ts";
import { createCalibrationEndpoint } from "./calibration_routes.ts";
import { createCounterfactualEndpoints } from "./counterfactual.ts";
import { DECISION_FIELDS, DECISION_REVISION_SCHEMA } from "./decision.ts";
import { createOutcomeEndpoints } from "./outcome_routes.ts";
import { createPredictionEndpoints } from "./prediction.ts";
import { decideCreate } from "./decision_rules.ts";
import { createSimulationEndpoints, type SimulationServices } from "./simulation_routes.ts";
import { DECISIONS, STORED_DECISIONS } from "./decision_store.ts";

export interface DecisionEndpoints {
  readonly decisions: ReturnType<typeof createDecisionRootEndpoints>;
  readonly analyses: ReturnType<typeof createAnalysisEndpoints>;
  readonly predictions: ReturnType<typeof createPredictionEndpoints>;
  readonly outcomes: ReturnType<typeof createOutcomeEndpoints>;
  readonly counterfactuals: ReturnType<typeof createCounterfactualEndpoints>;
  readonly simulations: ReturnType<typeof createSimulationEndpoints>;
  readonly calibration: Endpoint;
}

export function createDecisionEndpoints(services: SimulationServices): DecisionEndpoints {
  return {
    decisions: createDecisionRootEndpoints(services),
    analyses: createAnalysisEndpoints(services),
    predictions: createPredictionEndpoints(services),
    outcomes: createOutcomeEndpoints(services),
    counterfactuals: createCounterfactualEndpoints(services),
    simulations: createSimulationEndpoints(services),
    calibration: createCalibrationEndpoint(services),
  };
}

/** `/decisions` and one decision (DEC-001, DEC-003, DEC-005). */
function createDecisionRootEndpoints(
  services: FamilyServices,
): Readonly<
  Record<"create" | "list" | "detail" | "change" | "archive" | "restore" | "revisions", Endpoint>
> {
  const revisions = storedRevisions(STORED_DECISIONS, DECISION_REVISION_SCHEMA);
  return {
    create: createEndpoint(services, DECISIONS, {
      summary: "Record a decision",
      body: fieldsBody(DECISION),
      example: {
        question: "Which flat do we take?",
        options: { items: ["The one by the river", "The one near work"] },
      },
      decide: decideCreate,
    }),
    list: archivableListEndpoint(services, STORED_DECISIONS, "List the decisions, newest first"),
    detail: detailEndpoint(services, DECISIONS, { summary: "Read a decision", revisions: true }),
    change: changeEndpoint(services, DECISIONS, {
      ...patchRoute(DECISIONS.idOf, DECISION_FIELDS),
      summary: "Change a decision",
      example: { expectedRevision: 1, set: { chosenOption: "The one by the river" } },
    }),
    ...archiveEndpoints(services, DECISIONS, { noun: "decision" }),
    revisions: listBelowEndpoint(services, DECISIONS, revisions, {
      summary: "List the revisions of a decision, newest first",
    }),
  };
}
