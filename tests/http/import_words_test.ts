/** Words of files in reports, sizes of reports and mappings, and the names of single notes. */

import { assert, assertEquals } from "@std/assert";
import { importRow } from "../storage/import_rows.ts";
import { insertInto } from "../storage/rows.ts";
import { zip } from "../support/zip.ts";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { assertFailure } from "./kernel.ts";
import {
  act,
  imported,
  IMPORTS,
  itemsFile,
  itemsOf,
  memoryItem,
  planned,
  ran,
  settled,
  upload,
} from "./imports.ts";

const world = sharedWorld();
const MIB = 1024 ** 2;

async function dayOne(caller: Caller, entries: readonly Json[]): Promise<Json> {
  const content = JSON.stringify({ entries });
  return await planned(caller, "day-one", zip([{ name: "Journal.json", content }]));
}

const DATED = { creationDate: "2020-01-01T00:00:00Z", text: "Words" };

Deno.test("Every name of a file enters its report well-formed, on one line, and short", async () => {
  const caller = await world().createCaller();
  const names = ["\ud800half", "two\nlines\0", "x".repeat(10_000)];
  const members = Object.fromEntries(names.map((name) => [name, true]));
  const shown = ["two lines ", "x".repeat(200), "\ufffdhalf"];
  const { importId, unmapped } = await dayOne(caller, [{ uuid: "1", ...DATED, ...members }]);
  assertEquals(unmapped.map(({ name }: Json) => name), shown);
  const [item] = await itemsOf(caller, importId);
  assertEquals(item.unmapped.toSorted(), shown);
  assertEquals((await caller.call("GET", IMPORTS)).status, 200);
  // Names that an earlier release stored.
  const stored = JSON.stringify([{ name: "\ud800", count: 1 }]);
  await world().raw(`update imports set unmapped = '${stored}' where import_id = '${importId}'`);
  const { status, body } = await caller.call("GET", IMPORTS);
  assertEquals([status, body.data.items[0].unmapped], [200, [{ name: "\ufffd", count: 1 }]]);
});

Deno.test("A report stays below 1 MiB whatever its file names", async () => {
  const caller = await world().createCaller();
  const entries = Array.from({ length: 200 }, (_, entry) => ({
    uuid: String(entry),
    ...DATED,
    ...Object.fromEntries(
      Array.from({ length: 100 }, (_, index) => [`${entry}-${index}-${"ü".repeat(300)}`, true]),
    ),
  }));
  const { importId, unmapped } = await dayOne(caller, entries);
  const { text } = await caller.call("GET", `${IMPORTS}/${importId}`);
  assert(text.length < MIB, `${text.length} characters`);
  const total = unmapped.reduce((sum: number, { count }: Json) => sum + count, 0);
  assertEquals(total, 20_000);
  const page = await caller.call("GET", `${IMPORTS}/${importId}/items?limit=100`);
  assert(page.text.length < 2 * MIB, `${page.text.length} characters`);
});

Deno.test("A list of imports ends before 8 MiB, and goes on", async () => {
  const caller = await world().createCaller();
  const { importId } = await planned(caller, "csv", "a\n", { name: "n" });
  // As an earlier release could store them.
  const columns = JSON.stringify(["x".repeat(3 * MIB)]);
  await world().raw(`update imports set columns = '${columns}' where import_id = '${importId}'`);
  for (let copy = 0; copy < 3; copy++) {
    const own = await planned(caller, "csv", "a\n", { name: "n" });
    await world().raw(`
      update imports set columns = '${columns}' where import_id = '${own.importId}'`);
  }
  const sizes: number[] = [];
  for (let cursor = "";;) {
    const { text, body } = await caller.call("GET", `${IMPORTS}?limit=100${cursor}`);
    assert(text.length < 8 * MIB, `${text.length} characters`);
    sizes.push(body.data.items.length);
    if (body.data.nextCursor === null) break;
    cursor = `&cursor=${body.data.nextCursor}`;
  }
  assertEquals(sizes, [2, 2]);
});

Deno.test("Columns are named as a mapping repeats them, and a header has 64 KiB at most", async () => {
  const caller = await world().createCaller();
  const long = "How do you feel about it? ".repeat(20);
  const file = `"Na\tme","${long}"\nA,B\n`;
  const { importId, columns } = await planned(caller, "csv", file, { name: "n" });
  assertEquals(columns, ["Na me", long.slice(0, 128)]);
  const mapping = {
    target: "commitment",
    columns: { [columns[0]]: "@title", [columns[1]]: "content" },
    constants: { commitmentType: "OUTGOING", completionStatus: "OPEN" },
  };
  const path = `${IMPORTS}/${importId}/mapping`;
  assertEquals((await caller.call("PUT", path, { body: mapping })).status, 200);
  assertEquals((await settled(caller, importId)).counts.commitment.new, 1);
  const names = Array.from({ length: 10_000 }, (_, index) => `column ${index}`);
  const wide = await planned(caller, "csv", `${names.join()}\n`, { name: "n" });
  assertEquals([wide.state, wide.refusal], ["REFUSED", {
    rule: "csv.header",
    place: 1,
    entry: null,
  }]);
});

