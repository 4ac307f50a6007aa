/** IDN-004: snapshots. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import {
  changed,
  identityAudit,
  introduce,
  NO_FIELDS,
  PROFILE,
  SNAPSHOTS,
  WHOLE_PROFILE,
} from "../families/identity/api.ts";
import { done, post, read } from "../families/memory/api.ts";

const world = sharedWorld();

async function someone(body?: JsonObject): Promise<Caller> {
  const caller = await world().createCaller();
  await introduce(caller, body);
  return caller;
}

Deno.test("A snapshot without fields freezes the current profile", async () => {
  const caller = await someone(WHOLE_PROFILE);
  const response = await post(caller, SNAPSHOTS, { label: "Today" });
  assertEquals(response.status, 201, response.text);
  const snapshot = response.body.data;
  assertEquals(response.headers.get("Location"), `${SNAPSHOTS}/${snapshot.snapshotId}`);
  assertEquals(snapshot, {
    snapshotId: snapshot.snapshotId,
    label: "Today",
    asOf: null,
    fields: WHOLE_PROFILE,
    localTimes: {},
    profileRevision: 1,
    createdAt: world().now().toISOString(),
  });
  assertEquals(await read(caller, `${SNAPSHOTS}/${snapshot.snapshotId}`), snapshot);
  const set = { displayName: "Eda", tags: [] };
  await changed(caller, PROFILE, { expectedRevision: 1, set, remove: ["biography", "endedAt"] });
  const next = await done(caller, SNAPSHOTS, { label: "Later" });
  const fields = { ...WHOLE_PROFILE, ...set, biography: null, endedAt: null };
  assertEquals([next.fields, next.profileRevision], [fields, 2]);
  assertEquals(await read(caller, `${SNAPSHOTS}/${snapshot.snapshotId}`), snapshot);
  const { profileId } = await read(caller, PROFILE);
  const entries = [
    `identity.profile.create 1 ${profileId}`,
    `identity.profile.modify 2 ${profileId}`,
    ...[snapshot, next].map(({ snapshotId }) => `identity.snapshot.create null ${snapshotId}`),
  ];
  assertEquals(await identityAudit(caller), entries.sort());
});

Deno.test("A stated snapshot takes nothing from the profile", async () => {
  const caller = await someone(WHOLE_PROFILE);
  const pastSelves: [JsonObject, JsonObject][] = [
    [{ currentRole: "Pupil" }, { currentRole: "Pupil" }],
    [{ tags: [] }, { tags: [] }],
    [{ biography: "" }, { biography: "" }],
    [
      { startedAt: "0001-01-01T00:00:00Z", endedAt: "9999-12-31T23:59:59.999Z", tags: ["a", "a"] },
      {
        startedAt: "0001-01-01T00:00:00.000Z",
        endedAt: "9999-12-31T23:59:59.999Z",
        tags: ["a"],
      },
    ],
    [WHOLE_PROFILE, WHOLE_PROFILE],
  ];
  for (const [fields, kept] of pastSelves) {
    const body = { label: "At twenty", asOf: "2005-05-05T12:00:00+02:00", fields };
    const snapshot = await done(caller, SNAPSHOTS, body);
    assertEquals(snapshot.fields, { ...NO_FIELDS, ...kept });
    assertEquals([snapshot.profileRevision, snapshot.asOf], [null, "2005-05-05T10:00:00.000Z"]);
    assertEquals(await read(caller, `${SNAPSHOTS}/${snapshot.snapshotId}`), snapshot);
  }
  assertEquals((await read(caller, PROFILE)).revision, 1);
});

Deno.test("An invalid snapshot is rejected with everything wrong, and writes nothing", async () => {
  const caller = await someone();
  const future = new Date(world().now().getTime() + 300_001).toISOString();
  const reversed = { startedAt: "2002-01-01T00:00:00Z", endedAt: "2001-01-01T00:00:00Z" };
  const cases: [JsonObject, string[], string[]][] = [
    [{ label: " " }, ["field.blank"], ["label"]],
    [{ label: "x".repeat(201) }, ["field.length"], ["label"]],
    [{ label: "a\nb" }, ["field.control_character"], ["label"]],
    [{ asOf: "2005-05-05" }, ["field.datetime"], ["asOf"]],
    [{ asOf: future }, ["identity.snapshot_as_of_not_in_the_future"], ["asOf"]],
    [{ fields: {} }, ["change.required"], []],
    [{ fields: null }, ["field.type"], ["fields"]],
    [{ fields: [] }, ["field.type"], ["fields"]],
    [{ fields: { name: "x" } }, ["undeclared_field"], []],
    [{ fields: { displayName: "" } }, ["field.blank"], ["displayName"]],
    [{ fields: { displayName: null } }, ["field.null"], ["displayName"]],
    [{ fields: { lifeStage: "YOUTH" } }, ["field.option"], ["lifeStage"]],
    [{ fields: reversed }, ["identity.started_at_not_after_ended_at"], ["startedAt", "endedAt"]],
    [{ profileRevision: 1 }, ["undeclared_field"], []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [wrong, rules, fields] of cases) {
      const response = await post(caller, SNAPSHOTS, { label: "A", ...wrong });
      assertInvalid(response, rules, fields, JSON.stringify(wrong).slice(0, 60));
    }
    assertInvalid(await post(caller, SNAPSHOTS, {}), ["field.required"], ["label"]);
  });
});

Deno.test("Without a profile a snapshot is rejected after its body, and the list is empty", async () => {
  const caller = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    for (const body of [{ label: "A" }, { label: "A", fields: { displayName: "Ada" } }]) {
      assertFailure(await post(caller, SNAPSHOTS, body), "IDENTITY_STATE_CONFLICT");
    }
    const empty = await post(caller, SNAPSHOTS, { label: "A", fields: {} });
    assertInvalid(empty, ["change.required"]);
  });
  assertEquals(await read(caller, SNAPSHOTS), { items: [], nextCursor: null });
  assertFailure(await caller.call("GET", `${SNAPSHOTS}/${ulid()}`), "RECORD_NOT_FOUND");
});

Deno.test("Snapshots are listed newest first, the largest on pages of their own", async () => {
  const caller = await someone();
  const long = "\u0001".repeat(100_000);
  const bodies = Array.from({ length: 14 }, (_, at) => ({
    label: `${at}`,
    fields: at % 2 === 0 ? { biography: long, publicSummary: long } : { displayName: `${at}` },
  }));
  for (const body of bodies) {
    world().advance(1000);
    await done(caller, SNAPSHOTS, body);
  }
  const pages = await walkPages(caller, SNAPSHOTS);
  assertEquals(
    pages.flat().map(({ label }) => label),
    bodies.map(({ label }) => label).toReversed(),
  );
  assertEquals(pages.length > 1, true);
  const other = await someone();
  const { snapshotId } = pages[0]?.[0];
  assertFailure(await other.call("GET", `${SNAPSHOTS}/${snapshotId}`), "RECORD_NOT_FOUND");
  const cursor = await other.call("GET", `${SNAPSHOTS}?cursor=${snapshotId}`);
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
});

Deno.test("A repeated snapshot returns the first one, with the profile of that time", async () => {
  const caller = await someone(WHOLE_PROFILE);
  const key = ulid();
  const freeze = () => caller.call("POST", SNAPSHOTS, { key, body: { label: "Today" } });
  const first = await freeze();
  await changed(caller, PROFILE, { expectedRevision: 1, set: { displayName: "Eda" } });
  const again = await freeze();
  assertEquals([again.status, again.body.data], [201, first.body.data]);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
});
