import { ulid } from "@std/ulid";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Caller, Json, TestResponse } from "../../support/world.ts";
import { done } from "../memory/api.ts";

export const DECISIONS = "/api/v2/decision/decisions";

/** The smallest valid body. */
export const DECISION: JsonObject = {
  question: "Which flat do we take?",
  options: { items: ["By the river", "Near work", "Neither"] },
};

export const ANALYSIS: JsonObject = {
  criteria: [{ name: "Light", weight: 2 }, { name: "Rent", weight: 1 }],
  scores: { "By the river": { Light: 9, Rent: 4 }, "Near work": { Light: 5, Rent: 7 } },
};

/** The same scores with other weights. */
export const REANALYSIS: JsonObject = {
  expectedRevision: 1,
  criteria: [{ name: "Light", weight: 1 }, { name: "Rent", weight: 1 }],
};

export const PREDICTION: JsonObject = {
  statement: "We still like it there after a year.",
  probability: 0.75,
  dueAt: "2027-06-01T00:00:00.000Z",
};

export const OUTCOME: JsonObject = {
  occurred: true,
  description: "We stayed.",
  observedAt: "2026-01-01T12:00:00.000Z",
};

export const COUNTERFACTUAL: JsonObject = {
  option: "Near work",
  narrative: "An hour more a day, and no river.",
  confidence: 0.5,
};

/** The test vector of algorithm 1. */
export const SIMULATION: JsonObject = {
  seed: 42,
  runs: 1_000,
  options: [
    {
      option: "By the river",
      factors: [{
        name: "Years",
        weight: 1,
        distribution: "NORMAL",
        mean: 10,
        standardDeviation: 2,
      }],
    },
    {
      option: "Near work",
      factors: [
        { name: "Years", weight: 1, distribution: "UNIFORM", minimum: 0, maximum: 20 },
        { name: "Way", weight: 2, distribution: "TRIANGULAR", minimum: -1, mode: 0, maximum: 3 },
      ],
    },
  ],
};

export function decide(caller: Caller, body: JsonObject = {}): Promise<Json> {
  return done(caller, DECISIONS, { ...DECISION, ...body });
}

/** Sends a PATCH with a new key. */
export function patch(
  caller: Pick<Caller, "call">,
  path: string,
  body: JsonObject,
): Promise<TestResponse> {
  return caller.call("PATCH", path, { key: ulid(), body });
}

export function decisionPath(decision: Json, below = ""): string {
  return `${DECISIONS}/${decision.decisionId}${below}`;
}

type ValueOf = (parameter: string) => Promise<string>;

/** Below the example's decision. */
async function below(
  caller: Caller,
  valueOf: ValueOf,
  kind: string,
  body: JsonObject,
): Promise<Json> {
  return await done(caller, `${DECISIONS}/${await valueOf("decisionId")}/${kind}`, body);
}

/** Create the objects that parameters of decision routes name. */
export const DECISION_MAKERS = {
  decisionId: async (caller: Caller) => (await decide(caller)).decisionId,
  analysisId: async (caller: Caller, valueOf: ValueOf) =>
    (await below(caller, valueOf, "analyses", ANALYSIS)).analysisId,
  predictionId: async (caller: Caller, valueOf: ValueOf) =>
    (await below(caller, valueOf, "predictions", PREDICTION)).predictionId,
  outcomeId: async (caller: Caller, valueOf: ValueOf) =>
    (await below(caller, valueOf, "outcomes", OUTCOME)).outcomeId,
  counterfactualId: async (caller: Caller, valueOf: ValueOf) =>
    (await below(caller, valueOf, "counterfactuals", COUNTERFACTUAL)).counterfactualId,
  simulationId: async (caller: Caller, valueOf: ValueOf) =>
    (await below(caller, valueOf, "simulations", SIMULATION)).simulationId,
} as const;

const ONE = `${DECISIONS}/:decisionId`;

/** Valid bodies of the examples. */
export const DECISION_BODIES = {
  [`POST ${DECISIONS}`]: { body: DECISION },
  [`PATCH ${ONE}`]: { body: { expectedRevision: 1, set: { rationale: "The light." } } },
  [`POST ${ONE}/analyses`]: { body: ANALYSIS },
  [`POST ${ONE}/analyses/:analysisId/revisions`]: { body: REANALYSIS },
  [`POST ${ONE}/predictions`]: { body: PREDICTION },
  [`PATCH ${ONE}/predictions/:predictionId`]: {
    body: { expectedRevision: 1, set: { probability: 0.5 } },
  },
  [`POST ${ONE}/outcomes`]: { body: OUTCOME },
  [`PATCH ${ONE}/outcomes/:outcomeId`]: {
    body: { expectedRevision: 1, set: { satisfaction: 4 } },
  },
  [`POST ${ONE}/counterfactuals`]: { body: COUNTERFACTUAL },
  [`POST ${ONE}/simulations`]: { body: SIMULATION },
  [`PATCH ${ONE}/counterfactuals/:counterfactualId`]: {
    body: { expectedRevision: 1, set: { confidence: 0.4 } },
  },
} as const;
