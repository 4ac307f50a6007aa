/** MEM-008: exports, parts, proofs, ledger. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { ulid } from "@std/ulid";
import { sha256 } from "../../src/core/digest.ts";
import type { JsonObject } from "../../src/core/json.ts";
import { readJsonExport, readMarkdownExport } from "../families/memory/export.ts";
import { proofOf } from "../support/tokens.ts";
import { insertMemories } from "../families/memory/crowd.ts";
import { anotherProcess, type Caller, type Json, sharedWorld } from "../support/world.ts";
import {
  assertFailure,
  assertInvalid,
  assertWritesNothing,
  atRevision,
  tableCounts,
  walkPages,
} from "./kernel.ts";
import {
  done,
  EXPORTS,
  post,
  read,
  remember,
  textPath,
  withoutSecrets,
  withPermissions,
} from "../families/memory/api.ts";

const world = sharedWorld();

function hexDigest(content: string): string {
  return [...sha256(content)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}

function idsIn(exported: Json): unknown[] {
  return readJsonExport(exported.content).map((memory) => memory.memoryId);
}

async function threeMemories(caller: Caller): Promise<Json[]> {
  const made: Json[] = [];
  for (const privacyLevel of ["NORMAL", "PRIVATE", "SECRET"]) {
    world().advance(1);
    made.unshift(await remember(caller, { privacyLevel, title: privacyLevel, timeText: "then" }));
  }
  return made;
}

Deno.test("Both formats have every field, their digest and count", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller, {
    occurredAt: "2001-01-01T00:00:00+09:00[Asia/Tokyo]",
    timePrecision: "YEAR",
    importance: 2,
    currentContent: "---\n```\nfence\n````\n",
  });
  const readers = { JSON: readJsonExport, MARKDOWN: readMarkdownExport };
  for (const [format, reader] of Object.entries(readers)) {
    const response = await post(caller, EXPORTS, { format });
    assertEquals(response.status, 201, response.text);
    const { executionId, filename, mediaType, content, ...others } = response.body.data;
    assertEquals(response.headers.get("Location"), `${EXPORTS}/${executionId}`);
    assertEquals(others, { format, sha256: hexDigest(content), count: 1, nextCursor: null });
    assertMatch(filename, format === "JSON" ? /\.json$/ : /\.md$/);
    assertMatch(mediaType, format === "JSON" ? /^application\/json/ : /^text\/markdown/);
    const [exported] = reader(content);
    for (const [name, value] of Object.entries(atRevision(memory))) {
      assertEquals(exported?.[name], value, name);
    }
  }
});

Deno.test("An export appends an execution with digest and count, without content", async () => {
  const caller = await world().createCaller();
  const marker = `marker-${ulid()}`;
  await remember(caller, { originalContent: marker, title: marker });
  const before = await tableCounts(world());
  const key = ulid();
  const body = { format: "JSON" };
  const first = (await caller.call("POST", EXPORTS, { key, body })).body.data;
  assert(first.content.includes(marker));
  const { content: _, nextCursor: __, ...kept } = first;
  const listed = { ...kept, createdAt: world().now().toISOString() };
  assertEquals((await read(caller, EXPORTS)).items, [listed]);
  assertEquals(await read(caller, `${EXPORTS}/${first.executionId}`), listed);
  const after = await tableCounts(world());
  const added = Object.keys(after).filter((table) => after[table] !== before[table]);
  assertEquals(added, ["audit_entries", "executions", "idempotency_envelopes"]);
  const ledgers = await world().rows(`
    select output::text as text from executions union all
    select envelope::text from idempotency_envelopes union all
    select row_to_json(audit_entries)::text from audit_entries`);
  assertEquals(ledgers.filter(({ text }) => text.includes(marker)), []);

  await remember(caller);
  const again = await caller.call("POST", EXPORTS, { key, body });
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  assertEquals([again.status, again.body.data], [201, { ...first, content: null }]);
});

Deno.test("Exports are listed newest first, to their owner only", async () => {
  const [caller, other] = [await world().createCaller(), await world().createCaller()];
  const ids = [];
  for (let index = 0; index < 3; index++) {
    world().advance(1);
    ids.unshift((await done(caller, EXPORTS, { format: "JSON" })).executionId as string);
  }
  const listed = (await walkPages(caller, EXPORTS, { limit: "1" })).flat();
  assertEquals(listed.map((item) => item.executionId), ids);
  assertEquals((await read(other, EXPORTS)).items, []);
  assertFailure(await other.call("GET", `${EXPORTS}/${ids[0]}`), "RECORD_NOT_FOUND");
  const cursor = await other.call("GET", `${EXPORTS}?cursor=${ids[0]}`);
  assertInvalid(cursor, ["cursor.unknown"], ["cursor"]);
});

Deno.test("Identifiers and filters select what is exported", async () => {
  const caller = await world().createCaller();
  const [, middle, first] = await threeMemories(caller);
  const dream = await remember(caller, {
    memoryType: "DREAM",
    occurredAt: "1990-05-05T00:00:00Z",
    timePrecision: "DAY",
  });
  world().advance(1);
  const gone = await remember(caller);
  await done(caller, textPath(gone, "/archive"), {});
  const exported = async (body: JsonObject) =>
    idsIn(await done(caller, EXPORTS, { format: "JSON", ...body }));
  const ids = (...memories: Json[]) => memories.map((memory) => memory.memoryId);
  assertEquals(await exported({}), ids(dream, middle, first));
  assertEquals(await exported({ memoryIds: ids(first, gone, dream) }), ids(gone, dream, first));
  assertEquals(await exported({ filter: { memoryType: "DREAM" } }), ids(dream));
  assertEquals(await exported({ filter: { privacyLevel: "NORMAL" } }), ids(first));
  assertEquals(await exported({ filter: { privacyLevel: "SECRET" } }), []);
  assertEquals(await exported({ filter: { archived: "only" } }), ids(gone));
  assertEquals(await exported({ filter: { from: "1990-05-05T23:00:00Z" } }), ids(dream));
  assertEquals(await exported({ filter: { to: "1990-05-05T00:00:00Z" } }), []);
});

Deno.test("An invalid export is rejected and leaves nothing", async () => {
  const caller = await world().createCaller();
  const memory = await remember(caller);
  const { memoryId } = memory;
  await assertWritesNothing(world(), async () => {
    const refused: [JsonObject, string, string[]][] = [
      [{ format: "PDF" }, "field.option", ["format"]],
      [{ memoryIds: [] }, "field.length", ["memoryIds"]],
      [{ memoryIds: [memoryId, memoryId] }, "field.repeated", ["memoryIds"]],
      [{ memoryIds: ["x"] }, "field.identifier", ["memoryIds"]],
      [{ filter: { memoryType: "X" } }, "field.option", ["memoryType"]],
      [{ filter: { limit: 5 } }, "undeclared_field", []],
      [{ filter: [] }, "field.type", ["filter"]],
      [{ memoryIds: [memoryId], filter: {} }, "export.ids_or_filter", ["memoryIds", "filter"]],
      ...["A", "forged", "A".repeat(43), "A".repeat(200), "A".repeat(1024)].map(
        (cursor): [JsonObject, string, string[]] => [{ cursor }, "cursor.unknown", ["cursor"]],
      ),
      [{ includeSecret: "true" }, "field.type", ["includeSecret"]],
    ];
    for (const [wrong, rule, fields] of refused) {
      const response = await post(caller, EXPORTS, { format: "JSON", ...wrong });
      assertInvalid(response, [rule], fields, JSON.stringify(wrong));
    }
    const unknown = { format: "JSON", memoryIds: [memoryId, ulid()] };
    assertFailure(await post(caller, EXPORTS, unknown), "RECORD_NOT_FOUND");
  });
});

Deno.test("SECRET memories are exported only with a proof, used once", async () => {
  const caller = await world().createCaller();
  const [secret, middle, first] = await threeMemories(caller);
  const named = { format: "JSON", memoryIds: [secret.memoryId, first.memoryId] };
  const all = { format: "JSON", includeSecret: true };
  await assertWritesNothing(world(), async () => {
    for (const body of [named, all]) {
      assertFailure(await post(caller, EXPORTS, body), "STEP_UP_REQUIRED");
    }
  });
  for (
    const [body, memories] of [[named, [secret, first]], [all, [secret, middle, first]]] as const
  ) {
    const wrong = await proofOf(world(), caller, "MEMORY_PRIVACY_DOWNGRADE");
    assertFailure(await post(caller, EXPORTS, body, wrong), "STEP_UP_REQUIRED");
    const proof = await proofOf(world(), caller, "MEMORY_SECRET_EXPORT");
    const ids = memories.map((memory) => memory.memoryId);
    assertEquals(idsIn(await done(caller, EXPORTS, body, proof)), ids);
    assertFailure(await post(caller, EXPORTS, body, proof), "STEP_UP_REQUIRED");
  }
  const unneeded = await proofOf(world(), caller, "MEMORY_SECRET_EXPORT");
  const open = { format: "JSON", memoryIds: [first.memoryId] };
  await done(caller, EXPORTS, open, unneeded);
  // An unneeded proof is not used up.
  assertEquals((await post(caller, EXPORTS, named, unneeded)).status, 201);
});

Deno.test("A reader without access to secrets exports none", async () => {
  const caller = await world().createCaller();
  const [secret, middle, first] = await threeMemories(caller);
  const other = await withoutSecrets(world(), caller);
  const ids = idsIn(await done(other, EXPORTS, { format: "JSON" }));
  assertEquals(ids, [middle.memoryId, first.memoryId]);
  const proof = await proofOf(world(), caller, "MEMORY_SECRET_EXPORT");
  for (const wish of [{ includeSecret: true }, { memoryIds: [secret.memoryId] }]) {
    const response = await post(other, EXPORTS, { format: "JSON", ...wish }, proof);
    assertFailure(response, "FORBIDDEN");
  }
  const writer = await withPermissions(world(), caller, "memory.write");
  assertFailure(await post(writer, EXPORTS, { format: "JSON" }), "FORBIDDEN");
});

Deno.test("Without a step-up adapter no SECRET memory is exported", async () => {
  const own = anotherProcess(world(), { stepUp: null });
  const caller = await own.createCaller();
  const { memoryId } = await remember(caller, { privacyLevel: "SECRET" });
  for (const wish of [{ includeSecret: true }, { memoryIds: [memoryId] }]) {
    const response = await post(caller, EXPORTS, { format: "JSON", ...wish });
    assertFailure(response, "STEP_UP_REQUIRED");
  }
});

/** Memories of about 1.5 MiB, so that a part has few. */
async function bigMemories(caller: Caller, count: number, last: JsonObject = {}): Promise<Json[]> {
  const text = "🚀".repeat(100_000);
  const made: Json[] = [];
  for (let index = 0; index < count; index++) {
    world().advance(1);
    const body = { originalContent: text, currentContent: text, ...(index === 0 && last) };
    made.unshift(await remember(caller, body));
  }
  return made;
}

