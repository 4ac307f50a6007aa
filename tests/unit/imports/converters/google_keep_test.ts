/** Notes of Google Keep: their texts, files, times, keys and counts. */

import { assertEquals } from "@std/assert";
import { type JsonObject, objectOf } from "../../../../src/core/json.ts";
import { GOOGLE_KEEP } from "../../../../src/imports/converters/apps/google_keep.ts";
import { recognizeFormat } from "../../../../src/imports/converters/signs.ts";
import { archiveOf, convertFile, type Files } from "../../../support/converted_files.ts";

const CREATED = 1_751_364_000_123_456;
const NOTE = {
  color: "DEFAULT",
  isTrashed: false,
  isPinned: false,
  isArchived: false,
  textContent: "Milk\nand bread",
  title: "Shop",
  userEditedTimestampUsec: CREATED + 1,
  createdTimestampUsec: CREATED,
};

/** Converts one note of a folder with other files. */
async function convert(note: JsonObject, files: Files = {}, mapping: JsonObject = {}) {
  const archive = { "Takeout/Keep/a.json": JSON.stringify({ ...NOTE, ...note }), ...files };
  const { items, ...rest } = await convertFile(GOOGLE_KEEP, archive, { mapping });
  const [item] = items;
  const { payload, ...members } = item?.members ?? {};
  return { item, members, payload: objectOf(payload), ...rest };
}

async function textOf(note: JsonObject, files: Files = {}) {
  return (await convert(note, files)).payload.snapshot;
}

Deno.test("Note has the key and time of its creation", async () => {
  const { members, payload, counts } = await convert({}, {}, { timeZone: "Europe/Berlin" });
  assertEquals(members, {
    key: `created:${CREATED}`,
    target: "knowledge",
    title: "Shop",
    tags: [],
    attachments: [],
    recordedAt: "2025-07-01T10:00:00.123Z",
  });
  assertEquals(payload.snapshot, "Milk\nand bread");
  assertEquals(counts, {});
  const memory = await convert({}, {}, { target: "memory", timeZone: "Europe/Berlin" });
  assertEquals(memory.payload.occurredAt, "2025-07-01T12:00:00.123+02:00[Europe/Berlin]");
});

Deno.test("Time is that of the last change if there is no other, and no time is invented", async () => {
  const changed = await convert({ createdTimestampUsec: null });
  assertEquals(changed.members.key, "file:a");
  assertEquals(changed.members.recordedAt, "2025-07-01T10:00:00.123Z");
  const digits = await convert({ createdTimestampUsec: String(CREATED) });
  assertEquals(digits.members.key, `created:${CREATED}`);
  const without = await convert({ createdTimestampUsec: 0, userEditedTimestampUsec: "soon" });
  assertEquals(without.item?.rules, ["import.date"]);
  assertEquals(without.members.recordedAt, undefined);
  assertEquals(without.counts, { userEditedTimestampUsec: 1 });
});

Deno.test("Text has the tasks and the pages that it does not name", async () => {
  const listContent = [
    { text: "a\nb", textHtml: "<p>a</p>", isChecked: false },
    { text: "c", isChecked: true },
  ];
  const annotations = [
    { title: "A [b]", url: "https://a.b", source: "WEBLINK", description: "d" },
    { title: "", url: "https://c.d", source: "SHOP" },
    { title: "Bread", url: "bread" },
  ];
  const { payload, counts } = await convert({ listContent, annotations });
  assertEquals(
    payload.snapshot,
    "Milk\nand bread\n- [ ] a b\n- [x] c\n[A \\[b\\]](https://a.b)\nhttps://c.d",
  );
  assertEquals(counts, { "annotations.description": 1, "annotations.source": 1 });
  const textContentHtml = "<p><b>Rich</b> text</p>";
  assertEquals(await textOf({ textContentHtml }), "Milk\nand bread");
  assertEquals(await textOf({ textContent: null, textContentHtml }), "**Rich** text");
  assertEquals(await textOf({ textContent: "" }), undefined);
});

Deno.test("Text that is only an address is the address of the note", async () => {
  const url = "https://example.org/a";
  const note = { textContent: `${url}\n`, annotations: [{ title: "A", url }] };
  const { payload } = await convert(note);
  assertEquals([payload.url, payload.sourceType], [url, "WEBPAGE"]);
  const capture = await convert(note, {}, { target: "capture" });
  assertEquals([capture.payload.originalContent, capture.counts], [`${url}\n`, {}]);
  assertEquals((await convert({ ...note, annotations: [] })).payload.sourceType, "NOTE");
});

