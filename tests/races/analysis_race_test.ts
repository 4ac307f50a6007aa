/** Revisions of an analysis beside changes of its decision's options, through two applications. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { ANALYSIS, decide, decisionPath, patch, REANALYSIS } from "../http/decision.ts";
import { holdAfterWrite } from "../http/held_database.ts";
import { assertInvalid } from "../http/kernel.ts";
import { done, post } from "../http/memory.ts";
import { waitForBlocked } from "../storage/held.ts";
import {
  ENGINE,
  type Json,
  type Person,
  personOf,
  sharedWorld,
  type TestResponse,
} from "../support/world.ts";

const world = sharedWorld();

interface Scene {
  readonly person: Person;
  readonly decision: Json;
  readonly analysis: Json;
}

async function setScene(): Promise<Scene> {
  const person = await world().person();
  const decision = await decide(person);
  const analysis = await done(person, decisionPath(decision, "/analyses"), ANALYSIS);
  return { person, decision, analysis };
}

function revise(
  person: Person,
  { analysis, decision }: Scene,
  body: JsonObject = { expectedRevision: 1 },
): Promise<TestResponse> {
  const path = decisionPath(decision, `/analyses/${analysis.analysisId}/revisions`);
  return post(person, path, body);
}

function offer(
  person: Person,
  { decision }: Scene,
  items: readonly string[],
): Promise<TestResponse> {
  const body = { expectedRevision: 1, set: { options: { items: [...items] } } };
  return patch(person, decisionPath(decision), body);
}

/**
 * Sends the first request, holds it behind its write, sends the second one, and lets the first one go
 * once the second waits for it.
 */
async function race(
  scene: Scene,
  first: (person: Person) => Promise<TestResponse>,
  second: (person: Person) => Promise<TestResponse>,
): Promise<readonly [TestResponse, TestResponse]> {
  const held = holdAfterWrite(world().database);
  const slow = first(personOf(world().again({ database: held.database }), scene.person));
  await held.reached;
  const waiting = second(scene.person);
  // The other engine runs one transaction at a time: the second has not begun.
  if (ENGINE === "postgres") await waitForBlocked(world(), 1);
  held.letGo();
  return await Promise.all([slow, waiting]);
}

Deno.test("A revision waits for a change of the options, and is computed for the new ones", async () => {
  const scene = await setScene();
  const items = ["Near work", "By the river"];
  const [changed, revised] = await race(
    scene,
    (person) => offer(person, scene, items),
    (person) => revise(person, scene),
  );
  assertEquals([changed.status, revised.status], [200, 200], revised.text);
  const { decisionRevision, totals } = revised.body.data;
  assertEquals([decisionRevision, totals.map(({ option }: Json) => option)], [2, items]);
});

Deno.test("A revision that waited is refused where its options are gone", async () => {
  const scene = await setScene();
  const [changed, revised] = await race(
    scene,
    (person) => offer(person, scene, ["Near work", "Far away"]),
    (person) => revise(person, scene),
  );
  assertEquals(changed.status, 200, changed.text);
  assertInvalid(revised, ["option.unknown"], ["scores"]);
});

Deno.test("A change of the options waits for a revision that is computed for the old ones", async () => {
  const scene = await setScene();
  const [revised, changed] = await race(
    scene,
    (person) => revise(person, scene, REANALYSIS),
    (person) => offer(person, scene, ["Near work", "Far away"]),
  );
  assertEquals([revised.status, changed.status], [200, 200], revised.text);
  assertEquals([revised.body.data.decisionRevision, changed.body.data.revision], [1, 2]);
});
