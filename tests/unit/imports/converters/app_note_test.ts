/** Rules that notes of all apps share. */

import { assertEquals, assertThrows } from "@std/assert";
import { sha256Hex } from "../../../../src/core/digest.ts";
import type { JsonObject } from "../../../../src/core/json.ts";
import { type AppNote, noteConverted } from "../../../../src/imports/converters/apps/app_note.ts";
import { cleanText } from "../../../../src/imports/converters/apps/clean_text.ts";
import { coordinates } from "../../../../src/imports/converters/apps/item_details.ts";
import { itemTime } from "../../../../src/imports/converters/apps/item_time.ts";
import { NamedFiles } from "../../../../src/imports/converters/apps/named_files.ts";
import {
  NOTES_MAPPING,
  readNotesMapping,
  tagOfGroup,
} from "../../../../src/imports/converters/apps/notes_mapping.ts";
import { NoteTitles } from "../../../../src/imports/converters/apps/note_titles.ts";
import { taskItem } from "../../../../src/imports/converters/apps/task_item.ts";
import type { SourceItem } from "../../../../src/imports/converters/converter.ts";
import { ReadingBudget } from "../../../../src/imports/reading_budget.ts";
import { inputOf } from "../../../families/relationship/cards.ts";
import { archiveOf } from "../../../support/converted_files.ts";

const NOTE: AppNote = {
  key: "k1",
  entry: "a.json",
  title: "Plan",
  text: "Words",
  createdAt: "2025-07-01T12:00:00.000+02:00[Europe/Berlin]",
};

function itemsOf(note: Partial<AppNote>, mapping = {}): readonly SourceItem[] {
  const context = { source: "notes", mapping: readNotesMapping(mapping) };
  return [...noteConverted({ ...NOTE, ...note }, context)]
    .flatMap((each) => each.kind === "item" ? each.item : []);
}

function itemOf(note: Partial<AppNote>, mapping = {}): SourceItem {
  const [item] = itemsOf(note, mapping);
  if (item === undefined) throw new Error("No item");
  return item;
}

function payloadOf(note: Partial<AppNote>, mapping = {}) {
  return itemOf(note, mapping).members.payload;
}

Deno.test("Text has LF, no control characters but tabs, and no half of a pair", () => {
  assertEquals(cleanText("a\r\nb\rc\n\td\0\u0007\u0085\ud800e"), "a\nb\nc\n\td\ufffde");
});

Deno.test("Title that is cut stands whole in the first line of the text", () => {
  const title = "é".repeat(201);
  assertEquals(payloadOf({ title }, { target: "capture" }), {
    contentType: "TEXT",
    originalContent: `${title}\nWords`,
    targetModule: "knowledge",
    sourceApp: "OTHER",
    routeStatus: "INBOX",
    capturedAt: NOTE.createdAt,
  });
  const inText = payloadOf({ title: ` ${title}\u0007 `, text: `${title}\nWords` });
  assertEquals(inText, payloadOf({ title }));
  assertEquals(itemOf({ title: "a\r\n\tb" }).members.title, "a  b");
  assertEquals(itemOf({ title: " ", text: "\n# Head\n" }).members.title, "Head");
  assertEquals(itemOf({ title: "", text: "" }).members.title, "2025-07-01");
});

Deno.test("Long text becomes several items", () => {
  const line = `${"a".repeat(99)}\n`;
  const note = { text: line.repeat(1001), details: [["Place", "Rome"]] as const };
  for (const [target, field] of [["knowledge", "snapshot"], ["memory", "originalContent"]]) {
    const items = itemsOf(note, { target });
    assertEquals(
      items.map(({ members: { key, title }, rules }) => [key, title, rules]),
      [["k1", "Plan", ["text.parts"]], ["k1#part2", "Plan (2 of 2)", ["text.parts"]]],
    );
    const texts = items.map(({ members }) => (members.payload as JsonObject)[field ?? ""]);
    assertEquals(texts, [line.repeat(1000), `${line}\nDetails\nPlace: Rome`]);
  }
  assertEquals(itemOf({ text: "a".repeat(4 * 1024 * 1024) }).refused, ["field.length"]);
});

