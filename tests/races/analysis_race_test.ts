/** Analysis revisions with concurrent option changes, at two applications. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { ANALYSIS, decide, decisionPath, patch, REANALYSIS } from "../families/decision/api.ts";
import { assertInvalid } from "../http/kernel.ts";
import { done, post } from "../families/memory/api.ts";
import { type Caller, type Json, sharedWorld, type TestResponse } from "../support/world.ts";
import { race } from "./holding.ts";

const world = sharedWorld();

interface Scene {
  readonly caller: Caller;
  readonly decision: Json;
  readonly analysis: Json;
}

async function setScene(): Promise<Scene> {
  const caller = await world().createCaller();
  const decision = await decide(caller);
  const analysis = await done(caller, decisionPath(decision, "/analyses"), ANALYSIS);
  return { caller, decision, analysis };
}

function revise(
  caller: Caller,
  { analysis, decision }: Scene,
  body: JsonObject = { expectedRevision: 1 },
): Promise<TestResponse> {
  const path = decisionPath(decision, `/analyses/${analysis.analysisId}/revisions`);
  return post(caller, path, body);
}

function offer(
  caller: Caller,
  { decision }: Scene,
  items: readonly string[],
): Promise<TestResponse> {
  const body = { expectedRevision: 1, set: { options: { items: [...items] } } };
  return patch(caller, decisionPath(decision), body);
}

Deno.test("A revision waits for an options change, and is computed for the new options", async () => {
  const scene = await setScene();
  const items = ["Near work", "By the river"];
  const [changed, revised] = await race(world(), scene.caller, [
    (caller) => offer(caller, scene, items),
    (caller) => revise(caller, scene),
  ]);
  assertEquals([changed.status, revised.status], [200, 200], revised.text);
  const { decisionRevision, totals } = revised.body.data;
  assertEquals([decisionRevision, totals.map(({ option }: Json) => option)], [2, items]);
});

Deno.test("A revision that waited is rejected if its options are gone", async () => {
  const scene = await setScene();
  const [changed, revised] = await race(world(), scene.caller, [
    (caller) => offer(caller, scene, ["Near work", "Far away"]),
    (caller) => revise(caller, scene),
  ]);
  assertEquals(changed.status, 200, changed.text);
  assertInvalid(revised, ["option.unknown"], ["scores"]);
});

Deno.test("An options change waits for a revision computed for the old options", async () => {
  const scene = await setScene();
  const [revised, changed] = await race(world(), scene.caller, [
    (caller) => revise(caller, scene, REANALYSIS),
    (caller) => offer(caller, scene, ["Near work", "Far away"]),
  ]);
  assertEquals([revised.status, changed.status], [200, 200], revised.text);
  assertEquals([revised.body.data.decisionRevision, changed.body.data.revision], [1, 2]);
});
