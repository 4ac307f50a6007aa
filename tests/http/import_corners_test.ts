/** Rules that are rarely met: of cells, entries, archives, tags and withdrawals. */

import { assertEquals } from "@std/assert";
import { systemTimer } from "../../src/core/timer.ts";
import { MAX_ITEMS } from "../../src/imports/prepare.ts";
import { ulid } from "@std/ulid";
import { callerOf, type Json, sharedWorld } from "../support/world.ts";
import { proofOf } from "../support/tokens.ts";
import { zip } from "../support/zip.ts";
import {
  act,
  imported,
  IMPORTS,
  itemsFile,
  itemsOf,
  memoryItem,
  planned,
  settled,
} from "./imports.ts";

const world = sharedWorld();

Deno.test("Cells that are no number or no boolean refuse their row", async () => {
  const caller = await world().createCaller();
  const bytes = "Name,Days,On\nA,1.5,yes\nB,much,no\nC,2,perhaps\nD,7,0\n";
  const plan = await planned(caller, "csv", bytes, { name: "Cells" });
  const columns = { Name: "@title", Days: "intervalDays", On: "active" };
  const mapping = { target: "routine", columns, constants: { routineName: "R", area: "Home" } };
  const path = `${IMPORTS}/${plan.importId}/mapping`;
  assertEquals((await caller.call("PUT", path, { body: mapping })).status, 200);
  await settled(caller, plan.importId);
  const items = await itemsOf(caller, plan.importId);
  assertEquals(items.map(({ outcome, rules }: Json) => [outcome, rules]), [
    ["REFUSED", ["field.integer"]],
    ["REFUSED", ["csv.number"]],
    ["REFUSED", ["csv.boolean"]],
    ["NEW", []],
  ]);
});

Deno.test("Item with an integer that a double cannot hold is refused alone", async () => {
  const caller = await world().createCaller();
  const lines = itemsFile([memoryItem("a"), memoryItem("b", { emotionScore: 17 }), memoryItem("c")])
    .replace('"emotionScore":17', '"emotionScore":12345678901234567890');
  const plan = await planned(caller, "prs-items", lines);
  const items = await itemsOf(caller, plan.importId);
  assertEquals(items.map(({ outcome, rules }: Json) => [outcome, rules]), [
    ["NEW", []],
    ["REFUSED", ["json.number"]],
    ["NEW", []],
  ]);
});

Deno.test("Day One archive without a journal is refused, and a broken date or zone is told", async () => {
  const caller = await world().createCaller();
  const broken = await planned(caller, "day-one", zip([{ name: "Journal.json", content: "{" }]));
  assertEquals(broken.refusal, { rule: "day_one.json", place: 0, entry: null });
  const entries = [
    { uuid: "1", creationDate: "yesterday", timeZone: "Europe/Berlin", text: "One" },
    { uuid: "2", creationDate: "2020-01-01T00:00:00Z", timeZone: "Mars/Base", text: "Two" },
    {
      uuid: "3",
      creationDate: "2020-01-01T23:30:00Z",
      timeZone: "Europe/Berlin",
      isAllDay: true,
      text: "All day",
    },
  ];
  const content = JSON.stringify({ entries });
  const done = await imported(caller, "day-one", zip([{ name: "Journal.json", content }]));
  assertEquals(done.rules, [
    { rule: "import.date", count: 1 },
    { rule: "import.zone", count: 1 },
  ]);
  const items = await itemsOf(caller, done.importId);
  const told = [];
  for (const { recordId } of items) {
    const { body } = await caller.call("GET", `/api/v2/memory/texts/${recordId}`);
    told.push([body.data.title, body.data.occurredAt, body.data.timePrecision]);
  }
  assertEquals(told, [
    ["One", null, "UNKNOWN"],
    ["Two", "2020-01-01T00:00:00.000Z", "EXACT"],
    ["All day", "2020-01-01T23:30:00.000Z", "DAY"],
  ]);
});

Deno.test("Archive in an archive's part is refused alone, and links are left out", async () => {
  const caller = await world().createCaller();
  const deep = zip([{ name: "Deep-Part-1.zip", content: zip([{ name: "a.md", content: "A" }]) }]);
  const nested = zip([{ name: "b.md", content: "B" }, { name: "X-Part-1.zip", content: deep }]);
  const done = await imported(caller, "markdown", nested, { name: "Nested" });
  assertEquals(done.rules, [{ rule: "zip.nested", count: 1 }]);
  const items = await itemsOf(caller, done.importId);
  assertEquals(items.map(({ key, entry, place, outcome }: Json) => [key, entry, place, outcome]), [
    ["b.md", "b.md", 1, "NEW"],
    ["entry:3", "X-Part-1.zip/Deep-Part-1.zip", 2, "REFUSED"],
  ]);
  const linked = zip([
    { name: "a.md", content: "A" },
    { name: "l.md", content: "a.md", mode: 0o120777 },
    { name: "__MACOSX/._X-Part-1.zip", content: "no archive" },
  ]);
  const plan = await planned(caller, "markdown", linked, { name: "Linked" });
  assertEquals(plan.unmapped, [{ name: "file.hidden", count: 1 }, { name: "file.link", count: 1 }]);
  assertEquals(plan.total, 1);
});