Deno.test("A mapping has 64 KiB at most", async () => {
  const caller = await world().createCaller();
  const { importId } = await planned(caller, "markdown", "A note", { name: "n" });
  const path = `${IMPORTS}/${importId}/mapping`;
  const body = (count: number) => {
    const folders = Array.from(
      { length: count },
      (_, index) => [`${index}/${"x".repeat(100)}`, "leave"],
    );
    return { folders: Object.fromEntries(folders) };
  };
  const refused = await caller.call("PUT", path, { body: body(600) });
  assertEquals(assertFailure(refused, "PAYLOAD_INVALID").rules, ["mapping.size"]);
  assertEquals((await caller.call("PUT", path, { body: body(500) })).status, 200);
  assertEquals((await settled(caller, importId)).state, "PLANNED");
});

Deno.test("A page of items examines 10,000 lines, and a short one has a cursor", async () => {
  const caller = await world().createCaller();
  const lines = Array.from(
    { length: 10_500 },
    (_, index) =>
      index === 10_400 ? { ...memoryItem("odd"), target: "no target" } : memoryItem(`${index}`),
  );
  const { importId } = await planned(caller, "prs-items", itemsFile(lines));
  const pages: string[][] = [];
  for (let cursor = "";;) {
    const path = `${IMPORTS}/${importId}/items?outcome=REFUSED${cursor}`;
    const { body: { data } } = await caller.call("GET", path);
    pages.push(data.items.map(({ key }: Json) => key));
    if (data.nextCursor === null) break;
    cursor = `&cursor=${encodeURIComponent(data.nextCursor)}`;
  }
  assertEquals(pages, [[], ["odd"]]);
});

Deno.test("Single notes are named by their files, so that two of them stay two", async () => {
  const caller = await world().createCaller();
  const bring = (filename: string, text: string) =>
    imported(caller, "markdown", text, { name: "Vault", filename });
  const first = await bring("Lake.md", "We swam.");
  const second = await bring("River.md", "We rowed.");
  const daily = await bring("2024-02-29.md", "A day.");
  const keys: string[] = [];
  for (const { importId } of [first, second, daily]) {
    const [item] = await itemsOf(caller, importId);
    keys.push(`${item.key} ${item.target} ${item.outcome}`);
  }
  assertEquals(keys, [
    "Lake.md knowledge NEW",
    "River.md knowledge NEW",
    "2024-02-29.md memory NEW",
  ]);
  const again = await bring("Lake.md", "We swam.");
  assertEquals(again.counts.knowledge.unchanged, 1);
  const changed = await bring("Lake.md", "We swam twice.");
  assertEquals(changed.counts.knowledge.changed, 1);
  const { body } = await caller.call("GET", "/api/v2/records/knowledge");
  assertEquals(body.data.items.map(({ title }: Json) => title).sort(), ["Lake", "River"]);
});

Deno.test("A single note without a file name is known by its text", async () => {
  const caller = await world().createCaller();
  const texts: readonly [text: string, title: string][] = [
    ["Before\n## A heading ##\nAfter", "A heading"],
    ["```\n# code\n```\n\n> - Some words\nmore", "Some words"],
    ["---\n***\n", "Vault"],
    ["---\ntitle: By hand\n---\n# Heading", "By hand"],
  ];
  for (const [text, title] of texts) {
    const plan = await planned(caller, "markdown", text, { name: "Vault" });
    const { body } = await caller.call("GET", `${IMPORTS}/${plan.importId}/sample`);
    assertEquals(body.data.items.map((item: Json) => item.title), [title]);
    assertEquals((await act(caller, plan.importId, "discard")).status, 200);
  }
  for (const text of ["One", "Two"]) {
    const first = await imported(caller, "markdown", text, { name: "Vault" });
    assertEquals(first.counts.knowledge.new, 1);
    const again = await planned(caller, "markdown", text, { name: "Vault" });
    assertEquals(again.counts.knowledge.unchanged, 1);
    const bytes = new TextEncoder().encode(text);
    const digest = new Uint8Array(await crypto.subtle.digest("SHA-256", bytes)).toHex();
    const key = text === "One" ? "note.md" : `digest:${digest}`;
    assertEquals((await itemsOf(caller, again.importId))[0].key, key);
    assertEquals((await act(caller, again.importId, "discard")).status, 200);
  }
});

