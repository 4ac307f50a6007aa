/** Day One, Markdown and CSV, from their bytes to records. */

import { assert, assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { type Caller, type Json, sharedWorld } from "../support/world.ts";
import { zip } from "../support/zip.ts";
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
} from "./imports.ts";

const world = sharedWorld();

async function detail(caller: Caller, path: string): Promise<Json> {
  const { status, body, text } = await caller.call("GET", `/api/v2/${path}`);
  assertEquals(status, 200, text);
  return body.data;
}

/** Sends a mapping, and waits for the new plan. */
async function mapped(caller: Caller, importId: string, mapping: Json): Promise<Json> {
  const path = `${IMPORTS}/${importId}/mapping`;
  const { status, text } = await caller.call("PUT", path, { body: mapping });
  assertEquals(status, 200, text);
  return await settled(caller, importId);
}

const PHOTO = "a photo";
const MD5 = createHash("md5").update(PHOTO).digest("hex");
const ENTRY = {
  uuid: "6F30A1",
  creationDate: "2018-12-10T16:56:18Z",
  timeZone: "Europe/Berlin",
  text: "# The lake\n\n![](dayone-moment://ABC1)\nWe swam.",
  tags: ["Summer"],
  photos: [{ identifier: "ABC1", md5: MD5, type: "jpeg" }],
  location: { placeName: "Pier", localityName: "Berlin", country: "Germany", latitude: 1 },
  weather: { conditionsDescription: "Clear", temperatureCelsius: 21.4 },
  starred: true,
  isPinned: false,
  creationDevice: "Phone",
  richText: "{}",
  userActivity: { stepCount: 3 },
};

Deno.test("Day One entry becomes a memory with its time, files, tags and details", async () => {
  const caller = await world().createCaller();
  const entries = [
    ENTRY,
    {
      uuid: "B",
      creationDate: "2019-01-01T23:30:00Z",
      timeZone: "Asia/Tokyo",
      isAllDay: true,
      photos: [{ identifier: "ABC1", md5: MD5 }],
    },
    { uuid: "C", creationDate: "not a date", text: "Lost ![](dayone-moment://NONE)" },
  ];
  const bytes = zip([
    { name: "Journal.json", content: JSON.stringify({ metadata: { version: "1.0" }, entries }) },
    { name: `photos/${MD5}.jpeg`, content: PHOTO },
    { name: "photos/other.jpeg", content: "other" },
    { name: "__MACOSX/._Journal.json", content: "x" },
  ]);
  const done = await imported(caller, "day-one", bytes);
  assertEquals(done.counts, { memory: { new: 3, unchanged: 0, changed: 0, refused: 0 } });
  assertEquals(done.unmapped, [
    { name: "file.hidden", count: 1 },
    { name: "file.unused", count: 1 },
    { name: "richText", count: 1 },
    { name: "userActivity", count: 1 },
  ]);
  assertEquals(done.rules, [
    { rule: "attachment.missing", count: 1 },
    { rule: "import.date", count: 1 },
  ]);
  assertEquals(done.attachments, { new: 1, unchanged: 0, missing: 0 });
  const items = await itemsOf(caller, done.importId);
  const [attachmentId] = items[0].attachmentIds;
  const memory = await detail(caller, `memory/texts/${items[0].recordId}`);
  assertEquals(
    memory.originalContent,
    `# The lake\n\n![](attachment:${attachmentId})\nWe swam.\n\n` +
      "Details\nPlace: Pier, Berlin, Germany\nWeather: Clear, 21 °C\nStarred: yes\nDevice: Phone",
  );
  assertEquals(
    [memory.title, memory.occurredAt, memory.timePrecision],
    ["The lake", "2018-12-10T16:56:18.000Z", "EXACT"],
  );
  const day = await detail(caller, `memory/texts/${items[1].recordId}`);
  assertEquals([day.title, day.originalContent], [
    "2019-01-02",
    `![](attachment:${attachmentId})`,
  ]);
  assertEquals(day.timeRange, {
    from: "2019-01-01T15:00:00.000Z",
    to: "2019-01-02T15:00:00.000Z",
  });
  const lost = await detail(caller, `memory/texts/${items[2].recordId}`);
  assertEquals([lost.occurredAt, lost.timePrecision], [null, "UNKNOWN"]);
  const file = await detail(caller, `attachments/${attachmentId}`);
  assertEquals([file.filename, file.mediaType], [`${MD5}.jpeg`, "image/jpeg"]);
  const original = await detail(caller, `attachments/${done.originalAttachmentId}`);
  assertEquals(original.filename, `import-${done.importId}`);
  const again = await imported(caller, "day-one", bytes);
  assertEquals(again.counts.memory, { new: 0, unchanged: 3, changed: 0, refused: 0 });
  assertEquals(again.originalAttachmentId, done.originalAttachmentId);
});

