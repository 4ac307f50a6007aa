/** Decision texts in ledgers, log, errors, or for another owner. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import {
  ANALYSIS,
  COUNTERFACTUAL,
  decide,
  DECISION,
  decisionPath,
  DECISIONS,
  OUTCOME,
  patch,
  PREDICTION,
  SIMULATION,
} from "../families/decision/api.ts";
import { done, post } from "../families/memory/api.ts";
import { Markers } from "../support/markers.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";

const shared = fileWorld();

/** Every text is marked, with one object of each kind; paths by kind. */
async function markedDecision(
  caller: Caller,
  markers: Markers,
): Promise<{ readonly decision: Json; readonly paths: readonly string[] }> {
  const mark = (purpose: string) => markers.make(purpose);
  const [one, other] = [mark("option"), mark("other option")];
  const words = () => ({ question: mark("question"), rationale: mark("rationale") });
  const decision = await decide(caller, { ...words(), options: { items: [one, other] } });
  const path = decisionPath(decision);
  await patch(caller, path, { expectedRevision: 1, set: words() });
  const criterion = mark("criterion");
  const made = [
    ["analyses", "analysisId", {
      criteria: [{ name: criterion, weight: 1 }],
      scores: { [one]: { [criterion]: 9 }, [other]: { [criterion]: 5 } },
    }],
    ["predictions", "predictionId", { ...PREDICTION, statement: mark("statement") }],
    ["outcomes", "outcomeId", { ...OUTCOME, description: mark("description") }],
    ["counterfactuals", "counterfactualId", {
      ...COUNTERFACTUAL,
      option: other,
      narrative: mark("narrative"),
    }],
    ["simulations", "simulationId", {
      seed: 42,
      runs: 1_000,
      options: [one, other].map((option) => ({
        option,
        factors: [{
          name: mark("factor"),
          weight: 1,
          distribution: "UNIFORM",
          minimum: 0,
          maximum: 1,
        }],
      })),
    }],
  ] as const satisfies readonly [string, string, JsonObject][];
  const paths = [path, `${path}?revision=1`, `${path}/revisions`];
  for (const [kind, id, body] of made) {
    const { [id]: itsId } = await done(caller, `${path}/${kind}`, body);
    paths.push(`${path}/${kind}`, `${path}/${kind}/${itsId}`);
  }
  return { decision, paths };
}

Deno.test("No audit entry, envelope, execution or log line has text of a decision", async () => {
  const world = shared();
  const markers = new Markers();
  await markedDecision(await world.createCaller(), markers);
  const columns = Object.keys(await markers.assertLedgersTellNothing(world));
  const tables = new Set(columns.map((column) => column.split(".")[0] ?? ""));
  assertEquals([...tables].filter((table) => !table.startsWith("decision")).sort(), [
    "record_order",
    "record_revisions",
    "records",
    "search_index",
  ]);
});

Deno.test("No route shows another owner text of a decision", async () => {
  const world = shared();
  const markers = new Markers();
  const owner = await world.createCaller();
  const { decision, paths } = await markedDecision(owner, markers);
  const other = await world.createCaller();
  const generic = "/api/v2/records/decision";
  const reads = [...paths, DECISIONS, generic, `${generic}/${decision.decisionId}`];
  for (const read of reads) {
    const own = await owner.call("GET", read);
    assertEquals([own.status, markers.inResponse(own).length > 0], [200, true], read);
    assertEquals(markers.inResponse(await other.call("GET", read)), [], read);
  }
  const path = decisionPath(decision);
  const writes: [string, string, JsonObject][] = [
    ["PATCH", path, { expectedRevision: 2, set: { rationale: "Mine" } }],
    ["POST", `${path}/archive`, {}],
    ["POST", `${path}/predictions`, PREDICTION],
    ["POST", `${path}/outcomes`, OUTCOME],
    ["POST", `${path}/simulations`, SIMULATION],
    ["POST", `${path}/analyses`, ANALYSIS],
  ];
  for (const [method, target, body] of writes) {
    markers.assertTellsNothing(await other.call(method, target, { body }), target);
  }
});

Deno.test("No error about a decision repeats what was sent or stored", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const { decision } = await markedDecision(caller, markers);
  const path = decisionPath(decision);
  const word = markers.make("sent");
  const refused: [string, JsonObject][] = [
    [DECISIONS, { ...DECISION, question: 1, rationale: word, [word]: word }],
    [DECISIONS, { question: word, options: { items: word } }],
    [`${path}/analyses`, { criteria: [{ name: word, weight: word }], scores: { [word]: word } }],
    [`${path}/predictions`, { ...PREDICTION, statement: word, probability: word, dueAt: word }],
    [`${path}/outcomes`, { ...OUTCOME, observedAt: word, predictionId: word, [word]: word }],
    [`${path}/counterfactuals`, { ...COUNTERFACTUAL, option: word, confidence: word }],
    [`${path}/simulations`, { ...SIMULATION, options: [{ option: word, factors: [word] }] }],
  ];
  for (const [target, body] of refused) {
    markers.assertTellsNothing(await post(caller, target, body), target);
  }
  const stale = { expectedRevision: 1, set: { rationale: word } };
  markers.assertTellsNothing(await patch(caller, path, stale), "a stale patch");
  const unknown = { expectedRevision: 2, set: { [word]: word }, remove: [word] };
  markers.assertTellsNothing(await patch(caller, path, unknown), "an undeclared field");
  assertEquals(markers.in(JSON.stringify(world.log)), []);
});
