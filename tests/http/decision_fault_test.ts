/** Atomic writes about a decision. */

import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { assertWholeOrNothing, faultyDatabase } from "../support/faulty_database.ts";
import { callerOf, fileWorld } from "../support/world.ts";
import {
  ANALYSIS,
  COUNTERFACTUAL,
  decide,
  DECISION,
  decisionPath,
  DECISIONS,
  OUTCOME,
  PREDICTION,
  REANALYSIS,
  SIMULATION,
} from "../families/decision/api.ts";
import { done } from "../families/memory/api.ts";

const world = fileWorld();

async function tablesOfDecisions(): Promise<string[]> {
  const rows = await world().rows(`
    select table_name as name from information_schema.tables
     where table_schema = 'public' and table_name like 'decision%'`);
  const common = ["records", "record_revisions", "search_index", "executions"];
  return [...rows.map(({ name }) => name), ...common, "audit_entries", "idempotency_envelopes"];
}

Deno.test("Each write about a decision is atomic, wherever it breaks off", async () => {
  const faulty = faultyDatabase(world().database);
  const owner = await world().createCaller();
  const caller = callerOf(world().again({ database: faulty.database }), owner);
  const decision = await decide(owner);
  const at = (below: string) => decisionPath(decision, below);
  const { analysisId } = await done(owner, at("/analyses"), ANALYSIS);
  const { predictionId } = await done(owner, at("/predictions"), PREDICTION);
  const { counterfactualId } = await done(owner, at("/counterfactuals"), COUNTERFACTUAL);
  const change = (set: JsonObject) => ({ expectedRevision: 1, set });
  const writes: readonly [string, string, JsonObject][] = [
    ["POST", DECISIONS, DECISION],
    ["PATCH", at(""), change({ rationale: "The light." })],
    ["POST", at("/archive"), {}],
    ["POST", at("/analyses"), ANALYSIS],
    ["POST", at(`/analyses/${analysisId}/revisions`), REANALYSIS],
    ["PATCH", at(`/predictions/${predictionId}`), change({ probability: 0.5 })],
    ["POST", at("/outcomes"), { ...OUTCOME, predictionId }],
    ["PATCH", at(`/counterfactuals/${counterfactualId}`), change({ option: "Neither" })],
    ["POST", at("/simulations"), SIMULATION],
  ];
  const tables = await tablesOfDecisions();
  for (const [method, path, body] of writes) {
    const key = ulid();
    const send = () => caller.call(method, path, { key, body });
    await assertWholeOrNothing(world(), faulty, tables, send);
  }
});
