/**
 * Files that others made, against expectations written by hand: samples of obsidian-importer, and a
 * journal of Day One from obsidian-day-one-importer. Their licences are in the folder.
 */

import { assert, assertEquals } from "@std/assert";
import { type Json, sharedWorld } from "../support/world.ts";
import { imported, IMPORTS, itemsOf, planned, ran, settled } from "./imports.ts";

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
    "Title",
    "Category",
    "Subcategory",
    "Author",
    "Date",
    "Priority",
    "Completed",
    "Rating",
    "Tags",
    "Content",
    "Notes",
  ]);
  const mapping = {
    target: "memory",
    columns: { Title: "@title", Date: "occurredAt", Tags: "@tags", Content: "originalContent" },
    constants: { memoryType: "EVENT", timePrecision: "DAY" },
  };
  const path = `${IMPORTS}/${plan.importId}/mapping`;
  assertEquals((await caller.call("PUT", path, { body: mapping })).status, 200);
  const done = await ran(caller, await settled(caller, plan.importId));
  // One row lacks the date that its precision requires.
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
    "Category",
    "Subcategory",
    "Author",
    "Priority",
    "Completed",
    "Rating",
    "Notes",
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

Deno.test("A journal of Day One comes in entry by entry, with its audio file", async () => {
  const caller = await world().createCaller();
  const bytes = await Deno.readFile(new URL("day_one.zip", SAMPLES));
  const done = await imported(caller, "day-one", bytes);
  assertEquals(done.counts, { memory: { new: 5, unchanged: 0, changed: 0, refused: 0 } });
  assertEquals(done.attachments, { new: 1, unchanged: 0, missing: 4 });
  assertEquals(done.rules, [
    { rule: "attachment.missing", count: 3 },
    { rule: "title.cut", count: 1 },
  ]);
  assertEquals(done.unmapped.map(({ name, count }: Json) => `${name} ${count}`), [
    "audios.audioChannels 1",
    "audios.creationDevice 1",
    "audios.date 1",
    "audios.duration 1",
    "audios.format 1",
    "audios.location 1",
    "audios.recordingDevice 1",
    "audios.sampleRate 1",
    "audios.timeZoneName 1",
    "creationDeviceModel 5",
    "creationDeviceType 5",
    "creationOSName 5",
    "creationOSVersion 5",
    "editingTime 4",
    "isPinned 1",
    "location.region 3",
    "location.timeZoneName 3",
    "photos.creationDevice 2",
    "photos.date 2",
    "richText 5",
    "userActivity 1",
    "videos.creationDevice 2",
    "videos.date 2",
    "videos.duration 2",
  ]);
  const items = await itemsOf(caller, done.importId);
  const memories = [];
  for (const { recordId } of items) {
    memories.push((await caller.call("GET", `/api/v2/memory/texts/${recordId}`)).body.data);
  }
  const told = memories.map(({ occurredAt, timePrecision }: Json) => [occurredAt, timePrecision]);
  assertEquals(told, [
    ["2024-04-16T23:00:00.000Z", "DAY"],
    ["2024-04-17T23:00:00.000Z", "DAY"],
    ["2024-04-19T21:48:36.000Z", "EXACT"],
    ["2024-04-19T21:55:53.000Z", "EXACT"],
    ["2024-04-21T22:45:51.000Z", "EXACT"],
  ]);
  const [first, , quoted, , last] = memories;
  assertEquals([first.title, quoted.title], ["Header 1", '"This text is in quotes"']);
  assert(first.originalContent.endsWith(
    "![](dayone-moment://646FD9CE9D924262ADB1FA7AF3A2F4DB)\n\nDetails\n" +
      "Place: Eurpocar Dublin Airport Terminal 2, Swords, Co. Dublin, Ireland\n" +
      "Coordinates: 53.4276123046875, -6.239171028137207\nStarred: yes\n" +
      "Device: marcBook Pro\nJournal: Dev Journal",
  ));
  const [attachmentId] = items[4]?.attachmentIds ?? [];
  assertEquals(
    last.originalContent,
    "![](dayone-moment:/video/6F9B2DC7EADE4242A80DC76470D2264E)\n\n" +
      `![](attachment:${attachmentId})\n\nDetails\nDevice: marcBook Pro\n` +
      "Journal: Dev Journal",
  );
});
