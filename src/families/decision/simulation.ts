/** Stored simulations: roots below a decision that never change, and their executions. */

import {
  type RootDeclaration,
  rootMembers,
  rootParts,
  type RootRowOf,
} from "../../kit/declaration.ts";
import { id, json, numeric, revision } from "../../kit/kinds.ts";
import { revisionSchema } from "../../kit/list_routes.ts";
import { storedRoot } from "../../kit/tables.ts";
import { executionEntry } from "../../records/port.ts";
import { component, type JsonSchema, listOf, objectOf, TEXT } from "../../validate/json_schema.ts";
import { executionOf } from "./execution.ts";
import { SIMULATION_ALGORITHM } from "./simulation_algorithm.ts";
import { SIMULATION_BODY } from "./simulation_schema.ts";
import type { BelowDecision } from "./decision_store.ts";

const FIGURE: JsonSchema = { type: "number" };

export const SIMULATION = {
  table: "decision_simulations",
  ledger: "decision_simulation_revisions",
  fixed: { simulation_id: id, decision_id: id },
  fields: {
    /** The decision's revision that was simulated. */
    decision_revision: revision,
    algorithm: numeric("integer", { const: SIMULATION_ALGORITHM }),
    seed: numeric("bigInteger", SIMULATION_BODY.seed.json),
    runs: numeric("integer", SIMULATION_BODY.runs.json),
    /** Options as sent, but in the decision's spelling. */
    options: json(SIMULATION_BODY.options.json),
    results: json(listOf(objectOf({
      option: TEXT,
      mean: FIGURE,
      standardDeviation: { ...FIGURE, minimum: 0 },
      p5: FIGURE,
      p50: FIGURE,
      p95: FIGURE,
      probabilityBest: { ...FIGURE, minimum: 0, maximum: 1 },
    }))),
  },
  state: {},
} satisfies RootDeclaration;

export type SimulationRow = RootRowOf<typeof SIMULATION>;

const MEMBERS = rootMembers(SIMULATION);

export const STORED_SIMULATIONS = storedRoot<BelowDecision<typeof SIMULATION, "simulationId">>({
  module: "decision",
  policy: "decision-simulation",
  keyNames: ["decisionId", "simulationId"],
  ...rootParts(SIMULATION),
  schema: component("DecisionSimulation", MEMBERS),
  isNamed: (sql, { decisionId, simulationId }) =>
    sql`decision_id = ${decisionId} and simulation_id = ${simulationId}`,
  entries: (sql, owner, row) =>
    executionEntry(
      sql,
      owner,
      executionOf({ feature_id: "DEC-008", strategy: "simulate" }, row, {
        simulationId: row.simulation_id,
        simulationRevision: row.revision,
      }),
    ),
});

export const SIMULATION_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "DecisionSimulationRevision",
  MEMBERS,
  ["CREATED"],
);