Deno.test("Markdown vault becomes notes and days, byte for byte", async () => {
  const caller = await world().createCaller();
  const note =
    "---\ntitle: A note\ntags: [one, two]\ncreated: 2020-02-03\nurl: https://a.example/x\n---\r\nText #no";
  const odd = "---\ntitle: Odd\ncolour: red\n---\nBody";
  const files = [
    { name: "Notes/A.md", content: note },
    { name: "Notes/Odd.md", content: odd },
    { name: "Daily/2021-03-04.md", content: "A day" },
    { name: "Page 0123456789abcdef0123456789abcdef.md", content: "![](pic%20a.png) ![](gone.png)" },
    { name: "pic a.png", content: "pic" },
    { name: "table.csv", content: "a,b" },
    { name: ".obsidian/app.json", content: "{}" },
  ];
  const inner = zip([{ name: "Inner/B.md", content: "Inside" }]);
  const bytes = zip([...files, { name: "Export-Part-1.zip", content: inner }]);
  const plan = await planned(caller, "markdown", bytes, { name: "My vault" });
  assertEquals(plan.source, "markdown:My vault");
  assertEquals(plan.unmapped, [
    { name: "file.csv", count: 1 },
    { name: "file.hidden", count: 1 },
    { name: "front_matter.colour", count: 1 },
  ]);
  assertEquals(plan.rules, [{ rule: "attachment.missing", count: 1 }]);
  const done = await ran(caller, plan);
  assertEquals(done.counts.knowledge.new, 4);
  assertEquals(done.counts.memory.new, 1);
  const items = await itemsOf(caller, done.importId);
  const byKey = new Map(items.map((item: Json) => [item.key, item]));
  const a = await detail(caller, `records/knowledge/${byKey.get("Notes/A.md").recordId}`);
  assertEquals(a.payload, {
    sourceType: "NOTE",
    url: "https://a.example/x",
    sourceTitle: "A note",
    snapshot: "Text #no",
    readingStatus: "REFERENCE",
  });
  assertEquals([a.title, a.recordedAt], ["A note", "2020-02-03T00:00:00.000Z"]);
  const kept = await detail(caller, `records/knowledge/${byKey.get("Notes/Odd.md").recordId}`);
  assertEquals([kept.title, kept.payload.snapshot], ["Odd", odd]);
  const page = byKey.get("0123456789abcdef0123456789abcdef");
  assertEquals(page.attachmentIds.length, 1);
  const notion = await detail(caller, `records/knowledge/${page.recordId}`);
  const urn = createHash("sha256").update(`markdown:My vault\n${page.key}`).digest("hex");
  assertEquals([notion.title, notion.payload.url], ["Page", `urn:prs:import:${urn.slice(0, 32)}`]);
  const day = await detail(caller, `memory/texts/${byKey.get("Daily/2021-03-04.md").recordId}`);
  assertEquals([day.timePrecision, day.occurredAt], ["DAY", "2021-03-04T00:00:00.000Z"]);

  const second = await planned(caller, "markdown", bytes, { name: "Mapped" });
  const folders = { Notes: "capture", Daily: "leave", "": "memory" };
  const changed = await mapped(caller, second.importId, { folders, timeZone: "Europe/Berlin" });
  assertEquals(
    [changed.counts.capture.new, changed.counts.memory.new, changed.counts.knowledge],
    [2, 2, undefined],
  );
  assert(changed.unmapped.some(({ name }: Json) => name === "folder.left"));
  assert(changed.plan !== second.plan);
  const wrong = await caller.call("PUT", `${IMPORTS}/${second.importId}/mapping`, {
    body: { folders: { Notes: "nothing" } },
  });
  assertEquals([wrong.status, wrong.body.error.code], [400, "PAYLOAD_INVALID"]);
  await ran(caller, changed);
  const late = await caller.call("PUT", `${IMPORTS}/${second.importId}/mapping`, { body: {} });
  assertEquals(late.body.error.details, { rules: ["import.state"] });
});

