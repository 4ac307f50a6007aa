/** RES-003 and RES-006: snapshots and the network. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { seededRandom } from "../support/random.ts";
import { type Json, sharedWorld } from "../support/world.ts";
import { patch } from "../families/decision/api.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  tableCounts,
  walkPages,
} from "./kernel.ts";
import { assertCreatesWithClocks } from "./local_times.ts";
import { done, post, read } from "../families/memory/api.ts";
import {
  keep,
  measure,
  NETWORK,
  resourcePath,
  RESOURCES,
  SNAPSHOT,
} from "../families/resource/api.ts";

const world = sharedWorld();

const WHOLE: JsonObject = {
  observedAt: "2026-03-01T12:00:00.123+01:00",
  amount: -0.1,
  capacity: 1e12,
  available: 1e12,
  level: 99.9,
  note: "",
};

Deno.test("A snapshot has the measured figures, unit and revision of its time", async () => {
  const caller = await world().createCaller();
  const resource = await keep(caller, { unit: "hours", amount: 5, level: 7 });
  const path = resourcePath(resource);
  await patch(caller, path, { expectedRevision: 1, set: { unit: "days" } });
  const before = await tableCounts(world());
  const response = await post(caller, `${path}/snapshots`, WHOLE);
  assertEquals(response.status, 201, response.text);
  const snapshot = response.body.data;
  assertEquals(response.headers.get("Location"), `${path}/snapshots/${snapshot.snapshotId}`);
  const expected = {
    snapshotId: snapshot.snapshotId,
    resourceId: resource.resourceId,
    resourceRevision: 2,
    observedAt: "2026-03-01T11:00:00.123Z",
    amount: -0.1,
    unit: "days",
    capacity: 1e12,
    available: 1e12,
    level: 99.9,
    note: "",
    createdAt: world().now().toISOString(),
    localTimes: { observedAt: "2026-03-01T12:00:00.123+01:00" },
  };
  assertEquals(snapshot, expected);
  assertEquals(Object.keys(snapshot), Object.keys(expected));
  const after = await tableCounts(world());
  const added = Object.keys(after).filter((table) => after[table] !== before[table]);
  assertEquals(added, ["audit_entries", "idempotency_envelopes", "resource_snapshots"]);

  // Later changes do not affect each other.
  await patch(caller, path, { expectedRevision: 2, remove: ["unit"] });
  assertEquals(await read(caller, `${path}/snapshots/${snapshot.snapshotId}`), snapshot);
  const { revision, amount, level } = await read(caller, path);
  assertEquals([revision, amount, level], [3, 5, 7]);
  const later = await measure(caller, resource);
  assertEquals([later.resourceRevision, later.unit], [3, null]);
  const { items } = await read(caller, `/api/v2/audit?subjectId=${snapshot.snapshotId}`);
  assertEquals(
    items.map(({ operation, moduleCode, revision }: Json) => [operation, moduleCode, revision]),
    [["resource.snapshot.create", "resource", null]],
  );
});

Deno.test("A snapshot requires one figure, and leaves the others null", async () => {
  const caller = await world().createCaller();
  const resource = await keep(caller, { amount: 1, capacity: 2, available: 2, level: 3 });
  const none = { amount: null, capacity: null, available: null, level: null };
  for (const [name, value] of [["amount", 0], ["capacity", 0], ["available", -1], ["level", 0]]) {
    const body = { observedAt: "2026-01-01T00:00:00Z", [name as string]: value as number };
    const path = resourcePath(resource, "/snapshots");
    const { amount, capacity, available, level, note } = await done(caller, path, body);
    const figures = { amount, capacity, available, level };
    assertEquals([figures, note], [{ ...none, [name as string]: value }, null]);
  }
});

Deno.test("An invalid snapshot is rejected with every wrong field, before its resource is found", async () => {
  const caller = await world().createCaller();
  const resource = await keep(caller, { capacity: 1 });
  const future = new Date(world().now().getTime() + 5 * 60_000 + 1).toISOString();
  const figures = ["amount", "capacity", "available", "level"];
  const cases: [Json, readonly string[], readonly string[]][] = [
    [{ observedAt: future }, ["snapshot.observed_at_not_in_the_future"], ["observedAt"]],
    [{ observedAt: "2026-01-01T00:00:00" }, ["field.datetime"], ["observedAt"]],
    [{ observedAt: undefined }, ["field.required"], ["observedAt"]],
    [{ amount: undefined }, ["snapshot.has_a_figure"], figures],
    [{ amount: 1e12 + 1 }, ["field.range"], ["amount"]],
    [{ amount: -1e12 - 1 }, ["field.range"], ["amount"]],
    [{ capacity: -1 }, ["field.range"], ["capacity"]],
    [{ available: 1e12 + 1 }, ["field.range"], ["available"]],
    [{ available: null }, ["field.null"], ["available"]],
    [{ level: "1" }, ["field.type"], ["level"]],
    [
      { capacity: 1, available: 1.000001 },
      ["resource.available_not_above_capacity"],
      ["available", "capacity"],
    ],
    [{ level: 101 }, ["field.range", "resource.level_is_a_percentage"], ["level"]],
    [{ note: "x".repeat(100_001) }, ["field.length"], ["note"]],
    [{ unit: "hours" }, ["undeclared_field"], []],
    [{ notes: "A" }, ["undeclared_field"], []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [wrong, rules, fields] of cases) {
      for (const target of [resource, { resourceId: ulid() }]) {
        const sent = { ...SNAPSHOT, ...wrong };
        const body = Object.fromEntries(
          Object.entries(sent).filter(([, value]) => value !== undefined),
        );
        const response = await post(caller, resourcePath(target, "/snapshots"), body as JsonObject);
        assertInvalid(response, rules, fields, JSON.stringify(wrong).slice(0, 80));
      }
    }
    const unknown = await post(caller, `${RESOURCES}/${ulid()}/snapshots`, SNAPSHOT);
    assertFailure(unknown, "RECORD_NOT_FOUND");
  });
  // The snapshot's own limits, with five minutes of clock skew.
  const soon = new Date(world().now().getTime() + 5 * 60_000).toISOString();
  const most = { observedAt: soon, available: 2, note: "🚀".repeat(100_000) };
  const snapshot = await measure(caller, resource, most);
  const path = resourcePath(resource, `/snapshots/${snapshot.snapshotId}`);
  assertEquals(await read(caller, path), snapshot);
});

Deno.test("Snapshots are listed newest first, for their resource only", async () => {
  const caller = await world().createCaller();
  const [resource, other] = [await keep(caller), await keep(caller)];
  const snapshots: Json[] = [];
  for (let index = 0; index < 5; index++) {
    world().advance(1);
    snapshots.unshift(await measure(caller, resource, { amount: index }));
    await measure(caller, other);
  }
  const path = resourcePath(resource, "/snapshots");
  assertEquals((await walkPages(caller, path, { limit: "2" })).flat(), snapshots);
  const [newest] = snapshots;
  const elsewhere = resourcePath(other, "/snapshots");
  assertFailure(await caller.call("GET", `${elsewhere}/${newest.snapshotId}`), "RECORD_NOT_FOUND");
  const cursor = await caller.call("GET", `${elsewhere}?cursor=${newest.snapshotId}`);
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
  assertFailure(await caller.call("GET", `${RESOURCES}/${ulid()}/snapshots`), "RECORD_NOT_FOUND");
  const stranger = await world().createCaller();
  for (const end of ["", `/${newest.snapshotId}`, `?cursor=${newest.snapshotId}`]) {
    assertFailure(await stranger.call("GET", path + end), "RECORD_NOT_FOUND", end);
  }
  await assertWritesNothing(world(), async () => {
    assertFailure(await post(stranger, path, SNAPSHOT), "RECORD_NOT_FOUND");
  });
});

Deno.test("An archived resource accepts snapshots, and a repetition returns the first one", async () => {
  const caller = await world().createCaller();
  const resource = await keep(caller, { unit: "hours" });
  const path = resourcePath(resource);
  await done(caller, `${path}/archive`, {});
  const key = ulid();
  const call = (body: JsonObject) => caller.call("POST", `${path}/snapshots`, { key, body });
  const first = await call(SNAPSHOT);
  assertEquals([first.status, first.body.data.resourceRevision], [201, 2]);
  await patch(caller, path, { expectedRevision: 2, set: { unit: "days" } });
  await assertWritesNothing(world(), async () => {
    const again = await call(SNAPSHOT);
    assertEquals([again.status, again.body.data], [201, first.body.data]);
    assertEquals(again.headers.get("Idempotency-Replayed"), "true");
    assertFailure(await call({ ...SNAPSHOT, amount: 2 }), "IDEMPOTENCY_KEY_REUSED");
  });
});

Deno.test("A snapshot keeps the clock of its time, also in the network", async () => {
  const caller = await world().createCaller();
  const resource = await keep(caller, { resourceType: "NETWORK" });
  const collection = resourcePath(resource, "/snapshots");
  const creation = { collection, body: SNAPSHOT, times: ["observedAt"] };
  const { data, assertRepeats } = await assertCreatesWithClocks(world(), caller, creation);
  await assertRepeats();
  assertEquals((await read(caller, collection)).items, [data]);
  assertEquals((await read(caller, NETWORK)).items, [{ resource, latestSnapshot: data }]);
});

/** A resource with its latest snapshot. */
interface Node {
  readonly resource: Json;
  readonly latestSnapshot: Json;
}