Deno.test("A large export continues by its cursor, which replaces the proof", async () => {
  const caller = await world().createCaller();
  const made = await bigMemories(caller, 12, { privacyLevel: "SECRET" });
  const body = { format: "JSON", includeSecret: true };
  const proof = await proofOf(world(), caller, "MEMORY_SECRET_EXPORT");
  let part = await done(caller, EXPORTS, body, proof);
  const first = part;
  const ids = idsIn(part);
  while (part.nextCursor !== null) {
    part = await done(caller, EXPORTS, { ...body, cursor: part.nextCursor });
    ids.push(...idsIn(part));
  }
  assertEquals(ids, made.map((memory) => memory.memoryId));
  assert(first.count < made.length);

  const cursor = first.nextCursor;
  const misuses: [Caller, JsonObject][] = [
    [caller, { ...body, format: "MARKDOWN", cursor }],
    [caller, { ...body, filter: {}, cursor }],
    [caller, { format: "JSON", cursor }],
    [caller, { ...body, cursor: `${cursor.slice(0, -1)}${cursor.endsWith("A") ? "B" : "A"}` }],
    [await withPermissions(world(), caller, "memory.read", "memory.secret"), { ...body, cursor }],
    [await world().createCaller(), { ...body, cursor }],
  ];
  for (const [caller, misuse] of misuses) {
    const response = await post(caller, EXPORTS, misuse);
    assertInvalid(response, ["cursor.unknown"], ["cursor"]);
  }
  world().advance(15 * 60 * 1000);
  const late = await post(caller, EXPORTS, { ...body, cursor });
  assertInvalid(late, ["cursor.unknown"], ["cursor"]);
});

