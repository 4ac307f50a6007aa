/** Concurrent writes of one resource. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { patch } from "../families/decision/api.ts";
import { assertFailure, walkPages } from "../http/kernel.ts";
import { post, read } from "../families/memory/api.ts";
import { keep, resourcePath, SNAPSHOT } from "../families/resource/api.ts";
import { type Caller, type Json, sharedWorld, type TestResponse } from "../support/world.ts";
import { race } from "./holding.ts";

const world = sharedWorld();

interface Scene {
  readonly caller: Caller;
  readonly resource: Json;
}

async function setScene(): Promise<Scene> {
  const caller = await world().createCaller();
  const resource = await keep(caller, { unit: "hours", capacity: 10, available: 5 });
  return { caller, resource };
}

type Write = (caller: Caller, scene: Scene) => Promise<TestResponse>;

const measure: Write = (caller, { resource }) =>
  post(caller, resourcePath(resource, "/snapshots"), SNAPSHOT);

function change(set: JsonObject): Write {
  return (caller, { resource }) =>
    patch(caller, resourcePath(resource), { expectedRevision: 1, set });
}

/** The second while the first is held. */
function raceWrites(
  scene: Scene,
  first: Write,
  second: Write,
): Promise<readonly [TestResponse, TestResponse]> {
  return race(world(), scene.caller, [
    (caller) => first(caller, scene),
    (caller) => second(caller, scene),
  ]);
}

Deno.test("A snapshot waits for a resource change, and has the new revision and unit", async () => {
  const scene = await setScene();
  const [changed, measured] = await raceWrites(scene, change({ unit: "days" }), measure);
  assertEquals([changed.status, measured.status], [200, 201], measured.text);
  const { resourceRevision, unit } = measured.body.data;
  assertEquals([resourceRevision, unit], [2, "days"]);
});

Deno.test("A change waits for a snapshot of the revision before it", async () => {
  const scene = await setScene();
  const [measured, changed] = await raceWrites(scene, measure, change({ unit: "days" }));
  assertEquals([measured.status, changed.status], [201, 200], changed.text);
  const { resourceRevision, unit } = measured.body.data;
  assertEquals([resourceRevision, unit, changed.body.data.revision], [1, "hours", 2]);
});

Deno.test("Of two changes of one revision the second is a conflict", async () => {
  const scene = await setScene();
  const [first, second] = await raceWrites(scene, change({ level: 1 }), change({ level: 2 }));
  assertEquals(first.status, 200, first.text);
  assertFailure(second, "REVISION_CONFLICT");
  const { level, revision } = await read(scene.caller, resourcePath(scene.resource));
  assertEquals([level, revision], [1, 2]);
});

Deno.test("An archival that waited for a change keeps its values", async () => {
  const scene = await setScene();
  const archive: Write = (caller, { resource }) =>
    post(caller, resourcePath(resource, "/archive"), {});
  const [changed, archived] = await raceWrites(scene, change({ capacity: 5 }), archive);
  const { capacity, revision, archivedAt } = archived.body.data;
  assertEquals([changed.status, capacity, revision, archivedAt !== null], [200, 5, 3, true]);
});

Deno.test("Concurrent changes and snapshots give every snapshot its revision's unit", async () => {
  const scene = await setScene();
  const { caller, resource } = scene;
  const units = Array.from({ length: 6 }, (_, index) => `unit ${index}`);
  await Promise.all(
    units.flatMap((unit) => [change({ unit })(caller, scene), measure(caller, scene)]),
  );
  const path = resourcePath(resource);
  for (const snapshot of (await walkPages(caller, `${path}/snapshots`)).flat()) {
    const { unit } = await read(caller, `${path}?revision=${snapshot.resourceRevision}`);
    assertEquals(snapshot.unit, unit);
  }
  assertEquals((await read(caller, path)).revision, 2);
});
