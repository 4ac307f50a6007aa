/** IDN-002: stages, which do not overlap. */

import { assertEquals } from "@std/assert";
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
  stageBody,
  stagePath,
  STAGES,
} from "../families/identity/api.ts";
import { done, post, read } from "../families/memory/api.ts";

const world = sharedWorld();

async function someone(): Promise<Caller> {
  const caller = await world().createCaller();
  await introduce(caller);
  return caller;
}

Deno.test("A stage reads back exactly", async () => {
  const caller = await someone();
  const sent = {
    lifeStage: "EARLY_ADULTHOOD",
    title: " The years at the lake",
    startedAt: "2001-09-01T02:00:00+02:00",
    endedAt: "2006-06-30T00:00:00.5Z",
    note: "Rowing\nand bread",
  };
  const response = await post(caller, STAGES, sent);
  assertEquals(response.status, 201, response.text);
  const stage = response.body.data;
  assertEquals(response.headers.get("Location"), stagePath(stage));
  const now = world().now().toISOString();
  assertEquals(stage, {
    stageId: stage.stageId,
    ...sent,
    startedAt: "2001-09-01T00:00:00.000Z",
    endedAt: "2006-06-30T00:00:00.500Z",
    localTimes: { startedAt: "2001-09-01T02:00:00.000+02:00" },
    revision: 1,
    createdAt: now,
    updatedAt: now,
    archivedAt: null,
  });
  assertEquals(await read(caller, stagePath(stage)), stage);
  const open = await done(caller, STAGES, stageBody(2010));
  assertEquals([open.endedAt, open.note], [null, null]);
  const profile = await read(caller, PROFILE);
  assertEquals([profile.revision, profile.lifeStage, profile.startedAt], [1, null, null]);
});

Deno.test("An invalid stage is rejected with every wrong field, and writes nothing", async () => {
  const caller = await someone();
  const cases: [JsonObject, string[], string[]][] = [
    [{ lifeStage: "YOUTH" }, ["field.option"], ["lifeStage"]],
    [{ title: " " }, ["field.blank"], ["title"]],
    [{ title: "x".repeat(201) }, ["field.length"], ["title"]],
    [{ title: "a\tb" }, ["field.control_character"], ["title"]],
    [{ startedAt: "2001-01-01" }, ["field.datetime"], ["startedAt"]],
    [{ endedAt: null }, ["field.null"], ["endedAt"]],
    [{ note: "x".repeat(100_001) }, ["field.length"], ["note"]],
    [{ archivedAt: "2001-01-01T00:00:00Z" }, ["undeclared_field"], []],
    ...["2001-01-01T00:00:00.000Z", "2000-12-31T23:59:59.999Z"].map((
      endedAt,
    ): [JsonObject, string[], string[]] => [
      { endedAt },
      ["identity.stage_begins_before_it_ends"],
      ["startedAt", "endedAt"],
    ]),
  ];
  await assertWritesNothing(world(), async () => {
    for (const [wrong, rules, fields] of cases) {
      const response = await post(caller, STAGES, { ...stageBody(2001), ...wrong });
      assertInvalid(response, rules, fields, JSON.stringify(wrong).slice(0, 60));
    }
    const missing = await post(caller, STAGES, {});
    assertInvalid(missing, ["field.required"], ["lifeStage", "title", "startedAt"]);
  });
});

Deno.test("Without a profile stages are rejected after their body, lists are empty, ids unknown", async () => {
  const caller = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    assertFailure(await post(caller, STAGES, stageBody(2001)), "IDENTITY_STATE_CONFLICT");
    const reversed = await post(caller, STAGES, stageBody(2002, 2001));
    assertInvalid(reversed, ["identity.stage_begins_before_it_ends"], ["startedAt", "endedAt"]);
    const set = { expectedRevision: 1, set: { title: "B" } };
    assertFailure(await patch(caller, stagePath({ stageId: ulid() }), set), "RECORD_NOT_FOUND");
    for (const end of ["/archive", "/restore"]) {
      const response = await post(caller, stagePath({ stageId: ulid() }, end), {});
      assertFailure(response, "RECORD_NOT_FOUND", end);
    }
  });
  assertEquals(await read(caller, STAGES), { items: [], nextCursor: null });
  const cursor = await caller.call("GET", `${STAGES}?cursor=${ulid()}`);
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
  for (const end of ["", "/revisions"]) {
    const response = await caller.call("GET", stagePath({ stageId: ulid() }, end));
    assertFailure(response, "RECORD_NOT_FOUND", end);
  }
});

