/** IDN-003: roles; the newest is the profile's. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import {
  changed,
  identityAudit,
  introduce,
  patch,
  PROFILE,
  roleBody,
  ROLES,
  WHOLE_PROFILE,
} from "../families/identity/api.ts";
import { done, post, read } from "../families/memory/api.ts";

const world = sharedWorld();

async function someone(body?: JsonObject): Promise<Caller> {
  const caller = await world().createCaller();
  await introduce(caller, body);
  return caller;
}

Deno.test("A role reads back exactly, and becomes the profile's in the same revision", async () => {
  const caller = await someone(WHOLE_PROFILE);
  const before = await read(caller, PROFILE);
  world().advance(1000);
  const sent = { role: "Baker ", changedAt: "2020-04-01T10:00:00+02:00", reason: "Bread\nat last" };
  const response = await post(caller, ROLES, sent);
  assertEquals(response.status, 201, response.text);
  const role = response.body.data;
  const now = world().now().toISOString();
  assertEquals(response.headers.get("Location"), `${ROLES}/${role.roleId}`);
  assertEquals(role, {
    roleId: role.roleId,
    ...sent,
    changedAt: "2020-04-01T08:00:00.000Z",
    localTimes: { changedAt: "2020-04-01T10:00:00.000+02:00" },
    profileRevision: 2,
    createdAt: now,
  });
  assertEquals(await read(caller, `${ROLES}/${role.roleId}`), role);
  const profile = { ...before, currentRole: "Baker ", revision: 2, updatedAt: now };
  assertEquals(await read(caller, PROFILE), profile);
  const [{ revisionId: _, change, ...revision }] =
    (await read(caller, `${PROFILE}/revisions`)).items;
  assertEquals([change, revision], ["ROLE_CHANGED", profile]);
  const [, ...entries] = await identityAudit(caller);
  assertEquals(entries, [`identity.role.create null ${role.roleId}`]);
});

Deno.test("The newest role by time is current; of equal times the one entered last", async () => {
  const caller = await someone();
  const entries: [number, number | null, string][] = [
    [2010, 2, "Role of 2010"],
    [2005, null, "Role of 2010"],
    [2015, 3, "Role of 2015"],
    [2010, null, "Role of 2015"],
    [2015, 4, "Another of 2015"],
    [2015, 5, "Another of 2015"],
  ];
  for (const [year, revision, current] of entries) {
    const role = await done(
      caller,
      ROLES,
      revision === null ? roleBody(year) : roleBody(year, current),
    );
    const profile = await read(caller, PROFILE);
    assertEquals([role.profileRevision, profile.currentRole], [revision, current]);
  }
  assertEquals((await read(caller, PROFILE)).revision, 5);
  // Entries of one instant are distinct.
  const listed = (await read(caller, ROLES)).items.map(({ profileRevision }: JsonObject) =>
    profileRevision
  );
  assertEquals(listed, [5, 4, 3, null, 2, null]);
});

Deno.test("Roles at one time keep the order of their entry", async () => {
  const caller = await someone();
  for (let entry = 0; entry < 12; entry++) {
    await done(caller, ROLES, roleBody(2010, `Role ${entry}`));
    assertEquals((await read(caller, PROFILE)).currentRole, `Role ${entry}`);
  }
  const pages = await walkPages(caller, ROLES, { limit: "5" });
  assertEquals(pages.map((page) => page.length), [5, 5, 2]);
  const expected = Array.from({ length: 12 }, (_, entry) => `Role ${11 - entry}`);
  assertEquals(pages.flat().map(({ role }) => role), expected);
});

Deno.test("The list is by time, newest first, with a role as its cursor", async () => {
  const caller = await someone();
  const years = [2003, 2001, 2005, 2002, 2004];
  for (const year of years) await done(caller, ROLES, roleBody(year));
  const pages = await walkPages(caller, ROLES, { limit: "2" });
  assertEquals(pages.map((page) => page.map(({ role }) => role)), [
    ["Role of 2005", "Role of 2004"],
    ["Role of 2003", "Role of 2002"],
    ["Role of 2001"],
  ]);
  const other = await someone();
  const foreign = await other.call("GET", `${ROLES}?cursor=${pages[0]?.[0].roleId}`);
  assertInvalid(foreign, ["cursor.unknown"], ["cursor"]);
  assertFailure(await other.call("GET", `${ROLES}/${pages[0]?.[0].roleId}`), "RECORD_NOT_FOUND");
});

Deno.test("With a role the current role cannot be patched", async () => {
  const caller = await someone(WHOLE_PROFILE);
  await changed(caller, PROFILE, { expectedRevision: 1, set: { currentRole: "Poet" } });
  await done(caller, ROLES, roleBody(2010, "Baker"));
  const named: JsonObject[] = [
    { set: { currentRole: "Baker" } },
    { set: { currentRole: "Poet", displayName: "Eda" } },
    { remove: ["currentRole"] },
    // Checked before the combination of fields.
    { set: { currentRole: "Poet", startedAt: "2031-01-01T00:00:00Z" } },
  ];
  await assertWritesNothing(world(), async () => {
    for (const change of named) {
      const response = await patch(caller, PROFILE, { expectedRevision: 3, ...change });
      assertFailure(response, "IDENTITY_STATE_CONFLICT", JSON.stringify(change));
      const stale = await patch(caller, PROFILE, { expectedRevision: 2, ...change });
      assertFailure(stale, "REVISION_CONFLICT", JSON.stringify(change));
    }
  });
  const set = { displayName: "Eda" };
  const profile = await changed(caller, PROFILE, { expectedRevision: 3, set });
  assertEquals([profile.revision, profile.currentRole], [4, "Baker"]);
});

Deno.test("An invalid role is rejected with every wrong field, and writes nothing", async () => {
  const caller = await someone();
  const ahead = (milliseconds: number) =>
    new Date(world().now().getTime() + milliseconds).toISOString();
  const cases: [JsonObject, string[], string[]][] = [
    [{ role: "" }, ["field.blank"], ["role"]],
    [{ role: "x".repeat(501) }, ["field.length"], ["role"]],
    [{ role: "a\nb" }, ["field.control_character"], ["role"]],
    [{ changedAt: "2010" }, ["field.datetime"], ["changedAt"]],
    [{ changedAt: ahead(300_001) }, ["identity.role_changed_at_not_in_the_future"], ["changedAt"]],
    [{ reason: null }, ["field.null"], ["reason"]],
    [{ reason: "x".repeat(100_001) }, ["field.length"], ["reason"]],
    [{ profileRevision: 2 }, ["undeclared_field"], []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [wrong, rules, fields] of cases) {
      const response = await post(caller, ROLES, { ...roleBody(2010), ...wrong });
      assertInvalid(response, rules, fields, JSON.stringify(wrong).slice(0, 60));
    }
    assertInvalid(await post(caller, ROLES, {}), ["field.required"], ["role", "changedAt"]);
  });
  await done(caller, ROLES, { ...roleBody(2010), changedAt: ahead(300_000), reason: "" });
});

Deno.test("Without a profile a role is rejected after its body, and the list is empty", async () => {
  const caller = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    assertFailure(await post(caller, ROLES, roleBody(2010)), "IDENTITY_STATE_CONFLICT");
    assertInvalid(await post(caller, ROLES, roleBody(2100)), [
      "identity.role_changed_at_not_in_the_future",
    ], ["changedAt"]);
  });
  assertEquals(await read(caller, ROLES), { items: [], nextCursor: null });
  const cursor = await caller.call("GET", `${ROLES}?cursor=${ulid()}`);
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
  assertFailure(await caller.call("GET", `${ROLES}/${ulid()}`), "RECORD_NOT_FOUND");
});

Deno.test("A repeated role returns the first response, also after a newer role", async () => {
  const caller = await someone();
  const key = ulid();
  const enter = () => caller.call("POST", ROLES, { key, body: roleBody(2010) });
  const first = await enter();
  await done(caller, ROLES, roleBody(2015));
  const again = await enter();
  assertEquals([again.status, again.body.data], [201, first.body.data]);
  assertEquals(again.headers.get("Location"), first.headers.get("Location"));
  assert(again.headers.get("Idempotency-Replayed") === "true");
  assertEquals((await read(caller, ROLES)).items.length, 2);
  const keyless = await caller.call("POST", ROLES, { body: roleBody(2010) });
  assertFailure(keyless, "RECORD_IDEMPOTENCY_KEY_REQUIRED");
});