Deno.test("CSV rows become what the mapping says, and bad rows are refused alone", async () => {
  const caller = await world().createCaller();
  const file = "\ufeffTask;Kind;Due;Amount;Note;State\r\n" +
    'Call;outgoing;03.02.2021;1,5;"a ""quoted"" note";open\r\n' +
    "\r\nWrite;incoming;;;;open\r\nBad;nothing;31.31.2021;x;;open\r\nShort;outgoing\r\n" +
    "Write;incoming;;;;open\r\n";
  const plan = await planned(caller, "csv", file, { name: "Tasks" });
  assertEquals(
    [plan.state, plan.columns, plan.counts, plan.plan],
    ["PLANNED", ["Task", "Kind", "Due", "Amount", "Note", "State"], {}, null],
  );
  const early = await act(caller, plan.importId, "run", { plan: "0".repeat(64) });
  assertEquals(early.body.error.details, { rules: ["import.mapping"] });
  const columns = {
    Task: "@title",
    Kind: "commitmentType",
    Due: "dueAt",
    State: "completionStatus",
  };
  const mapping = {
    target: "commitment",
    columns,
    constants: { content: "From a list" },
    dates: "DMY",
    timeZone: "Europe/Berlin",
    decimal: ",",
  };
  for (
    const wrong of [
      { ...mapping, target: "nothing" },
      { ...mapping, columns: { ...columns, Gone: "dueAt" } },
      { ...mapping, columns: { ...columns, Note: "nothing" } },
      { ...mapping, columns: { Kind: "commitmentType" } },
      { ...mapping, timeZone: "Mars/Base" },
      { ...mapping, rest: "notes2" },
    ]
  ) {
    const path = `${IMPORTS}/${plan.importId}/mapping`;
    const { status, text } = await caller.call("PUT", path, { body: wrong });
    assertEquals(status, 400, text);
  }
  const again = await mapped(caller, plan.importId, mapping);
  assertEquals(again.counts, { commitment: { new: 3, unchanged: 0, changed: 0, refused: 2 } });
  assertEquals(again.unmapped, [{ name: "Amount", count: 2 }, { name: "Note", count: 1 }]);
  const done = await ran(caller, again);
  const items = await itemsOf(caller, done.importId);
  assertEquals(items.map(({ place, outcome }: Json) => [place, outcome]), [
    [2, "NEW"],
    [4, "NEW"],
    [5, "REFUSED"],
    [6, "REFUSED"],
    [7, "NEW"],
  ]);
  assertEquals(items[2].rules, ["csv.option", "csv.date", "field.required"].slice(0, 2));
  assertEquals(items[3].rules, ["field.required"]);
  assert(items[1].key.endsWith("-1") && items[4].key.endsWith("-2"));
  const record = await detail(caller, `records/commitment/${items[0].recordId}`);
  assertEquals(record.payload.dueAt, "2021-02-02T23:00:00.000Z");
  const refused = await planned(caller, "csv", " ,\n", { name: "Broken" });
  assertEquals(refused.refusal, { rule: "csv.header", place: 1, entry: null });
});