Deno.test("The network lists live resources of its type with their latest snapshots", async () => {
  const caller = await world().createCaller();
  const random = seededRandom(6);
  const nodes: Node[] = [];
  for (let index = 0; index < 7; index++) {
    world().advance(1);
    const resource = await keep(caller, { resourceType: "NETWORK", unit: `unit ${index}` });
    const snapshots: Json[] = [];
    for (let count = random.integer(0, 4); count > 0; count--) {
      world().advance(1);
      // Equal times: the last recorded wins.
      const observedAt = `2026-01-0${random.integer(1, 2)}T00:00:00.000Z`;
      snapshots.push(await measure(caller, resource, { observedAt, amount: count }));
    }
    const order = ({ observedAt, snapshotId }: Json) => observedAt + snapshotId;
    snapshots.sort((one, other) => order(one) < order(other) ? 1 : -1);
    nodes.unshift({ resource, latestSnapshot: snapshots[0] ?? null });
  }
  const gone = await keep(caller, { resourceType: "NETWORK" });
  await measure(caller, gone);
  await done(caller, resourcePath(gone, "/archive"), {});
  await keep(caller, { resourceType: "TIME" });
  const stranger = await world().createCaller();
  await measure(stranger, await keep(stranger, { resourceType: "NETWORK" }));

  assert(nodes.some(({ latestSnapshot }) => latestSnapshot === null));
  assert(nodes.some(({ latestSnapshot }) => latestSnapshot !== null));
  assertEquals((await walkPages(caller, NETWORK)).flat(), nodes);
  const pages = await walkPages(caller, NETWORK, { limit: "2" });
  assertEquals([pages.length, pages.flat()], [4, nodes]);
  const [second] = nodes.slice(1);
  const after = await read(caller, `${NETWORK}?cursor=${second?.resource.resourceId}&limit=1`);
  assertEquals(after.items, nodes.slice(2, 3));
  for (const cursor of [ulid(), "x"]) {
    const response = await caller.call("GET", `${NETWORK}?cursor=${cursor}`);
    assertFailure(response, "PAYLOAD_INVALID");
  }
  const strange = await stranger.call("GET", `${NETWORK}?cursor=${second?.resource.resourceId}`);
  assertInvalid(strange, ["cursor.unknown"], ["cursor"]);
});

Deno.test("A page of the network ends before its limit for long notes of resources and snapshots", async () => {
  const caller = await world().createCaller();
  const long = "🚀".repeat(100_000);
  for (let index = 0; index < 12; index++) {
    const resource = await keep(caller, { resourceType: "NETWORK", notes: long });
    await measure(caller, resource, { note: long });
  }
  const pages = await walkPages(caller, NETWORK, { limit: "100" });
  assert(pages.length > 1);
  assertEquals(pages.flat().length, 12);
  assert(pages.flat().every(({ latestSnapshot }) => latestSnapshot.note === long));
});
