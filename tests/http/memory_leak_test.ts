/** Memory texts in ledgers, log, errors, or for readers without permission. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../src/core/json.ts";
import { Markers } from "../support/markers.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, fileWorld, type Json } from "../support/world.ts";
import {
  done,
  DRAFTS,
  EXPORTS,
  post,
  remember,
  textPath,
  TEXTS,
  withoutSecrets,
} from "../families/memory/api.ts";

const shared = fileWorld();

/** A memory with slice, AI draft and draft, every text marked. */
async function markedMemory(
  caller: Caller,
  markers: Markers,
): Promise<{ readonly memory: Json; readonly sliceId: string; readonly draftId: string }> {
  const mark = (purpose: string) => ({ [purpose]: markers.make(purpose) });
  const memory = await remember(caller, {
    ...mark("title"),
    ...mark("summary"),
    ...mark("originalContent"),
    ...mark("currentContent"),
    ...mark("timeText"),
  });
  const { sliceId } = await done(caller, textPath(memory, "/slices"), mark("label"));
  const steps: [string, JsonObject][] = [
    ["/ai-draft", { ...mark("aiDraft"), ...mark("provider"), ...mark("model") }],
    ["/ai-draft/adopt", { confirm: true }],
    ["/ai-draft", { ...mark("aiDraft"), ...mark("provider") }],
    ["/revisions", { ...mark("title"), ...mark("currentContent") }],
    ["/time", { timePrecision: "LIFE_PERIOD", ...mark("timeText") }],
    ["/privacy", { privacyLevel: "SECRET" }],
  ];
  for (const [index, [end, body]] of steps.entries()) {
    await done(caller, textPath(memory, end), { expectedRevision: index + 1, ...body });
  }
  const draftId = ulid();
  const draft = { draftVersion: 1, memoryId: memory.memoryId, content: mark("title") };
  await caller.call("PUT", `${DRAFTS}/${draftId}`, { body: draft });
  return { memory, sliceId, draftId };
}

Deno.test("No audit entry, envelope, execution or log line has text of a memory", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const { memory, sliceId, draftId } = await markedMemory(caller, markers);
  const recover = textPath(memory, `/slices/${sliceId}/recover`);
  await done(caller, recover, { expectedRevision: 7 });
  await done(caller, `${DRAFTS}/${draftId}/commit`, { expectedRevision: 8 });
  const proof = await proofOf(world, caller, "MEMORY_SECRET_EXPORT");
  await done(caller, EXPORTS, { format: "MARKDOWN", includeSecret: true }, proof);
  const columns = Object.keys(await markers.assertLedgersTellNothing(world));
  const tables = [...new Set(columns.map((column) => column.split(".")[0]))].sort();
  const belongs = ["memories", "memory_drafts", "memory_revisions", "memory_slices"];
  assertEquals(tables, [
    ...belongs,
    "record_order",
    "record_revisions",
    "records",
    "search_index",
  ]);
  const projected = columns.filter((column) => column.startsWith("record"));
  assertEquals(projected.sort(), [
    "record_order.order_form",
    "record_revisions.payload",
    "record_revisions.summary",
    "record_revisions.title",
    "records.payload",
    "records.summary",
    "records.title",
  ]);
});

Deno.test("A projection has none of the sensitive texts", async () => {
  const world = shared();
  const markers = new Markers();
  await markedMemory(await world.createCaller(), markers);
  const columns = await markers.inDatabase(world);
  for (const table of ["records", "record_revisions"]) {
    assertEquals(columns[`${table}.payload`], ["timeText"]);
  }
});

Deno.test("No route shows text of a SECRET memory without memory.secret", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const reader = await withoutSecrets(world, caller);
  const { memory, sliceId, draftId } = await markedMemory(caller, markers);
  const record = `/api/v2/records/memory/${memory.memoryId}`;
  const paths = [
    TEXTS,
    `${TEXTS}?privacyLevel=SECRET&archived=include`,
    textPath(memory),
    textPath(memory, "/revisions"),
    ...[1, 2, 3, 4, 5, 6, 7].map((revision) => textPath(memory, `/revisions/${revision}`)),
    textPath(memory, "/slices"),
    textPath(memory, `/slices/${sliceId}`),
    DRAFTS,
    `${DRAFTS}/${draftId}`,
    EXPORTS,
    "/api/v2/records/memory",
    record,
    ...[1, 2, 3, 4, 5, 6, 7].map((revision) => `${record}?revision=${revision}`),
    `${record}/revisions`,
    `${record}/executions`,
  ];
  for (const path of paths) {
    const hidden = await reader.call("GET", path);
    assertEquals([hidden.status, markers.inResponse(hidden)], [200, []], path);
  }
  const exported = await done(reader, EXPORTS, { format: "JSON" });
  assertEquals([exported.count, markers.in(exported.content)], [0, []]);
});

Deno.test("No memory error repeats what was sent or stored", async () => {
  const world = shared();
  const markers = new Markers();
  const caller = await world.createCaller();
  const { memory, draftId } = await markedMemory(caller, markers);
  const word = markers.make("sent");
  const refused: [string, JsonObject][] = [
    [TEXTS, { title: word, memoryType: word, originalContent: word, [word]: word }],
    [textPath(memory, "/revisions"), { expectedRevision: 1, title: word }],
    [textPath(memory, "/ai-draft"), { expectedRevision: 9, aiDraft: word, provider: word }],
    [textPath(memory, "/time"), { expectedRevision: 7, timePrecision: "EXACT", timeText: word }],
    [textPath(memory, "/privacy"), { expectedRevision: 7, privacyLevel: word }],
    [textPath(memory, "/slices"), { label: word.repeat(20) }],
    [`${DRAFTS}/${draftId}/commit`, { expectedRevision: 1 }],
    [EXPORTS, { format: "JSON", memoryIds: [word] }],
    [EXPORTS, { format: "JSON", cursor: word }],
  ];
  for (const [path, body] of refused) {
    markers.assertTellsNothing(await post(caller, path, body), path);
  }
  const save = { draftVersion: 1, content: { title: word, [word]: 1 } };
  const saved = await caller.call("PUT", `${DRAFTS}/${draftId}`, { body: save });
  markers.assertTellsNothing(saved, "a save");
  const filtered = await caller.call("GET", `${TEXTS}?memoryType=${word}`);
  markers.assertTellsNothing(filtered, "a filter");
  assertEquals(markers.in(JSON.stringify(world.log)), []);
});