Deno.test("Note becomes knowledge, a memory or a capture", () => {
  const address = `urn:prs:import:${sha256Hex("notes\nk1").slice(0, 32)}`;
  const note = { sourceTitle: "Plan", readingStatus: "REFERENCE" };
  assertEquals(payloadOf({ text: " " }), { ...note, sourceType: "NOTE", url: address });
  const url = "https://example.org/a";
  const web = { ...note, sourceType: "WEBPAGE", url, snapshot: "Words", author: "Ana" };
  assertEquals(payloadOf({ url, author: "Ana" }), web);
  for (const other of ["evernote:///view", "https://ana@example.org"]) {
    assertEquals(itemOf({ url: other, author: "a".repeat(501) }).unmapped, ["url", "author"]);
  }
  const memory = { memoryType: "EVENT", originalContent: "Plan" };
  const exact = { occurredAt: NOTE.createdAt, timePrecision: "EXACT" };
  assertEquals(payloadOf({ text: "" }, { target: "memory" }), { ...memory, ...exact });
  const open = itemOf({ text: "", createdAt: null }, { target: "memory" });
  assertEquals(open.members.payload, { ...memory, timePrecision: "UNKNOWN" });
  assertEquals(open.rules, ["import.date"]);
  assertEquals(itemOf({}).members.recordedAt, "2025-07-01T10:00:00.000Z");
});

Deno.test("Details follow the text and its files", async () => {
  const archive = await archiveOf({ "b/x.png": "png", "c.pdf": "pdf" });
  const files = new NamedFiles(archive);
  const shown = files.addEntry("b/x.png");
  assertEquals(files.addEntry("lost.pdf"), null);
  files.addEntry("c.pdf", { filename: "Bill [1].pdf" });
  const details = [["Place", " Rome,\nIT "], ["Empty", ""]] as const;
  const item = itemOf({ text: `Look: ${shown}`, files, details });
  const [png = "", pdf = ""] = ["png", "pdf"].map((each) => sha256Hex(each).slice(0, 26));
  assertEquals(
    (item.members.payload as { snapshot: string }).snapshot,
    [
      `Look: ![](attachment:${png})`,
      "",
      `[Bill \\[1\\].pdf](attachment:${pdf})`,
      "",
      "Details",
      "Place: Rome, IT",
    ].join("\n"),
  );
  assertEquals(item.members.attachments, [png, pdf, "lost.pdf"]);
});

Deno.test("Coordinates are those of the earth", () => {
  assertEquals(coordinates(50.0, -30.25), "50, -30.25");
  assertEquals([coordinates(1e300, 0), coordinates(90.5, 0), coordinates(0, NaN)], ["", "", ""]);
});

Deno.test("Equal files are one, and a file may state its name and type", async () => {
  const archive = await archiveOf({ "1.bin": "same", "2.bin": "same" });
  const files = new NamedFiles(archive);
  const name = sha256Hex("same").slice(0, 26);
  const stated = { filename: "Walk", mediaType: "audio/mpeg" };
  assertEquals(files.addEntry("1.bin", stated), `[Walk](attachment:${name})`);
  assertEquals(files.addEntry("2.bin"), `[2.bin](attachment:${name})`);
  const { attachments, paths, equalPaths = [], filenames, mediaTypes } = files.members;
  assertEquals([attachments, [...paths ?? []], [...equalPaths]], [[name], [[name, "1.bin"]], [
    "2.bin",
  ]]);
  assertEquals([filenames?.get(name), mediaTypes?.get(name)], ["Walk", "audio/mpeg"]);
});

Deno.test("Picture in an address becomes a file", async () => {
  const files = new NamedFiles(null);
  const name = sha256Hex("png").slice(0, 26);
  const input = inputOf(new Uint8Array(), 1);
  const line = await files.addData("data:image/png;base64,cG5n", input);
  assertEquals(line, `![](attachment:${name})`);
  assertEquals(await files.addData("data:image/png;base64,?", input), null);
  const drawing = sha256Hex("<svg,/>");
  const drawn = await files.addData("data:image/svg+xml;utf8,%3Csvg,/>", input);
  assertEquals(drawn, `![](attachment:${drawing.slice(0, 26)})`);
  for (const none of ["data:image/png,", "data:image/png", "a,b"]) {
    assertEquals(await files.addData(none, input), null);
  }
  assertEquals(files.members.files, [
    { name, sha256: sha256Hex("png"), size: 3, filename: "file.png", mediaType: "image/png" },
    {
      name: drawing.slice(0, 26),
      sha256: drawing,
      size: 7,
      filename: "file.svg",
      mediaType: "image/svg+xml",
    },
  ]);
});