Deno.test("Title is on one line, else the first line, else the day", async () => {
  const titleOf = async (note: JsonObject) =>
    (await convert(note, {}, { timeZone: "Pacific/Auckland" })).members.title;
  assertEquals(await titleOf({ title: "a\nb" }), "a b");
  assertEquals(await titleOf({ title: " " }), "Milk");
  const late = CREATED + 6 * 3_600_000_000;
  assertEquals(
    await titleOf({ title: "", textContent: "", createdTimestampUsec: late }),
    "2025-07-02",
  );
});

Deno.test("Files follow the text, also under another ending", async () => {
  const attachments = [
    { filePath: "b.jpeg", mimetype: "image/jpeg" },
    { filePath: "c.3gp", mimetype: "audio/3gp" },
    { filePath: "d.png", mimetype: "image/png" },
    // The note itself has that name.
    { filePath: "a.jpeg", mimetype: "image/jpeg" },
  ];
  const folder = "Takeout/Keep";
  const files = { [`${folder}/b.jpg`]: "B", [`${folder}/c.3gp`]: "C", "Takeout/other/d.png": "D" };
  const { item, members, payload } = await convert({ attachments }, files);
  const [b, c] = [
    "df7e70e5021544f4834bbee64a",
    "6b23c0d5f35d1b11f9b683f0b0",
  ];
  assertEquals(members.attachments, [b, c, "d.png", "a.jpeg"]);
  assertEquals(
    payload.snapshot,
    `Milk\nand bread\n\n![](attachment:${b})\n[c.3gp](attachment:${c})`,
  );
  assertEquals(item?.paths, new Map([[b, `${folder}/b.jpg`], [c, `${folder}/c.3gp`]]));
  assertEquals(item?.mediaTypes?.get(c), "audio/3gp");
});

Deno.test("Labels are tags and groups; archived, pinned and trashed notes are told apart", async () => {
  const labels = [{ name: "Trips" }, { name: "Home" }];
  const { members, groups, payload } = await convert({ labels, isArchived: true, isPinned: true });
  assertEquals(members.tags, ["Trips", "Home"]);
  assertEquals(members.archived, true);
  assertEquals(groups, { Home: 1, Trips: 1 });
  assertEquals(payload.snapshot, "Milk\nand bread\n\nDetails\nPinned: yes");
  const left = await convert({ labels }, {}, { groups: { Trips: "leave" } });
  assertEquals([left.item, left.counts, left.groups], [undefined, { "group.left": 1 }, groups]);
  const trashed = await convert({ isTrashed: true });
  assertEquals([trashed.item, trashed.counts], [undefined, { "note.trashed": 1 }]);
  assertEquals(
    (await convert({ isTrashed: true }, {}, { trashed: "archive" })).members.archived,
    true,
  );
});

Deno.test("Everything else is counted", async () => {
  const { counts, used } = await convert({
    color: "RED",
    sharees: [{ email: "a@b.c" }],
    reminders: {},
    tasks: ["a"],
    labels: [1],
  }, {
    "Takeout/Keep/a.html": "<p>Milk</p>",
    "Takeout/Keep/b.html": "",
    "Takeout/Keep/b.json": "{",
    "Takeout/Keep/c.json": '{"title":"c"}',
    "Takeout/Keep/d.json": new Uint8Array([0x22, 0xff, 0x22]),
    "Takeout/Keep/.e.json": "{",
    "Takeout/Keep/f.json": '{"createdTimestampUsec":1} x',
    "Takeout/Keep/g.json": `{"createdTimestampUsec":1,"a":[${"0,".repeat(200_000)}0]}`,
    "Takeout/Keep/Labels.txt": "a",
  });
  assertEquals(counts, {
    color: 1,
    "file.broken": 3,
    "file.copy": 1,
    labels: 1,
    sharees: 1,
    tasks: 1,
  });
  assertEquals([...used].map((name) => name.slice(-6)), [
    "a.json",
    "a.html",
    "b.json",
    "d.json",
    "f.json",
  ]);
});

Deno.test("Takeout is recognized by its notes, in any folder", async () => {
  const recognize = async (files: Files) =>
    await recognizeFormat({
      file: { read: () => Promise.resolve(new Uint8Array()) },
      archive: await archiveOf(files),
    });
  assertEquals(
    await recognize({ "Takeout/Google Notizen/a.json": JSON.stringify(NOTE) }),
    "google-keep",
  );
  assertEquals(await recognize({ "a.json": '{"userEditedTimestampUsec":1}' }), "google-keep");
});
