/** Files that others made: the samples of obsidian-importer, against expectations written by hand. */

import { assert, assertEquals } from "@std/assert";
import { type Json, sharedWorld } from "../support/world.ts";
import { IMPORTS, itemsOf, planned, ran, settled } from "./imports.ts";

const world = sharedWorld();
const SAMPLES = new URL("./import_samples/", import.meta.url);
const PAGE =
  "# Example sub page\n\nIn Notion, you can nest pages inside pages inside pages... infinitely. " +
  "No more messy folders!\n\n👈 To go back, tap the link at the top left, or swipe from left to " +
  "right across your screen.";

Deno.test("A table of obsidian-importer comes in row by row", async () => {
  const caller = await world().createCaller();
  const bytes = await Deno.readFile(new URL("table.csv", SAMPLES));
  const plan = await planned(caller, "csv", bytes, { name: "Table" });
  assertEquals(plan.columns, [
    ...["Title", "Category", "Subcategory", "Author", "Date", "Priority", "Completed", "Rating"],
    ...["Tags", "Content", "Notes"],
  ]);
  const mapping = {
    target: "memory",
    columns: { Title: "@title", Date: "occurredAt", Tags: "@tags", Content: "originalContent" },
    constants: { memoryType: "EVENT", timePrecision: "DAY" },
  };
  const path = `${IMPORTS}/${plan.importId}/mapping`;
  assertEquals((await caller.call("PUT", path, { body: mapping })).status, 200);
  const done = await ran(caller, await settled(caller, plan.importId));
  // A row has no date, though its precision says so.
  assertEquals(done.counts, { memory: { new: 9, unchanged: 0, changed: 0, refused: 1 } });
  const items = await itemsOf(caller, done.importId);
  assertEquals(items.map(({ place }: Json) => place), [2, 6, 13, 14, 15, 16, 17, 18, 19, 23]);
  const quoted = items[2] ?? {};
  const { body } = await caller.call("GET", `/api/v2/memory/texts/${quoted.recordId}`);
  const { title, originalContent, occurredAt, timePrecision } = body.data;
  assertEquals({ title, originalContent, occurredAt, timePrecision }, {
    title: 'Note with "quotes"',
    originalContent: 'Content with "escaped quotes" inside.',
    occurredAt: "2024-01-17T00:00:00.000Z",
    timePrecision: "DAY",
  });
  assertEquals(quoted.unmapped, [
    ...["Category", "Subcategory", "Author", "Priority", "Completed", "Rating", "Notes"],
  ]);
});

Deno.test("An export of Notion comes in page by page", async () => {
  const caller = await world().createCaller();
  const bytes = await Deno.readFile(new URL("notion.zip", SAMPLES));
  const plan = await planned(caller, "markdown", bytes, { name: "Notion" });
  assertEquals(plan.unmapped, [{ name: "file.csv", count: 2 }, { name: "file.unused", count: 1 }]);
  const done = await ran(caller, plan);
  assertEquals(done.counts, { knowledge: { new: 278, unchanged: 0, changed: 0, refused: 0 } });
  const items = await itemsOf(caller, done.importId);
  assert(items.every(({ key }: Json) => /^[0-9a-f]{32}$/.test(key)));
  const page = items.find(({ key }: Json) => key === "25592a85546546a48b02dfa4fb545e1d");
  const { body } = await caller.call("GET", `/api/v2/records/knowledge/${page?.recordId}`);
  assertEquals([body.data.title, body.data.payload.snapshot], ["Example sub page", PAGE]);
});
