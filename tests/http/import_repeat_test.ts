/** Imports of items: plans, runs, repetitions, edits on both sides, withdrawals. */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { proofOf } from "../support/tokens.ts";
import { waitUntil } from "../support/wait.ts";
import {
  act,
  imported,
  itemsFile,
  itemsOf,
  memoryItem,
  planned,
  ran,
  settled,
  upload,
} from "./imports.ts";

const world = sharedWorld();

const COMMITMENT = { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" };

function commitmentItem(key: string, more: Json = {}): Json {
  return { key, target: "commitment", title: `Commitment ${key}`, payload: COMMITMENT, ...more };
}

/** Withdraws an import. */
async function withdrawn(caller: Caller, importId: string): Promise<Json> {
  const headers = await proofOf(world(), caller, "IMPORT_WITHDRAW");
  const { status, text } = await act(caller, importId, "withdraw", {}, { headers });
  assertEquals(status, 202, text);
  return await settled(caller, importId);
}

async function detail(caller: Caller, path: string): Promise<Json> {
  const { status, body, text } = await caller.call("GET", `/api/v2/${path}`);
  assertEquals(status, 200, text);
  return body.data;
}

const NONE = { new: 0, unchanged: 0, changed: 0, refused: 0 };

Deno.test("Items come in through the rules of their modules, each with its outcome", async () => {
  const caller = await world().createCaller();
  const file = itemsFile([
    memoryItem("one", { recordedAt: "2018-12-10T16:56:18.000Z", tags: ["Trip", "trip", " "] }),
    commitmentItem("two", { archived: true, summary: "Short" }),
    { key: "tag", target: "tag", title: "Own", payload: { aliases: ["Mine"] } },
    { key: "joined", target: "tag", title: "TRIP", payload: {} },
    { key: "unknown", target: "planet", title: "x", payload: {} },
    { key: "lacking", target: "memory", title: "x", payload: {} },
    { ...memoryItem("more"), extra: 1 },
    memoryItem("future", { recordedAt: "2126-01-01T00:00:00Z" }),
  ]);
  const plan = await planned(caller, "prs-items", file);
  assertEquals([plan.source, plan.total, plan.done], ["items:test", 8, 0]);
  assertEquals(plan.counts, {
    commitment: { ...NONE, new: 1 },
    memory: { ...NONE, new: 2, refused: 2 },
    tag: { ...NONE, new: 1, unchanged: 1 },
    unknown: { ...NONE, refused: 1 },
  });
  assertEquals(plan.rules.map(({ rule }: Json) => rule), [
    "field.required",
    "import.future",
    "import.target",
    "tag.invalid",
    "tag.joined",
    "undeclared_field",
  ]);
  const done = await ran(caller, plan);
  assertEquals([done.state, done.done, done.counts], ["DONE", 8, plan.counts]);
  const items = await itemsOf(caller, plan.importId);
  assertEquals(items.map(({ place }: Json) => place), [2, 3, 4, 5, 6, 7, 8, 9]);
  const record = await detail(caller, `records/memory/${items[0].recordId}`);
  assertEquals([record.sourceType, record.recordedAt], ["IMPORT", "2018-12-10T16:56:18.000Z"]);
  assertEquals(record.createdAt, world().now().toISOString());
  const archived = await detail(caller, `records/commitment/${items[1].recordId}`);
  assertEquals([archived.revision, archived.summary], [2, "Short"]);
  assert(archived.archivedAt !== null);
  assertEquals(items[3].recordId, await tagIdOf(caller, "Trip"));
  const refused = await itemsOf(caller, plan.importId, "&outcome=REFUSED");
  assertEquals(refused.map(({ key, target }: Json) => [key, target]), [
    ["unknown", null],
    ["lacking", "memory"],
    ["more", "memory"],
  ]);
  const found = await caller.call("POST", "/api/v2/search", { body: { q: "text of one" } });
  assertEquals(found.body.data.items.map(({ recordId }: Json) => recordId), [items[0].recordId]);
  const entries = await detail(caller, "audit?operation=import.item&limit=100");
  assertEquals(entries.items.length, 1 + 2 + 1 + 1 + 1);
  const future = await detail(caller, `records/memory/${items[7].recordId}`);
  assertEquals(future.recordedAt, future.createdAt);
});

async function tagIdOf(caller: Caller, name: string): Promise<string | undefined> {
  const { items } = await detail(caller, "taxonomy/tags?inactive=include");
  return items.find((tag: Json) => tag.name === name)?.termId;
}

Deno.test("Repetition brings nothing, a change there one revision, a change here is refused", async () => {
  const caller = await world().createCaller();
  const first = [memoryItem("a"), memoryItem("b"), commitmentItem("c"), commitmentItem("d")];
  const { importId } = await imported(caller, "prs-items", itemsFile(first));
  const [a, b, c, d] = (await itemsOf(caller, importId)).map(({ recordId }: Json) => recordId);
  const again = await imported(caller, "prs-items", itemsFile(first));
  assertEquals(again.counts.memory, { ...NONE, unchanged: 2 });
  assertEquals(again.counts.commitment, { ...NONE, unchanged: 2 });

  await caller.call("PATCH", `/api/v2/records/commitment/${d}`, { body: { title: "Mine" } });
  const text = { memoryType: "EVENT", originalContent: "Other words", timeText: "once" };
  const second = [
    { ...memoryItem("a"), payload: text, tags: ["Late"] },
    memoryItem("b"),
    { ...commitmentItem("c"), payload: { ...COMMITMENT, content: "Call again" } },
    { ...commitmentItem("d"), title: "Theirs" },
    { ...commitmentItem("b") },
  ].slice(0, 4);
  const changed = await imported(caller, "prs-items", itemsFile(second));
  assertEquals(changed.counts.memory, { ...NONE, changed: 1, unchanged: 1 });
  assertEquals(changed.counts.commitment, { ...NONE, changed: 1, refused: 1 });
  assertEquals(changed.rules, [{ rule: "import.edited_here", count: 1 }]);
  const memory = await detail(caller, `memory/texts/${a}`);
  assertEquals(
    [memory.revision, memory.originalContent, memory.currentContent, memory.timeText],
    [2, "The text of a", "Other words", "once"],
  );
  assertEquals((await detail(caller, `memory/texts/${b}`)).revision, 1);
  const commitment = await detail(caller, `records/commitment/${c}`);
  assertEquals([commitment.revision, commitment.payload.content], [2, "Call again"]);
  assertEquals((await detail(caller, `records/commitment/${d}`)).title, "Mine");
  const other = await imported(caller, "prs-items", itemsFile([commitmentItem("b")]));
  assertEquals(other.rules, [
    { rule: "import.nothing", count: 1 },
    { rule: "import.target", count: 1 },
  ]);
  const apart = await imported(caller, "prs-items", itemsFile([memoryItem("a")], "another"));
  assertEquals(apart.counts.memory, { ...NONE, new: 1 });
});

Deno.test("Withdrawal archives what is untouched, and a repetition restores it", async () => {
  const caller = await world().createCaller();
  const file = itemsFile([
    memoryItem("a", { tags: ["Kept", "Gone"] }),
    commitmentItem("b", { tags: ["Gone"] }),
    commitmentItem("edited"),
    commitmentItem("archived"),
  ]);
  const { importId } = await imported(caller, "prs-items", file);
  const [a, b, edited, archived] = (await itemsOf(caller, importId)).map((item: Json) =>
    item.recordId
  );
  await caller.call("PATCH", `/api/v2/records/commitment/${edited}`, { body: { title: "Mine" } });
  await caller.call("POST", `/api/v2/records/commitment/${archived}/archive`);
  const mine = await caller.create("commitment", COMMITMENT);
  const body = { termId: await tagIdOf(caller, "Kept") ?? "", moduleCode: "commitment" };
  await caller.call("POST", "/api/v2/taxonomy/assignments", {
    body: { ...body, recordId: mine.recordId },
    key: ulid(),
  });
  const back = await withdrawn(caller, importId);
  assertEquals(back.state, "WITHDRAWN");
  assertEquals(back.withdrawn, {
    archived: 2,
    left: [
      { rule: "import.archived_here", count: 1 },
      { rule: "import.changed_since", count: 1 },
      { rule: "tag.in_use", count: 1 },
    ],
  });
  for (const path of [`records/memory/${a}`, `records/commitment/${b}`]) {
    assert((await detail(caller, path)).archivedAt !== null, path);
  }
  const tags = (await detail(caller, "taxonomy/tags")).items.map(({ name }: Json) => name);
  assertEquals(tags, ["Kept"]);

  const again = await imported(caller, "prs-items", file);
  assertEquals(again.counts.memory, { ...NONE, changed: 1 });
  assertEquals(again.counts.commitment, { ...NONE, changed: 1, unchanged: 2 });
  assertEquals(again.rules, []);
  const restored = await detail(caller, `records/memory/${a}`);
  assertEquals([restored.archivedAt, restored.revision], [null, 3]);
  assertEquals((await detail(caller, "taxonomy/tags")).items.length, 2);
  const second = await withdrawn(caller, again.importId);
  assertEquals(second.withdrawn, {
    archived: 0,
    left: [{ rule: "import.made_before", count: 2 }],
  });
});

Deno.test("Withdrawal needs a proof and a session, and a state that allows it", async () => {
  const caller = await world().createCaller();
  const plan = await planned(caller, "prs-items", itemsFile([memoryItem("a")]));
  const early = await act(caller, plan.importId, "withdraw");
  assertEquals([early.status, early.body.error.code], [409, "IMPORT_STATE_CONFLICT"]);
  assertEquals(early.body.error.details, { rules: ["import.state"] });
  await ran(caller, plan);
  const unproven = await act(caller, plan.importId, "withdraw");
  assertEquals([unproven.status, unproven.body.error.code], [403, "STEP_UP_REQUIRED"]);
});

Deno.test("Run takes the plan that was seen, once under a key, and not another's", async () => {
  const caller = await world().createCaller();
  const plan = await planned(caller, "prs-items", itemsFile([memoryItem("a")]));
  const { importId } = plan;
  const wrong = await act(caller, importId, "run", { plan: "0".repeat(64) });
  assertEquals(wrong.body.error.details, { rules: ["import.plan"] });
  const key = ulid();
  const first = await act(caller, importId, "run", { plan: plan.plan }, { key });
  assertEquals([first.status, first.body.data.state], [202, "RUNNING"]);
  await settled(caller, importId);
  const replay = await act(caller, importId, "run", { plan: plan.plan }, { key });
  assertEquals([replay.status, replay.body.data.state], [202, "DONE"]);
  assertEquals(replay.headers.get("Idempotency-Replayed"), "true");
  const late = await act(caller, importId, "run", { plan: plan.plan });
  assertEquals(late.body.error.details, { rules: ["import.state"] });
  const stranger = await world().createCaller();
  const foreign = await act(stranger, importId, "run", { plan: plan.plan });
  assertEquals([foreign.status, foreign.body.error.code], [404, "RECORD_NOT_FOUND"]);
});

Deno.test("Upload is refused before and after its bytes by its own rules", async () => {
  const caller = await world().createCaller();
  const refusals: [query: Record<string, string>, format: string, bytes: string, status: number][] =
    [
      [{}, "nothing", "", 400],
      [{}, "csv", "a\n", 400],
      [{ name: "x".repeat(101) }, "csv", "a\n", 400],
      [{ name: "two\nlines" }, "csv", "a\n", 400],
      [{ name: "n" }, "csv", "a\0b", 415],
      [{}, "day-one", "no zip", 415],
      [{}, "prs-items", '{"format":"other"}\n', 415],
      [{}, "prs-items", "", 415],
    ];
  for (const [query, format, bytes, status] of refusals) {
    const response = await upload(caller, format, bytes, query);
    assertEquals(response.status, status, `${format} ${response.text}`);
    if (status === 415) assertEquals(response.body.error.details, { rules: ["import.format"] });
  }
  const { status } = await upload(caller, "csv", "a\n", { name: "n" }, {
    headers: { "Content-Type": "text/csv" },
  });
  assertEquals(status, 415);
  assertEquals((await detail(caller, "imports")).items, []);
});

Deno.test("Lines that are no items are refused alone, at their places", async () => {
  const caller = await world().createCaller();
  const first = new TextEncoder().encode(
    itemsFile([memoryItem("a"), { ...memoryItem("b"), key: 7 }]) + '\n[1]\n{"key"\n',
  );
  const latin = new Uint8Array([...first, 0x22, 0xe9, 0x22, 0x0a]);
  const bytes = new Uint8Array([...latin, ...new TextEncoder().encode(`{"key":""}\n`)]);
  const plan = await planned(caller, "prs-items", bytes);
  const items = await itemsOf(caller, plan.importId);
  assertEquals(items.map(({ place, key, rules }: Json) => [place, key, rules]), [
    [2, "a", []],
    [3, "place:3", ["import.key"]],
    [5, "place:5", ["items.line"]],
    [6, "place:6", ["items.line"]],
    [7, "place:7", ["text.utf8"]],
    [8, "place:8", ["import.key"]],
  ]);
});

Deno.test("Items in UTF-16, and in lines that end with CR, are read", async () => {
  const caller = await world().createCaller();
  const file = itemsFile([memoryItem("a"), memoryItem("b")]);
  const wide = new Uint8Array(
    Uint16Array.from(`\ufeff${file}`, (unit) => unit.charCodeAt(0)).buffer,
  );
  for (const bytes of [wide, file.replaceAll("\n", "\r")]) {
    const plan = await planned(caller, "prs-items", bytes);
    const items = await itemsOf(caller, plan.importId);
    assertEquals(items.map(({ place, key }: Json) => [place, key]), [[2, "a"], [3, "b"]]);
  }
});

Deno.test("Repeated key counts once, or comes in under another key", async () => {
  const caller = await world().createCaller();
  const other = memoryItem("a", { title: "Other" });
  const file = itemsFile([memoryItem("a"), memoryItem("a"), other, memoryItem("a-2"), other]);
  const plan = await planned(caller, "prs-items", file);
  assertEquals(plan.unmapped, [{ name: "item.repeated", count: 2 }]);
  const items = await itemsOf(caller, plan.importId);
  assertEquals(items.map(({ key, rules }: Json) => [key, rules]), [
    ["a", []],
    ["a-2", ["import.key_repeated"]],
    ["a-2-2", ["import.key_repeated"]],
  ]);
});

Deno.test("File of another version is refused as a whole", async () => {
  const caller = await world().createCaller();
  const file = itemsFile([memoryItem("a")]).replace('"version":1', '"version":2');
  const refused = await planned(caller, "prs-items", file);
  assertEquals(refused.refusal, { rule: "import.version", place: 1, entry: null });
  assertEquals([refused.state, refused.plan, refused.counts], ["REFUSED", null, {}]);
});

Deno.test("Items are listed in pages, before and after the run", async () => {
  const caller = await world().createCaller();
  const file = itemsFile(Array.from({ length: 230 }, (_, index) => memoryItem(`k${index}`)));
  const plan = await planned(caller, "prs-items", file);
  const pages = async () => {
    const places: number[] = [];
    let cursor = "";
    do {
      const query = `limit=100${cursor === "" ? "" : `&cursor=${cursor}`}`;
      const { items, nextCursor } = await detail(caller, `imports/${plan.importId}/items?${query}`);
      places.push(...items.map(({ place }: Json) => place));
      cursor = nextCursor ?? "";
    } while (cursor !== "");
    return places;
  };
  const places = Array.from({ length: 230 }, (_, index) => index + 2);
  assertEquals(await pages(), places);
  const sample = await detail(caller, `imports/${plan.importId}/sample`);
  assertEquals(sample.items.length, 10);
  assertEquals(sample.items[0], { place: 2, target: "memory", title: "Memory k0" });
  await ran(caller, plan);
  assertEquals(await pages(), places);
  await waitUntil("the files are removed", async () => {
    const { items } = await detail(caller, `imports/${plan.importId}/sample`);
    return items.length === 0;
  });
});