Deno.test("A note that an earlier release brought in as note.md comes in again only if changed", async () => {
  const caller = await world().createCaller();
  // With this file name the key, title and digest are those of the earlier release.
  const first = await imported(caller, "markdown", "One", { name: "Vault", filename: "note.md" });
  const [{ recordId }] = await itemsOf(caller, first.importId);
  const equal = await imported(caller, "markdown", "One", { name: "Vault", filename: "One.md" });
  assertEquals(equal.counts.knowledge, { new: 0, unchanged: 0, changed: 1, refused: 0 });
  const { body } = await caller.call("GET", `/api/v2/records/knowledge/${recordId}`);
  assertEquals(body.data.title, "One");
  const other = await imported(caller, "markdown", "Two", { name: "Vault", filename: "Two.md" });
  assertEquals(other.counts.knowledge.new, 1);
  const again = await planned(caller, "markdown", "One", { name: "Vault", filename: "One.md" });
  assertEquals(again.counts.knowledge.unchanged, 1);
});

Deno.test("A file name is one line without a slash", async () => {
  const caller = await world().createCaller();
  for (const filename of ["", "a/b.md", "a\nb.md", "x".repeat(201), "a\u2028b"]) {
    const refused = await upload(caller, "markdown", "One", { name: "Vault", filename });
    assertEquals(assertFailure(refused, "PAYLOAD_INVALID").fields, ["filename"], filename);
  }
  const named = { name: "Vault", filename: "ü".repeat(200) };
  assertEquals((await upload(caller, "markdown", "One", named)).status, 201);
});

Deno.test("An import that an earlier release planned can be looked at and run", async () => {
  const caller = await world().createCaller();
  const refused = memoryItem("b", { payload: {} });
  const plan = await planned(caller, "prs-items", itemsFile([memoryItem("a"), refused]));
  const { importFolder: folder } = world();
  // Such a release noted no former keys, and names and titles as they came.
  const items = await folder.read(plan.importId, "items") ?? "";
  await folder.write(plan.importId, "items", items.replaceAll(',"former":null', ""));
  // It would not run this plan, but finds its own, which counts.
  assertEquals(await folder.planFile(plan.importId), "reports");
  const reports = await folder.read(plan.importId, "reports") ?? "";
  const withNames = reports.replaceAll('"unmapped":[]', '"unmapped":["\\ud800"]');
  await folder.write(plan.importId, "reports", "");
  await folder.write(plan.importId, "plan", withNames);
  const sample = [{ place: 2, target: "memory", title: "\ud800half" }];
  await folder.write(plan.importId, "sample", JSON.stringify(sample));
  const shown = await caller.call("GET", `${IMPORTS}/${plan.importId}/sample`);
  assertEquals([shown.status, shown.body.data.items[0].title], [200, "\ufffdhalf"]);
  const { state, done } = await ran(caller, plan);
  assertEquals([state, done], ["DONE", 2]);
  const names = (await itemsOf(caller, plan.importId)).map(({ unmapped }) => unmapped);
  assertEquals(names, [[], ["\ufffd"]]);
});

Deno.test("A file of a plan that this release reads as a part of the archive is missing", async () => {
  const caller = await world().createCaller();
  const vault = zip([{ name: "A.md", content: "![[b.zip]]" }, { name: "b.zip", content: "b" }]);
  const plan = await planned(caller, "markdown", vault, { name: "Vault" });
  assertEquals(plan.attachments, { new: 1, unchanged: 0, missing: 0 });
  const { importFolder: folder } = world();
  const items = await folder.read(plan.importId, "items") ?? "";
  await folder.write(plan.importId, "items", items.replaceAll("b.zip", "c.zip"));
  const { state, counts, rules } = await ran(caller, plan);
  assertEquals([state, counts.knowledge.new], ["DONE", 1]);
  assertEquals(rules, [{ rule: "attachment.missing", count: 1 }]);
});

Deno.test("Facts of tables from an account file change no other member of an import", async () => {
  const caller = await world().createCaller();
  const facts = JSON.stringify({ state: "LOST", encoding: "utf-8" });
  await world().raw(insertInto("imports", importRow(caller, { table_facts: facts })));
  const { body } = await caller.call("GET", IMPORTS);
  const [{ state, tables, encoding, suggestedKey }] = body.data.items;
  assertEquals([state, tables, encoding, suggestedKey], ["DONE", null, "utf-8", null]);
});