Deno.test("The longest group of the mapping decides, and includes those below it", () => {
  const groups = { Trips: "memory", "Trips/Italy": "leave", Old: "capture" };
  const targetOf = (...names: string[]) => itemOf({ groups: names }, { groups }).members.target;
  assertEquals(targetOf("Trips/Spain"), "memory");
  assertEquals(targetOf("Tripstick"), "knowledge");
  assertEquals(targetOf("Old", "Trips"), "memory");
  const context = { source: "notes", mapping: readNotesMapping({ groups }) };
  assertEquals([...noteConverted({ ...NOTE, groups: ["Trips/Italy/Rome"] }, context)], [
    { kind: "group", name: "Trips/Italy/Rome" },
    { kind: "unmapped", name: "group.left" },
  ]);
  const check = (mapping: Record<string, string>) =>
    NOTES_MAPPING.check({ groups: mapping }, {
      columns: null,
      presets: [],
      groups: ["Trips"],
      series: [],
      fieldsOf: () => null,
    });
  check({ Trips: "leave" });
  assertThrows(() => check({ Trip: "leave" }));
  assertThrows(() => check({ Trips: "memories" }));
});

Deno.test("Tag of a group has as much of its path as a tag may have", () => {
  assertEquals(tagOfGroup("Trips/Italy"), "Trips/Italy");
  assertEquals(tagOfGroup(`a/${"b".repeat(65)}/${"c".repeat(40)}/d`), `${"c".repeat(40)}/d`);
  assertEquals(tagOfGroup("a".repeat(65)), "a".repeat(65));
});

Deno.test("Note in the trash is left out, or comes in archived", () => {
  const trashed = { ...NOTE, isTrashed: true };
  const of = (mapping = {}) => ({ source: "notes", mapping: readNotesMapping(mapping) });
  assertEquals([...noteConverted(trashed, of())], [{ kind: "unmapped", name: "note.trashed" }]);
  assertEquals(itemOf({ isTrashed: true }, { trashed: "archive" }).members.archived, true);
  assertEquals(itemOf({ isArchived: true }).members.archived, true);
});

Deno.test("Tasks become commitments", () => {
  const task = { dueAt: "2025-01-02T03:04:05.000Z", isCompleted: false, completedAt: null };
  const payload = {
    commitmentType: "OPEN_LOOP",
    content: "Words",
    completionStatus: "OPEN",
    dueAt: task.dueAt,
  };
  assertEquals(payloadOf({ task }, { target: "memory" }), payload);
  const done = { ...task, isCompleted: true, completedAt: task.dueAt };
  const item = taskItem({ ...done, key: "k1#task:1", entry: null, title: "Buy", createdAt: null });
  assertEquals(item.members, {
    key: "k1#task:1",
    target: "commitment",
    title: "Buy",
    payload: { ...payload, content: "Buy", completionStatus: "COMPLETED", completedAt: task.dueAt },
  });
});

Deno.test("Links name a note by its title, if one note of the file has it", () => {
  const titles = new NoteTitles(new ReadingBudget({ fileBytes: 1 }));
  titles.add("1", "One", 1);
  titles.add("1", "One", 1);
  titles.add("2", "Two", 2);
  titles.add(null, "Two", 3);
  titles.add("4", "a|b", 4);
  assertEquals(titles.linkTo("1", ""), "[[One]]");
  assertEquals(titles.linkByTitle("One", "first"), "[[One|first]]");
  assertEquals(["[[x", "x]]y", "[x]", "x\ny"].map((words) => titles.linkTo("1", words)), [
    null,
    null,
    null,
    null,
  ]);
  assertEquals(["2", "3", "4"].map((id) => titles.linkTo(id, "x")), [null, null, null]);
});

Deno.test("Moment has its zone, its offset or UTC", () => {
  const moment = Date.UTC(2025, 6, 1, 10);
  assertEquals(itemTime(moment, "Europe/Berlin"), NOTE.createdAt);
  assertEquals(itemTime(moment, "-03:30"), "2025-07-01T06:30:00.000-03:30");
  assertEquals(itemTime(moment, "Mars/Base"), "2025-07-01T10:00:00.000Z");
  assertEquals([itemTime(NaN, null), itemTime(1e300, null)], [null, null]);
});
