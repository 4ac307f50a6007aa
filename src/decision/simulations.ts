/** DEC-008: simulations, which tell how often each option would be the best. */

import { createBelowEndpoint, detailEndpoint } from "../family/endpoints.ts";
import { listBelowEndpoint } from "../family/lists.ts";
import { storedBelow } from "../family/tables.ts";
import type { FamilyServices } from "../family/write.ts";
import type { Endpoint } from "../http/route.ts";
import { SIMULATION_REVISIONS, STORED_SIMULATIONS } from "./simulation.ts";
import { simulate } from "./simulation_algorithm.ts";
import type { SimulationQueue } from "./simulation_queue.ts";
import { checkSimulation, decideSimulation, spellOptions } from "./simulation_rules.ts";
import { SIMULATION_BODY } from "./simulation_schema.ts";
import { DECISIONS, isBelowDecision } from "./store.ts";

const SIMULATIONS = STORED_SIMULATIONS.root;

/** What the endpoints of simulations need of the application. */
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

/** The endpoints of `/decisions/{decisionId}/simulations`. */
export function createSimulationEndpoints(
  services: SimulationServices,
): Readonly<Record<"create" | "list" | "detail" | "revisions", Endpoint>> {
  const below = storedBelow(STORED_SIMULATIONS, isBelowDecision);
  return {
    create: createBelowEndpoint(services, DECISIONS, SIMULATIONS, {
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
    list: listBelowEndpoint(services, DECISIONS, below, {
      summary: "List the simulations of a decision, newest first",
    }),
    detail: detailEndpoint(services, SIMULATIONS, {
      summary: "Read a simulation",
      revisions: true,
    }),
    revisions: listBelowEndpoint(services, SIMULATIONS, SIMULATION_REVISIONS, {
      summary: "List the only revision of a simulation",
    }),
  };
}
