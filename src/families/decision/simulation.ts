/** The stored simulations: a root below its decision that never changes, and its execution. */

import { revisionSchema } from "../kit/list_routes.ts";
import { ROOT_MEMBERS, type RootRow, type ShownRoot, showRoot } from "../kit/root.ts";
import { storedRoot } from "../kit/tables.ts";
import { executionEntry } from "../../records/port.ts";
import { RawJson } from "../../validate/json_output.ts";
import {
  component,
  type JsonSchema,
  listOf,
  objectOf,
  REVISION,
  TEXT,
  ULID,
} from "../../validate/json_schema.ts";
import { executionOf } from "./execution.ts";
import { SIMULATION_ALGORITHM } from "./simulation_algorithm.ts";
import { SIMULATION_BODY } from "./simulation_schema.ts";
import type { DecisionTypes } from "./decision_store.ts";

/** A simulation as read from the database. */
export interface SimulationRow extends RootRow {
  readonly simulation_id: string;
  readonly decision_id: string;
  /** The revision of the decision whose options were simulated. */
  readonly decision_revision: number;
  readonly algorithm: number;
  readonly seed: number;
  readonly runs: number;
  /** What was sent, with the decision's spelling of its options: a JSON text, like `results`. */
  readonly options: string;
  readonly results: string;
}

/** A simulation as a client sees it. */
interface Simulation extends ShownRoot {
  readonly simulationId: string;
  readonly decisionId: string;
  readonly decisionRevision: number;
  readonly algorithm: number;
  readonly seed: number;
  readonly runs: number;
  readonly options: RawJson;
  readonly results: RawJson;
}

/** The types of the root. */
export interface SimulationTypes {
  readonly key: DecisionTypes["key"] & { readonly simulationId: string };
  readonly row: SimulationRow;
  readonly change: never;
  readonly shown: Simulation;
}

const FIGURE: JsonSchema = { type: "number" };

const MEMBERS = {
  simulationId: ULID,
  decisionId: ULID,
  decisionRevision: REVISION,
  algorithm: { const: SIMULATION_ALGORITHM },
  seed: SIMULATION_BODY.seed.json,
  runs: SIMULATION_BODY.runs.json,
  options: SIMULATION_BODY.options.json,
  results: listOf(objectOf({
    option: TEXT,
    mean: FIGURE,
    standardDeviation: { ...FIGURE, minimum: 0 },
    p5: FIGURE,
    p50: FIGURE,
    p95: FIGURE,
    probabilityBest: { ...FIGURE, minimum: 0, maximum: 1 },
  })),
  ...ROOT_MEMBERS,
} as const satisfies { readonly [Name in keyof Simulation]: JsonSchema };

/** Simulations below their decisions. */
export const STORED_SIMULATIONS = storedRoot<SimulationTypes>({
  module: "decision",
  policy: "decision-simulation",
  keyNames: ["decisionId", "simulationId"],
  idOf: (row) => row.simulation_id,
  show: (row) => ({
    simulationId: row.simulation_id,
    decisionId: row.decision_id,
    decisionRevision: row.decision_revision,
    algorithm: row.algorithm,
    seed: row.seed,
    runs: row.runs,
    options: new RawJson(row.options),
    results: new RawJson(row.results),
    ...showRoot(row),
  }),
  schema: component<Simulation>("DecisionSimulation", MEMBERS),
  tables: (sql) => ({
    root: sql`decision_simulations`,
    ledger: sql`decision_simulation_revisions`,
    id: sql`simulation_id`,
    fixed: sql`simulation_id, decision_id`,
    changing: sql`decision_revision, algorithm, seed, runs, options, results`,
    // A double has every seed exactly; the driver reads it as a number.
    short: sql`decision_revision, algorithm, seed::double precision as seed, runs`,
    long: {
      kind: "json",
      columns: { options: sql`options`, results: sql`results` },
      hidden: null,
    },
  }),
  isNamed: (sql, { decisionId, simulationId }) =>
    sql`decision_id = ${decisionId} and simulation_id = ${simulationId}`,
  fixedValues: (sql, row) => sql`${row.simulation_id}, ${row.decision_id}`,
  changingValues: (sql, row) =>
    sql`${row.decision_revision}::integer, ${row.algorithm}::integer, ${row.seed}::bigint,
      ${row.runs}::integer, ${row.options}::text::json, ${row.results}::text::json`,
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

/** The schema of the only revision of each. */
export const SIMULATION_REVISION_SCHEMA: JsonSchema = revisionSchema(
  "DecisionSimulationRevision",
  MEMBERS,
  ["CREATED"],
);
