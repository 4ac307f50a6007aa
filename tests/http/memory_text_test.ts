/** MEM-001: create, list, read, archive and restore. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { createWorld, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure, assertInvalid, assertWritesNothing, walkPages } from "./kernel.ts";
import { done, MEMORY, post, read, remember, textPath, TEXTS } from "../families/memory/api.ts";

const world = sharedWorld();

Deno.test("A memory reads back exactly", async () => {
  const caller = await world().createCaller();
  const body = {
    ...MEMORY,
    summary: "A summer\nat the lake",
    currentContent: "We swam until it was dark.",
    occurredAt: "1999-07-14T20:00:00.5+02:00",
    timePrecision: "DAY",
    timeText: "the summer after school",
    importance: 4,
    privacyLevel: "NORMAL",
  };
  const response = await post(caller, TEXTS, body);
  assertEquals(response.status, 201, response.text);
  const { memoryId } = response.body.data;
  assertEquals(response.headers.get("Location"), `${TEXTS}/${memoryId}`);
  assertEquals(response.body.data, {
    memoryId,
    ...body,
    occurredAt: "1999-07-14T18:00:00.500Z",
    timeRange: { from: "1999-07-13T22:00:00.000Z", to: "1999-07-14T22:00:00.000Z" },
    localTimes: { occurredAt: "1999-07-14T20:00:00.500+02:00" },
    aiDraft: null,
    aiDraftProvider: null,
    aiDraftModel: null,
    revision: 1,
    createdAt: world().now().toISOString(),
    updatedAt: world().now().toISOString(),
    archivedAt: null,
    attachmentIds: [],
  });
  assertEquals(await read(caller, textPath(response.body.data)), response.body.data);
});

Deno.test("Omitted fields read as null, private, or the original text", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const { summary, currentContent, occurredAt, timePrecision, timeText, timeRange, localTimes } =
    memory;
  assertEquals([summary, currentContent], ["", MEMORY.originalContent]);
  assertEquals([occurredAt, timePrecision, timeText, timeRange], [null, null, null, null]);
  assertEquals([memory.importance, memory.privacyLevel, localTimes], [null, "PRIVATE", {}]);
});

Deno.test("An invalid creation is rejected with every wrong field, and writes nothing", async () => {
  const caller = await world().createCaller();
  await assertWritesNothing(world(), async () => {
    const cases: [Record<string, unknown>, string[], string[]][] = [
      [{ title: "" }, ["field.blank"], ["title"]],
      [{ title: "x".repeat(201) }, ["field.length"], ["title"]],
      [{ summary: "x".repeat(1001) }, ["field.length"], ["summary"]],
      [{ memoryType: "PLACES" }, ["field.option"], ["memoryType"]],
      [{ originalContent: " \n" }, ["field.blank"], ["originalContent"]],
      [{ originalContent: "x".repeat(100_001) }, ["field.length"], ["originalContent"]],
      [{ currentContent: null }, ["field.null"], ["currentContent"]],
      [{ importance: 6 }, ["field.range"], ["importance"]],
      [{ importance: 1.5 }, ["field.integer"], ["importance"]],
      [{ privacyLevel: "SECRETS" }, ["field.option"], ["privacyLevel"]],
      [{ occurredAt: "1999-07-14" }, ["field.datetime"], ["occurredAt"]],
      [{ ownerId: caller.accountId }, ["undeclared_field"], []],
      [{ aiDraft: "x" }, ["undeclared_field"], []],
    ];
    for (const [wrong, rules, fields] of cases) {
      const response = await post(caller, TEXTS, { ...MEMORY, ...wrong } as typeof MEMORY);
      assertInvalid(response, rules, fields, JSON.stringify(wrong).slice(0, 60));
    }
    const missing = await post(caller, TEXTS, {});
    const required = ["title", "memoryType", "originalContent"];
    assertInvalid(missing, ["field.required"], required);
  });
});

Deno.test("Every POST requires an Idempotency-Key", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  await assertWritesNothing(world(), async () => {
    for (const path of [TEXTS, ...["/archive", "/revisions"].map((end) => textPath(memory, end))]) {
      const response = await caller.call("POST", path, { body: {} });
      assertFailure(response, "RECORD_IDEMPOTENCY_KEY_REQUIRED", path);
    }
  });
});

Deno.test("A repeated creation returns the first memory, also after a change", async () => {
  const caller = await world().createCaller();
  const key = ulid();
  const first = await caller.call("POST", TEXTS, { key, body: MEMORY });
  const path = textPath(first.body.data);
  await done(caller, `${path}/revisions`, { expectedRevision: 1, title: "Another" });
  await done(caller, `${path}/archive`, {});
  const again = await caller.call("POST", TEXTS, { key, body: MEMORY });
  assertEquals([again.status, again.body.data], [201, first.body.data]);
  assertEquals(again.headers.get("Location"), path);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  const reused = await caller.call("POST", TEXTS, { key, body: { ...MEMORY, title: "Other" } });
  assertFailure(reused, "IDEMPOTENCY_KEY_REUSED");
});

Deno.test("Archive and restore append a revision each, and none without effect", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const archived = await done(caller, textPath(memory, "/archive"), { expectedRevision: 1 });
  assertEquals([archived.revision, archived.archivedAt], [2, archived.updatedAt]);
  assertEquals(await done(caller, textPath(memory, "/archive"), {}), archived);
  const stale = await post(caller, textPath(memory, "/restore"), { expectedRevision: 1 });
  const details = { expectedRevision: 1, currentRevision: 2 };
  assertEquals(assertFailure(stale, "REVISION_CONFLICT"), details);
  const restored = await done(caller, textPath(memory, "/restore"), {});
  assertEquals(restored, { ...memory, revision: 3, updatedAt: restored.updatedAt });
  const noBody = await caller.call("POST", textPath(memory, "/archive"), { key: ulid() });
  assertEquals(noBody.body.data.revision, 4);
});

Deno.test("Another person does not find a memory", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const memory = await remember(caller);
  assertFailure(await other.call("GET", textPath(memory)), "RECORD_NOT_FOUND");
  assertFailure(await post(other, textPath(memory, "/archive"), {}), "RECORD_NOT_FOUND");
  assertEquals((await read(other, TEXTS)).items, []);
  const cursor = await other.call("GET", `${TEXTS}?cursor=${memory.memoryId}`);
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
});

Deno.test("The list shows memories newest first, by archival, type and level", async () => {
  const caller = await world().createCaller();
  const made: Json[] = [];
  for (let index = 0; index < 7; index++) {
    world().advance(1);
    made.unshift(
      await remember(caller, {
        memoryType: index % 2 === 0 ? "PLACE" : "DREAM",
        privacyLevel: index < 3 ? "NORMAL" : "PRIVATE",
      }),
    );
  }
  const archived = await done(caller, textPath(made[2], "/archive"), {});
  const live = made.filter((memory) => memory !== made[2]);
  const list = async (query: Record<string, string>) =>
    (await walkPages(caller, TEXTS, { limit: "2", ...query })).flat();
  assertEquals(await list({}), live);
  assertEquals(await list({ archived: "only" }), [archived]);
  assertEquals(await list({ archived: "include" }), made.with(2, archived));
  const dreams = live.filter(({ memoryType }) => memoryType === "DREAM");
  assertEquals(await list({ memoryType: "DREAM" }), dreams);
  const open = dreams.filter(({ privacyLevel }) => privacyLevel === "NORMAL");
  assertEquals(await list({ memoryType: "DREAM", privacyLevel: "NORMAL" }), open);
});

Deno.test("The maintenance window freezes creation, archive and restore only", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const memory = await remember(caller);
  await own.raw("update maintenance_window set active = true");
  const frozen = [
    ["memory.create", await post(caller, TEXTS, MEMORY)],
    ["memory.archive", await post(caller, textPath(memory, "/archive"), {})],
    ["memory.restore", await post(caller, textPath(memory, "/restore"), {})],
  ] as const;
  for (const [entryPoint, response] of frozen) {
    const details = assertFailure(response, "SYSTEM_MAINTENANCE");
    assertEquals(details, { scope: "ORDINARY_WRITES", entryPoint });
  }
  const revised = await done(caller, textPath(memory, "/revisions"), {
    expectedRevision: 1,
    title: "B",
  });
  assertEquals(revised.revision, 2);
});
