/** MEM-003: drafts. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { type Caller, callerOf, createWorld, sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  tableCounts,
  walkPages,
} from "./kernel.ts";
import {
  done,
  DRAFTS,
  MEMORY,
  read,
  remember,
  textPath,
  TEXTS,
  withoutSecrets,
} from "../families/memory/api.ts";

const world = sharedWorld();

function save(caller: Caller, draftId: string, draftVersion: number, more: JsonObject = {}) {
  const body = { draftVersion, content: {}, ...more };
  return caller.call("PUT", `${DRAFTS}/${draftId}`, { body });
}

Deno.test("Many saves make one draft, no revision, no audit entry and no envelope", async () => {
  const caller = await world().createCaller();
  const draftId = ulid();
  const before = await tableCounts(world());
  for (let version = 1; version <= 20; version++) {
    const content = { title: "The lake".slice(0, version), importance: 3, summary: "" };
    const response = await save(caller, draftId, version * 2, { content });
    assertEquals(response.status, 200, response.text);
    assertEquals(response.body.data, {
      draftId,
      memoryId: null,
      draftVersion: version * 2,
      content,
      state: "OPEN",
      committedMemoryId: null,
      committedRevision: null,
      createdAt: world().now().toISOString(),
      updatedAt: world().now().toISOString(),
    });
    assertEquals(await read(caller, `${DRAFTS}/${draftId}`), response.body.data);
  }
  const { memory_drafts: drafts = 0, ...others } = before;
  assertEquals(await tableCounts(world()), { ...others, memory_drafts: drafts + 1 });
});

Deno.test("An out-of-order save is rejected; repeating a save has no effect", async () => {
  const caller = await world().createCaller();
  const draftId = ulid();
  const first = await save(caller, draftId, 5, { content: { title: "A", summary: "s" } });
  world().advance(10);
  const again = await save(caller, draftId, 5, { content: { summary: "s", title: "A" } });
  assertEquals([again.status, again.body.data], [200, first.body.data]);
  for (const [version, title] of [[5, "B"], [4, "A"], [1, "B"]] as const) {
    const late = await save(caller, draftId, version, { content: { title } });
    assertFailure(late, "MEMORY_STATE_CONFLICT");
  }
  const elsewhere = await save(caller, draftId, 6, { memoryId: (await remember(caller)).memoryId });
  assertFailure(elsewhere, "MEMORY_STATE_CONFLICT");
  assertEquals(await read(caller, `${DRAFTS}/${draftId}`), first.body.data);
});

Deno.test("A draft accepts unfinished content, and rejects impossible content", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const stranger = await world().createCaller();
  const unfinished = { title: " ", originalContent: "", currentContent: "", timePrecision: "DAY" };
  assertEquals((await save(caller, ulid(), 1, { content: unfinished })).status, 200);
  await assertWritesNothing(world(), async () => {
    const refused: [JsonObject, string, string[]][] = [
      [{ title: "x".repeat(201) }, "field.length", ["title"]],
      [{ importance: 9 }, "field.range", ["importance"]],
      [{ memoryType: "PLACES" }, "field.option", ["memoryType"]],
      [{ aiDraft: "x" }, "undeclared_field", []],
    ];
    for (const [content, rule, fields] of refused) {
      assertInvalid(await save(caller, ulid(), 1, { content }), [rule], fields);
    }
    const { memoryId } = memory;
    for (const fixed of [{ originalContent: "x" }, { privacyLevel: "NORMAL" }]) {
      const response = await save(caller, ulid(), 1, { memoryId, content: fixed });
      assertInvalid(response, ["draft.fixed_field"], Object.keys(fixed));
    }
    assertFailure(await save(caller, ulid(), 1, { memoryId: ulid() }), "RECORD_NOT_FOUND");
    assertFailure(await save(stranger, ulid(), 1, { memoryId }), "RECORD_NOT_FOUND");
    assertInvalid(await save(caller, ulid(), 0), ["field.range"], ["draftVersion"]);
    assertInvalid(await save(caller, "not-an-id", 1), ["draft_id.format"]);
  });
});

Deno.test("A repeated commit creates one memory", async () => {
  const caller = await world().createCaller();
  const draftId = ulid();
  const content = { ...MEMORY, occurredAt: "2001-01-01T00:30:00+01:00", timePrecision: "DAY" };
  await save(caller, draftId, 1, { content });
  const commit = () => caller.call("POST", `${DRAFTS}/${draftId}/commit`);
  const first = await commit();
  assertEquals(first.status, 201, first.text);
  const memory = first.body.data;
  assertEquals(first.headers.get("Location"), textPath(memory));
  assertEquals([memory.title, memory.revision, memory.privacyLevel], ["The lake", 1, "PRIVATE"]);
  assertEquals(memory.timeRange, {
    from: "2000-12-31T23:00:00.000Z",
    to: "2001-01-01T23:00:00.000Z",
  });
  await done(caller, textPath(memory, "/revisions"), { expectedRevision: 1, title: "B" });
  const again = await commit();
  assertEquals([again.status, again.body.data], [201, memory]);
  assertEquals((await read(caller, TEXTS)).items.length, 1);
  const draft = await read(caller, `${DRAFTS}/${draftId}`);
  const { state, committedMemoryId, committedRevision } = draft;
  assertEquals([state, committedMemoryId, committedRevision], ["COMMITTED", memory.memoryId, 1]);
  assertEquals(draft.content, content);
  assertFailure(await save(caller, draftId, 2, { content }), "MEMORY_STATE_CONFLICT");
  const discard = await caller.call("POST", `${DRAFTS}/${draftId}/discard`);
  assertFailure(discard, "MEMORY_STATE_CONFLICT");
});

Deno.test("A commit revises its memory once, from the expected revision", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, { timeText: "then", importance: 1 });
  const draftId = ulid();
  const content = { title: "B", currentContent: "Rewritten" };
  await save(caller, draftId, 1, { memoryId: memory.memoryId, content });
  const commit = (body: JsonObject) => caller.call("POST", `${DRAFTS}/${draftId}/commit`, { body });
  assertInvalid(await commit({}), ["field.required"], ["expectedRevision"]);
  assertFailure(await commit({ expectedRevision: 2 }), "REVISION_CONFLICT");
  const first = await commit({ expectedRevision: 1 });
  assertEquals(first.status, 200, first.text);
  const { updatedAt } = first.body.data;
  assertEquals(first.body.data, { ...memory, ...content, revision: 2, updatedAt });
  assertEquals((await commit({ expectedRevision: 1 })).body.data, first.body.data);
  assertEquals((await read(caller, textPath(memory))).revision, 2);
  const audit = await world().rows(`
    select subject_id, revision from audit_entries
     where owner_id = '${caller.accountId}' and operation = 'memory.draft.commit'`);
  assertEquals([...audit], [{ subject_id: memory.memoryId, revision: 2 }]);
});

Deno.test("A commit of unfinished content leaves the draft open", async () => {
  const caller = await world().createCaller();
  const draftId = ulid();
  await save(caller, draftId, 1, { content: { title: " ", memoryType: "EVENT" } });
  await assertWritesNothing(world(), async () => {
    const response = await caller.call("POST", `${DRAFTS}/${draftId}/commit`);
    assertInvalid(response, ["field.blank", "field.required"], ["title", "originalContent"]);
  });
  assertEquals((await save(caller, draftId, 2, { content: MEMORY })).status, 200);
  assertEquals((await caller.call("POST", `${DRAFTS}/${draftId}/commit`)).status, 201);
});

Deno.test("With a key a commit and a discard are replayed", async () => {
  const caller = await world().createCaller();
  const draftId = ulid();
  await save(caller, draftId, 1, { content: MEMORY });
  const send = (end: string) => caller.call("POST", `${DRAFTS}/${draftId}${end}`, { key: end });
  const first = await send("/commit");
  const again = await send("/commit");
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  assertEquals([again.status, again.body.data], [201, first.body.data]);
});

Deno.test("A discarded draft ends and keeps its content", async () => {
  const caller = await world().createCaller();
  const draftId = ulid();
  const { body: { data: draft } } = await save(caller, draftId, 1, { content: { title: "A" } });
  const discard = () => caller.call("POST", `${DRAFTS}/${draftId}/discard`, { key: "k" });
  const first = await discard();
  assertEquals([first.status, first.body.data], [200, { ...draft, state: "DISCARDED" }]);
  assertEquals((await discard()).body.data, first.body.data);
  const other = await caller.call("POST", `${DRAFTS}/${draftId}/discard`);
  assertEquals(other.body.data, first.body.data);
  assertFailure(await save(caller, draftId, 2), "MEMORY_STATE_CONFLICT");
  const commit = await caller.call("POST", `${DRAFTS}/${draftId}/commit`);
  assertFailure(commit, "MEMORY_STATE_CONFLICT");
});

Deno.test("Drafts are listed by state, newest identifier first", async () => {
  const caller = await world().createCaller();
  const ids = [1, 2, 3, 4].map((time) => ulid(time)).toReversed();
  for (const id of ids) await save(caller, id, 1, { content: MEMORY });
  await caller.call("POST", `${DRAFTS}/${ids[1]}/discard`);
  await caller.call("POST", `${DRAFTS}/${ids[2]}/commit`);
  const list = async (query: Record<string, string>) =>
    (await walkPages(caller, DRAFTS, { limit: "1", ...query })).flat().map((item) => item.draftId);
  assertEquals(await list({}), [ids[0], ids[3]]);
  assertEquals(await list({ state: "DISCARDED" }), [ids[1]]);
  assertEquals(await list({ state: "COMMITTED" }), [ids[2]]);
  const unknown = await caller.call("GET", `${DRAFTS}?cursor=${ulid()}`);
  assertInvalid(unknown, ["cursor.unknown"], ["cursor"]);
});

Deno.test("A saved draft is visible to another process", async () => {
  const caller = await world().createCaller();
  const there = callerOf(world().again(), caller);
  const draftId = ulid();
  const saved = await save(caller, draftId, 1, { content: { title: "A" } });
  assertEquals(await read(there, `${DRAFTS}/${draftId}`), saved.body.data);
});

Deno.test("Drafts of a SECRET memory are hidden by its current level, and read-only", async () => {
  const caller = await world().createCaller();
  const other = await withoutSecrets(world(), caller);
  const memory = await remember(caller);
  const [ofMemory, ofNew] = [ulid(), ulid()];
  const { memoryId } = memory;
  const content = { title: "B" };
  const open = await save(other, ofMemory, 1, { memoryId, content });
  assertEquals(open.body.data.content, content);
  const raise = { expectedRevision: 1, privacyLevel: "SECRET" };
  await done(caller, textPath(memory, "/privacy"), raise);
  await save(caller, ofNew, 1, { content: { ...MEMORY, privacyLevel: "SECRET" } });
  for (const draftId of [ofMemory, ofNew]) {
    const draft = await read(caller, `${DRAFTS}/${draftId}`);
    const hidden = { ...draft, content: null, redacted: true };
    assertEquals(await read(other, `${DRAFTS}/${draftId}`), hidden);
  }
  await assertWritesNothing(world(), async () => {
    const target = { memoryId, content: { title: "C" } };
    const saves = [
      await save(other, ofMemory, 2, target),
      await save(other, ulid(), 1, target),
      await save(other, ofNew, 2),
    ];
    for (const response of saves) assertFailure(response, "FORBIDDEN");
    for (const draftId of [ofMemory, ofNew]) {
      for (const end of ["/commit", "/discard"]) {
        const body: JsonObject = end === "/commit" ? { expectedRevision: 2 } : {};
        const response = await other.call("POST", `${DRAFTS}/${draftId}${end}`, { body });
        assertFailure(response, "FORBIDDEN", end);
      }
    }
  });
});

Deno.test("The maintenance window freezes only commits that create", async () => {
  await using own = await createWorld();
  const caller = await own.createCaller();
  const memory = await remember(caller);
  const [creating, revising] = [ulid(), ulid()];
  await save(caller, creating, 1, { content: MEMORY });
  await save(caller, revising, 1, { memoryId: memory.memoryId, content: { title: "B" } });
  await own.raw("update maintenance_window set active = true");
  const commit = (draftId: string) =>
    caller.call("POST", `${DRAFTS}/${draftId}/commit`, { body: { expectedRevision: 1 } });
  const details = assertFailure(await commit(creating), "SYSTEM_MAINTENANCE");
  assertEquals(details, { scope: "ORDINARY_WRITES", entryPoint: "memory.draft.commit" });
  assertEquals((await commit(revising)).status, 200);
  assertEquals((await save(caller, creating, 2, { content: MEMORY })).status, 200);
  const discard = await caller.call("POST", `${DRAFTS}/${creating}/discard`);
  assertEquals(discard.status, 200);
});