Deno.test("Inactive tags are left out, and files stay after a withdrawal", async () => {
  const caller = await world().createCaller();
  const made = await caller.call("POST", "/api/v2/taxonomy/tags", {
    body: { name: "Old" },
    key: ulid(),
  });
  const { termId, revision } = made.body.data;
  const { status } = await caller.call("POST", `/api/v2/taxonomy/tags/${termId}/deactivate`, {
    body: { expectedRevision: revision },
    key: ulid(),
  });
  assertEquals(status, 200);
  const items = [memoryItem("a", { tags: ["Old", "", "New"], attachments: ["x.txt"] })];
  const file = zip([
    { name: "items.jsonl", content: itemsFile(items) },
    { name: "x.txt", content: "X" },
  ]);
  const done = await imported(caller, "prs-items", file);
  assertEquals(done.rules, [{ rule: "tag.inactive", count: 1 }, { rule: "tag.invalid", count: 1 }]);
  const headers = await proofOf(world(), caller, "IMPORT_WITHDRAW");
  await act(caller, done.importId, "withdraw", {}, { headers });
  const { withdrawn } = await settled(caller, done.importId);
  assertEquals(withdrawn, { archived: 1, left: [{ rule: "attachment.kept", count: 1 }] });
});

Deno.test("File above 64 MiB stays out, and its item comes in", async () => {
  const caller = await world().createCaller();
  const items = [memoryItem("a", { attachments: ["large.bin", "small.bin"] })];
  const done = await imported(
    caller,
    "prs-items",
    zip([
      { name: "items.jsonl", content: itemsFile(items) },
      { name: "large.bin", content: new Uint8Array(64 * 1024 * 1024 + 1) },
      // Without these bytes the archive would be a bomb.
      {
        name: "small.bin",
        content: crypto.getRandomValues(new Uint8Array(65_536)),
        isStored: true,
      },
      { name: "more.bin", content: new Uint8Array(400_000), isStored: true },
    ]),
    { keepOriginal: "false" },
  );
  assertEquals(done.counts.memory, { new: 1, unchanged: 0, changed: 0, refused: 0 });
  assertEquals(done.rules, [{ rule: "attachment.size", count: 1 }]);
  assertEquals(done.attachments, { new: 1, unchanged: 0, missing: 1 });
  const [item] = await itemsOf(caller, done.importId);
  assertEquals(item?.attachmentIds.length, 1);
});

Deno.test("File with more than 200,000 items is refused", async () => {
  assertEquals(MAX_ITEMS, 200_000);
  const { importFolder: folder } = world();
  const imports = { folder, maximumBytes: 1_024, maximumItems: 3, timer: systemTimer };
  const caller = callerOf(world().again({ imports }), await world().createCaller());
  for (
    const [count, refusal] of [[3, null], [4, {
      rule: "import.items",
      place: 5,
      entry: null,
    }]] as const
  ) {
    const keys = Array.from({ length: count }, (_, index) => ({ key: `${index}` }));
    assertEquals((await planned(caller, "prs-items", itemsFile(keys))).refusal, refusal);
  }
});

Deno.test("Withdrawal counts a person that the end of its run linked once", async () => {
  const caller = await world().createCaller();
  const card = (...lines: string[]) =>
    ["BEGIN:VCARD", "VERSION:3.0", ...lines, "END:VCARD", ""].join("\r\n");
  const cards = card("UID:anna", "FN:Anna", "RELATED;TYPE=friend:urn:uuid:ben") +
    card("UID:urn:uuid:ben", "FN:Ben");
  const done = await imported(caller, "vcard", cards);
  assertEquals(done.counts.person.new, 2);
  const headers = await proofOf(world(), caller, "IMPORT_WITHDRAW");
  await act(caller, done.importId, "withdraw", {}, { headers });
  const { withdrawn } = await settled(caller, done.importId);
  assertEquals(withdrawn, { archived: 2, left: [] });
});

Deno.test("Card of two million lines in eight kilobytes comes in without the rest", async () => {
  const caller = await world().createCaller();
  const card = (lines: string) => `BEGIN:VCARD\nVERSION:3.0\nFN:A\n${lines}END:VCARD\n`;
  const content = card("A:\n".repeat(2_000_000)) + card("UID:b\n");
  const plan = await planned(caller, "vcard", zip([{ name: "a.vcf", content }]));
  assertEquals(plan.rules, [{ rule: "import.item_size", count: 1 }]);
  const items = await itemsOf(caller, plan.importId);
  assertEquals(items.map(({ outcome, unmapped }: Json) => [outcome, unmapped]), [
    ["NEW", ["A"]],
    ["NEW", []],
  ]);
});

Deno.test("Entry whose texts no database stores is refused alone", async () => {
  const caller = await world().createCaller();
  const entries = ["a\0", "\ud800", "good"].map((text, index) => ({ uuid: `${index}`, text }));
  const tagged = { uuid: "tag", text: "good", tags: ["\0"] };
  const content = JSON.stringify({ entries: [...entries, tagged] });
  const plan = await planned(caller, "day-one", zip([{ name: "Journal.json", content }]));
  const items = await itemsOf(caller, plan.importId);
  assertEquals(items.map(({ outcome }: Json) => outcome), ["REFUSED", "REFUSED", "NEW", "NEW"]);
  assertEquals(items[3].rules.includes("tag.invalid"), true);
});

Deno.test("Items that stay out keep no content in the import's folder", async () => {
  const caller = await world().createCaller();
  const words = "secret words ".repeat(100);
  const items = [memoryItem("a", { payload: { memoryType: "NONE", originalContent: words } })];
  const plan = await planned(caller, "prs-items", itemsFile(items));
  assertEquals(plan.counts.memory.refused, 1);
  const kept = await world().importFolder.read(plan.importId, "items");
  assertEquals(kept?.includes("secret words"), false);
});