Deno.test("Stages may touch but not overlap, on creation, change and restore", async () => {
  const caller = await someone();
  const middle = await done(caller, STAGES, stageBody(2000, 2010));
  await done(caller, STAGES, stageBody(1990, 2000));
  await done(caller, STAGES, stageBody(2010));
  await assertWritesNothing(world(), async () => {
    const overlapping: JsonObject[] = [
      stageBody(2009, 2011),
      stageBody(1980, 1991),
      stageBody(1980, 2030),
      stageBody(2003, 2004),
      stageBody(2000, 2010),
      stageBody(1980),
      stageBody(2040),
      { ...stageBody(1980), endedAt: "1990-01-01T00:00:00.001Z" },
    ];
    for (const body of overlapping) {
      assertFailure(
        await post(caller, STAGES, body),
        "IDENTITY_STATE_CONFLICT",
        JSON.stringify(body),
      );
    }
    const changes: JsonObject[] = [
      { set: { startedAt: "1999-12-31T23:59:59.999Z" } },
      { set: { endedAt: "2010-01-01T00:00:00.001Z" } },
      { remove: ["endedAt"] },
    ];
    for (const change of changes) {
      const response = await patch(caller, stagePath(middle), { expectedRevision: 1, ...change });
      assertFailure(response, "IDENTITY_STATE_CONFLICT", JSON.stringify(change));
    }
  });
  await done(caller, stagePath(middle, "/archive"), {});
  const inside = await done(caller, STAGES, stageBody(2003, 2004));
  assertFailure(await post(caller, stagePath(middle, "/restore"), {}), "IDENTITY_STATE_CONFLICT");
  const stale = await post(caller, stagePath(middle, "/restore"), { expectedRevision: 1 });
  assertFailure(stale, "REVISION_CONFLICT");
  await done(caller, stagePath(inside, "/archive"), {});
  assertEquals((await done(caller, stagePath(middle, "/restore"), {})).revision, 3);
  await done(await someone(), STAGES, stageBody(2003, 2004));
});

Deno.test("An archived stage may overlap others, and is checked when it is restored", async () => {
  const caller = await someone();
  const stage = await done(caller, STAGES, stageBody(2000, 2010));
  await done(caller, STAGES, stageBody(2010, 2020));
  await done(caller, stagePath(stage, "/archive"), {});
  const set = { endedAt: "2015-01-01T00:00:00Z" };
  await changed(caller, stagePath(stage), { expectedRevision: 2, set });
  assertFailure(await post(caller, stagePath(stage, "/restore"), {}), "IDENTITY_STATE_CONFLICT");
  const fitting = { expectedRevision: 3, set: { endedAt: "2010-01-01T00:00:00Z", title: "B" } };
  await changed(caller, stagePath(stage), fitting);
  const restored = await done(caller, stagePath(stage, "/restore"), { expectedRevision: 4 });
  assertEquals([restored.revision, restored.archivedAt, restored.title], [5, null, "B"]);
});

Deno.test("A stage patch sets and removes; without effect it writes nothing", async () => {
  const caller = await someone();
  const stage = await done(caller, STAGES, { ...stageBody(2000, 2010), note: "A note" });
  world().advance(1000);
  const patched = await changed(caller, stagePath(stage), {
    expectedRevision: 1,
    set: { title: "B", lifeStage: "OTHER", startedAt: "1999-01-01T00:00:00Z" },
    remove: ["note", "endedAt"],
  });
  assertEquals(patched, {
    ...stage,
    title: "B",
    lifeStage: "OTHER",
    startedAt: "1999-01-01T00:00:00.000Z",
    note: null,
    endedAt: null,
    revision: 2,
    updatedAt: world().now().toISOString(),
  });
  const same = { expectedRevision: 2, set: { startedAt: "1999-01-01T00:00:00-00:00" } };
  assertEquals(await changed(caller, stagePath(stage), same), patched);
  const [, ...entries] = await identityAudit(caller);
  const operations = ["identity.stage.create 1", "identity.stage.modify 2"];
  assertEquals(entries, operations.map((operation) => `${operation} ${stage.stageId}`));
});