Deno.test("Names of files with a backslash between folders find their entries", async () => {
  const caller = await world().createCaller();
  const item = { ...memoryItem("m"), attachments: ["d\\oc.pdf"] };
  const bytes = zip([
    { name: "items.jsonl", content: itemsFile([item]) },
    { name: "d\\oc.pdf", content: "pages" },
  ]);
  const done = await imported(caller, "prs-items", bytes);
  assertEquals([done.attachments.new, done.rules, done.unmapped], [1, [], []]);
  const [{ recordId }] = await itemsOf(caller, done.importId);
  const { originalContent } = await detail(caller, `memory/texts/${recordId}`);
  assert(/\n\[oc\.pdf\]\(attachment:[0-9A-Z]{26}\)$/.test(originalContent));
});

Deno.test("Files that notes name are used, also those with equal bytes", async () => {
  const caller = await world().createCaller();
  const bytes = zip([
    { name: "A.md", content: "![](p.png) [q](q.pdf) [p](p.png)" },
    { name: "B.textbundle/text.md", content: "B" },
    { name: "B.textbundle/assets/b.png", content: "one" },
    { name: "B.textbundle/assets/c.png", content: "one" },
    { name: "p.png", content: "same" },
    { name: "q.pdf", content: "same" },
    { name: "r.pdf", content: "same" },
  ]);
  const done = await imported(caller, "markdown", bytes, { name: "Equal files" });
  assertEquals(done.unmapped, [{ name: "file.unused", count: 1 }]);
});

Deno.test("Files of items come in once, and their names become identifiers", async () => {
  const caller = await world().createCaller();
  const items = [
    {
      key: "m",
      target: "memory",
      title: "Memory",
      payload: { memoryType: "EVENT", originalContent: "![](attachment:p/a.png) attachment:p/a" },
      attachments: ["p/a.png", "p/a", "p/gone.png"],
    },
    {
      key: "f",
      target: "media",
      title: "Photo",
      payload: { mediaType: "PHOTO" },
      attachments: ["p/copy.png"],
    },
    {
      key: "c",
      target: "capture",
      title: "Capture",
      payload: {
        contentType: "IMAGE",
        originalContent: "x",
        targetModule: "knowledge",
        capturedAt: "2020-01-01T00:00:00Z",
        routeStatus: "INBOX",
      },
      attachments: ["p/a.png", "p/a"],
    },
    {
      key: "n",
      target: "media",
      title: "No photo",
      payload: { mediaType: "PHOTO", fileId: "01JD5A0000000000000000TERM" },
    },
    {
      key: "z",
      target: "media",
      title: "No photo",
      payload: { mediaType: "PHOTO", fileId: "0".repeat(26) },
    },
  ];
  const bytes = zip([
    { name: "items.jsonl", content: itemsFile(items) },
    { name: "p/a.png", content: "same" },
    { name: "p/copy.png", content: "same" },
    { name: "p/a", content: "other" },
  ]);
  const done = await imported(caller, "prs-items", bytes);
  assertEquals(done.attachments, { new: 2, unchanged: 0, missing: 1 });
  assertEquals(done.rules, [
    { rule: "attachment.exists", count: 2 },
    { rule: "attachment.missing", count: 1 },
  ]);
  const reports = await itemsOf(caller, done.importId);
  const [same, other] = reports[0].attachmentIds;
  const memory = await detail(caller, `memory/texts/${reports[0].recordId}`);
  assertEquals(memory.originalContent, `![](attachment:${same}) attachment:${other}`);
  const media = await detail(caller, `records/media/${reports[1].recordId}`);
  assertEquals(media.payload.fileId, same);
  const capture = await detail(caller, `records/capture/${reports[2].recordId}`);
  assertEquals(capture.payload.attachmentIds, [same, other]);
  assertEquals((await detail(caller, "attachments")).items.length, 3);
});