Deno.test("A cursor without a proof opens no SECRET memory, and a replay precedes one that has expired since", async () => {
  const caller = await world().createCaller();
  const made = await bigMemories(caller, 12);
  const [newest, oldest] = [made[0], made.at(-1)];
  const memoryIds = made.map((memory) => memory.memoryId);
  const named = await done(caller, EXPORTS, { format: "JSON", memoryIds });
  const filtered = await done(caller, EXPORTS, { format: "JSON" });
  assert(named.nextCursor !== null && filtered.nextCursor !== null);
  const raise = { expectedRevision: 1, privacyLevel: "SECRET" };
  await done(caller, textPath(oldest, "/privacy"), raise);
  const body = { format: "JSON", memoryIds, cursor: named.nextCursor };
  assertFailure(await post(caller, EXPORTS, body), "STEP_UP_REQUIRED");
  const proof = await proofOf(world(), caller, "MEMORY_SECRET_EXPORT");
  const rest = await done(caller, EXPORTS, body, proof);
  assert(idsIn(rest).includes(oldest.memoryId) && !idsIn(rest).includes(newest.memoryId));
  const others = await done(caller, EXPORTS, { format: "JSON", cursor: filtered.nextCursor });
  assert(!idsIn(others).includes(oldest.memoryId));

  const key = ulid();
  const next = { format: "JSON", cursor: filtered.nextCursor };
  const first = await caller.call("POST", EXPORTS, { key, body: next });
  assertEquals(first.status, 201, first.text);
  world().advance(15 * 60 * 1000);
  const again = await caller.call("POST", EXPORTS, { key, body: next });
  assertEquals(again.status, 201, again.text);
  assertEquals(again.headers.get("Idempotency-Replayed"), "true");
  assertEquals(again.body.data, { ...first.body.data, content: null, nextCursor: null });
  const other = await caller.call("POST", EXPORTS, { key, body: { ...next, format: "MARKDOWN" } });
  assertFailure(other, "IDEMPOTENCY_KEY_REUSED");
  assertInvalid(await post(caller, EXPORTS, next), ["cursor.unknown"], ["cursor"]);
});

Deno.test("A part has at most five hundred memories", async () => {
  const caller = await world().createCaller();
  await world().raw(insertMemories(caller, 501, "'x'", "PRIVATE"));
  const first = await done(caller, EXPORTS, { format: "JSON" });
  assertEquals(first.count, 500);
  const second = await done(caller, EXPORTS, { format: "JSON", cursor: first.nextCursor });
  assertEquals([second.count, second.nextCursor], [1, null]);
  assertEquals(new Set([...idsIn(first), ...idsIn(second)]).size, 501);
});
