/** The endpoints of `/api/v2/decision` (decisions, Decision): a decision itself here, then one file a topic. */

import { DECISION } from "../catalog/modules/decision.ts";
import { archivableListEndpoint } from "../family/archivable_list.ts";
import {
  archiveEndpoints,
  changeEndpoint,
  createEndpoint,
  detailEndpoint,
} from "../family/endpoints.ts";
import { fieldsBody, patchRoute } from "../family/fields.ts";
import { listBelowEndpoint } from "../family/lists.ts";
import { storedRevisions } from "../family/tables.ts";
import type { FamilyServices } from "../family/write.ts";
import type { Endpoint } from "../http/route.ts";
import { createAnalysisEndpoints } from "./analyses.ts";
import { createCalibrationEndpoint } from "./calibration.ts";
import { createCounterfactualEndpoints } from "./counterfactuals.ts";
import { DECISION_FIELDS, DECISION_REVISION_SCHEMA } from "./decision.ts";
import { createOutcomeEndpoints } from "./outcomes.ts";
import { createPredictionEndpoints } from "./predictions.ts";
import { decideCreate } from "./rules.ts";
import { createSimulationEndpoints, type SimulationServices } from "./simulations.ts";
import { DECISIONS, STORED_DECISIONS } from "./store.ts";

/** The endpoints of the decision routes. */
export interface DecisionEndpoints {
  readonly decisions: ReturnType<typeof createDecisionRootEndpoints>;
  readonly analyses: ReturnType<typeof createAnalysisEndpoints>;
  readonly predictions: ReturnType<typeof createPredictionEndpoints>;
  readonly outcomes: ReturnType<typeof createOutcomeEndpoints>;
  readonly counterfactuals: ReturnType<typeof createCounterfactualEndpoints>;
  readonly simulations: ReturnType<typeof createSimulationEndpoints>;
  readonly calibration: Endpoint;
}

/** Builds all of them. */
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

/** The endpoints of `/decisions` and of one decision (DEC-001, DEC-003, DEC-005). */
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
