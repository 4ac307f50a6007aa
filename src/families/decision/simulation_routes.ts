/** DEC-008: simulations. */

import { createBelowEndpoint } from "../../kit/write_routes.ts";
import { readEndpoints } from "../../kit/read_routes.ts";
import type { FamilyServices } from "../../kit/write.ts";
import type { Endpoint } from "../../http/route.ts";
import { SIMULATION_REVISION_SCHEMA, STORED_SIMULATIONS } from "./simulation.ts";
import { simulate } from "./simulation_algorithm.ts";
import type { SimulationQueue } from "./simulation_queue.ts";
import { checkSimulation, decideSimulation, spellOptions } from "./simulation_rules.ts";
import { SIMULATION_BODY } from "./simulation_schema.ts";
import { DECISIONS, isBelowDecision } from "./decision_store.ts";

export interface SimulationServices extends FamilyServices {
  readonly simulations: SimulationQueue;
}

const EXAMPLE = {
  seed: 42,
  runs: 1_000,
  options: [
    {
      option: "The one by the river",
      factors: [
        {
          name: "Years until we move again",
          weight: 1,
          distribution: "NORMAL",
          mean: 10,
          standardDeviation: 2,
        },
      ],
    },
    {
      option: "The one near work",
      factors: [
        {
          name: "Years until we move again",
          weight: 1,
          distribution: "UNIFORM",
          minimum: 0,
          maximum: 20,
        },
        {
          name: "Years that the shorter way is worth",
          weight: 2,
          distribution: "TRIANGULAR",
          minimum: -1,
          mode: 0,
          maximum: 3,
        },
      ],
    },
  ],
};

export function createSimulationEndpoints(
  services: SimulationServices,
): Readonly<Record<"create" | "list" | "detail" | "revisions", Endpoint>> {
  return {
    create: createBelowEndpoint(services, DECISIONS, STORED_SIMULATIONS.root, {
      summary: "Simulate how often each option of a decision would be the best",
      body: SIMULATION_BODY,
      example: EXAMPLE,
      check: checkSimulation,
      prepare(decision, { seed, runs, options }) {
        spellOptions(decision, options);
        const factors = options.map((option) => option.factors);
        return services.simulations.run(simulate({ seed, runs, options: factors }));
      },
      decide: (decision, body, now, { prepared }) =>
        decideSimulation(decision, body, prepared, now),
    }),
    ...readEndpoints(services, DECISIONS, STORED_SIMULATIONS, {
      one: "a simulation",
      all: "the simulations of a decision",
      isBelow: isBelowDecision,
      revisionSchema: SIMULATION_REVISION_SCHEMA,
    }),
  };
}