Deno.test("A patch is rejected in order: body, stage, revision, combination, overlap", async () => {
  const caller = await someone();
  const stage = await done(caller, STAGES, stageBody(2000, 2010));
  await done(caller, STAGES, stageBody(2010, 2020));
  const path = stagePath(stage);
  const reversed = { startedAt: "2031-01-01T00:00:00Z" };
  const wrong: [JsonObject, string[], string[]][] = [
    [{}, ["change.required"], []],
    [{ remove: ["title"] }, ["field.required"], ["title"]],
    [{ set: { note: null } }, ["field.null"], ["note"]],
    [{ set: { note: "x" }, remove: ["note"] }, ["payload.set_and_removed"], ["note"]],
    [{ set: { displayName: "x" } }, ["undeclared_field"], []],
  ];
  await assertWritesNothing(world(), async () => {
    for (const [change, rules, fields] of wrong) {
      const unknown = stagePath({ stageId: ulid() });
      const response = await patch(caller, unknown, { expectedRevision: 9, ...change });
      assertInvalid(response, rules, fields, JSON.stringify(change));
    }
    const patches: [string, number, JsonObject, Parameters<typeof assertFailure>[1]][] = [
      [stagePath({ stageId: ulid() }), 9, reversed, "RECORD_NOT_FOUND"],
      [path, 9, reversed, "REVISION_CONFLICT"],
      [path, 1, reversed, "PAYLOAD_INVALID"],
      [path, 1, { endedAt: "2011-01-01T00:00:00Z" }, "IDENTITY_STATE_CONFLICT"],
    ];
    for (const [at, expectedRevision, set, code] of patches) {
      assertFailure(await patch(caller, at, { expectedRevision, set }), code);
    }
  });
});

Deno.test("Archive and restore append a revision each, and none without effect", async () => {
  const caller = await someone();
  const stage = await done(caller, STAGES, stageBody(2000, 2010));
  const key = ulid();
  const archive = () => caller.call("POST", stagePath(stage, "/archive"), { key });
  const archived = (await archive()).body.data;
  assertEquals([archived.revision, archived.archivedAt], [2, archived.updatedAt]);
  assertEquals(await done(caller, stagePath(stage, "/archive"), {}), archived);
  const stale = await post(caller, stagePath(stage, "/archive"), { expectedRevision: 1 });
  assertFailure(stale, "REVISION_CONFLICT");
  const restored = await done(caller, stagePath(stage, "/restore"), { expectedRevision: 2 });
  assertEquals(restored, { ...stage, revision: 3, updatedAt: restored.updatedAt });
  const again = await archive();
  assertEquals([again.body.data, again.headers.get("Idempotency-Replayed")], [archived, "true"]);
  const { items } = await read(caller, stagePath(stage, "/revisions"));
  const states = items.map(({ revisionId: _, change, ...state }: JsonObject) => [change, state]);
  const expected = [["RESTORED", restored], ["ARCHIVED", archived], ["CREATED", stage]];
  assertEquals(states, expected);
});

Deno.test("Stages are listed newest first, archived ones on request", async () => {
  const caller = await someone();
  const ids: string[] = [];
  for (let year = 2000; year < 2005; year++) {
    world().advance(1000);
    ids.unshift((await done(caller, STAGES, stageBody(year, year + 1))).stageId);
  }
  for (const stageId of ids.slice(1, 3)) await done(caller, stagePath({ stageId }, "/archive"), {});
  const listed = async (parameters: Record<string, string>) =>
    (await walkPages(caller, STAGES, { limit: "2", ...parameters })).flat().map(({ stageId }) =>
      stageId
    );
  const live = [ids[0], ids[3], ids[4]];
  assertEquals(await listed({}), live);
  assertEquals(await listed({ archived: "exclude" }), live);
  assertEquals(await listed({ archived: "only" }), [ids[1], ids[2]]);
  assertEquals(await listed({ archived: "include" }), ids);
  const wrong = await caller.call("GET", `${STAGES}?archived=yes`);
  assertInvalid(wrong, ["field.option"], ["archived"]);
});

Deno.test("Another owner's stage is not found", async () => {
  const [caller, other] = [await someone(), await someone()];
  const stage = await done(caller, STAGES, stageBody(2000, 2010));
  for (const end of ["", "/revisions"]) {
    assertFailure(await other.call("GET", stagePath(stage, end)), "RECORD_NOT_FOUND", end);
  }
  await assertWritesNothing(world(), async () => {
    const set = { expectedRevision: 1, set: { title: "B" } };
    assertFailure(await patch(other, stagePath(stage), set), "RECORD_NOT_FOUND");
    assertFailure(await post(other, stagePath(stage, "/archive"), {}), "RECORD_NOT_FOUND");
  });
  const cursor = await other.call("GET", `${STAGES}?cursor=${stage.stageId}`);
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
});
