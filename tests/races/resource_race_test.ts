/** Writes of one resource that meet, through two applications. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { patch } from "../http/decision.ts";
import { holdAfterWrite } from "../http/held_database.ts";
import { assertFailure, walkPages } from "../http/kernel.ts";
import { post, read } from "../http/memory.ts";
import { keep, resourcePath, SNAPSHOT } from "../http/resource.ts";
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
  readonly resource: Json;
}

async function setScene(): Promise<Scene> {
  const person = await world().person();
  const resource = await keep(person, { unit: "hours", capacity: 10, available: 5 });
  return { person, resource };
}

type Write = (person: Person, scene: Scene) => Promise<TestResponse>;

const measure: Write = (person, { resource }) =>
  post(person, resourcePath(resource, "/snapshots"), SNAPSHOT);

function change(set: JsonObject): Write {
  return (person, { resource }) =>
    patch(person, resourcePath(resource), { expectedRevision: 1, set });
}

/**
 * Sends the first request, holds it behind its write, sends the second one, and lets the first one go
 * once the second waits for it.
 */
async function race(
  scene: Scene,
  first: Write,
  second: Write,
): Promise<readonly [TestResponse, TestResponse]> {
  const held = holdAfterWrite(world().database);
  const slow = first(personOf(world().again({ database: held.database }), scene.person), scene);
  await held.reached;
  const waiting = second(scene.person, scene);
  // The other engine runs one transaction at a time: the second has not begun.
  if (ENGINE === "postgres") await waitForBlocked(world(), 1);
  held.letGo();
  return await Promise.all([slow, waiting]);
}

Deno.test("A snapshot waits for a change of its resource, and names the new revision and unit", async () => {
  const scene = await setScene();
  const [changed, measured] = await race(scene, change({ unit: "days" }), measure);
  assertEquals([changed.status, measured.status], [200, 201], measured.text);
  const { resourceRevision, unit } = measured.body.data;
  assertEquals([resourceRevision, unit], [2, "days"]);
});

Deno.test("A change waits for a snapshot of the revision before it", async () => {
  const scene = await setScene();
  const [measured, changed] = await race(scene, measure, change({ unit: "days" }));
  assertEquals([measured.status, changed.status], [201, 200], changed.text);
  const { resourceRevision, unit } = measured.body.data;
  assertEquals([resourceRevision, unit, changed.body.data.revision], [1, "hours", 2]);
});

Deno.test("Of two changes of one revision the second is a conflict", async () => {
  const scene = await setScene();
  const [first, second] = await race(scene, change({ level: 1 }), change({ level: 2 }));
  assertEquals(first.status, 200, first.text);
  assertFailure(second, "REVISION_CONFLICT");
  const { level, revision } = await read(scene.person, resourcePath(scene.resource));
  assertEquals([level, revision], [1, 2]);
});

Deno.test("An archival that waited for a change keeps what that set", async () => {
  const scene = await setScene();
  const archive: Write = (person, { resource }) =>
    post(person, resourcePath(resource, "/archive"), {});
  const [changed, archived] = await race(scene, change({ capacity: 5 }), archive);
  const { capacity, revision, archivedAt } = archived.body.data;
  assertEquals([changed.status, capacity, revision, archivedAt !== null], [200, 5, 3, true]);
});

Deno.test("Changes and snapshots at once leave every snapshot with its revision's unit", async () => {
  const scene = await setScene();
  const { person, resource } = scene;
  const units = Array.from({ length: 6 }, (_, index) => `unit ${index}`);
  await Promise.all(
    units.flatMap((unit) => [change({ unit })(person, scene), measure(person, scene)]),
  );
  const path = resourcePath(resource);
  for (const snapshot of (await walkPages(person, `${path}/snapshots`)).flat()) {
    const { unit } = await read(person, `${path}?revision=${snapshot.resourceRevision}`);
    assertEquals(snapshot.unit, unit);
  }
  assertEquals((await read(person, path)).revision, 2);
});
