/** Notes of Evernote: fields, texts, files, tasks, links, and counted parts. */

import { assertEquals } from "@std/assert";
import { createHash } from "node:crypto";
import { sha256Hex } from "../../../../src/core/digest.ts";
import { type JsonObject, objectOf } from "../../../../src/core/json.ts";
import { ENEX } from "../../../../src/imports/converters/apps/enex.ts";
import { convertFile, type Files } from "../../../support/converted_files.ts";

const HEAD = `<?xml version="1.0" encoding="UTF-8"?>\n` +
  `<!DOCTYPE en-export SYSTEM "http://xml.evernote.com/pub/evernote-export4.dtd">\n` +
  `<en-export export-date="20250401T080000Z" application="Evernote" version="10.1">`;
const CREATED = "<created>20250310T101500Z</created>";
const PICTURE = new TextEncoder().encode("a picture");
const PICTURE_NAME = sha256Hex(PICTURE).slice(0, 26);
const PICTURE_MD5 = createHash("md5").update(PICTURE).digest("hex");

function exported(...notes: readonly string[]): string {
  return `${HEAD}${notes.map((note) => `<note>${note}</note>`).join("\n")}</en-export>`;
}

function content(markup: string): string {
  return `<content>\n  <![CDATA[<?xml version="1.0" encoding="UTF-8"?><!DOCTYPE en-note SYSTEM ` +
    `"http://xml.evernote.com/pub/enml2.dtd"><en-note>${markup}</en-note>]]>\n</content>`;
}

function note(title: string, markup: string, rest = ""): string {
  return `<title>${title}</title>${CREATED}${content(markup)}${rest}`;
}

function resource(data: string, fields = "<mime>image/png</mime>"): string {
  return `<resource><data encoding="base64">${data}</data>${fields}</resource>`;
}

async function convert(file: Files | string, mapping: JsonObject = {}, chunkBytes?: number) {
  const { items, counts, groups } = await convertFile(ENEX, file, {
    mapping,
    ...(chunkBytes !== undefined && { chunkBytes }),
  });
  const read = items.map((item) => {
    const { key, target, title, payload, tags, attachments } = item.members as JsonObject;
    const { snapshot = "", url, author } = payload as JsonObject ?? {};
    return { ...item, key, target, title, payload, tags, attachments, text: snapshot, url, author };
  });
  return { items: read, counts, groups };
}

async function textOf(markup: string, rest?: string): Promise<unknown> {
  const { items } = await convert(exported(note("A", markup, rest)));
  return items[0]?.text;
}

Deno.test("ENEX note has its fields, tags, place and time", async () => {
  const attributes = "<note-attributes><author>Ana Example</author><latitude>46.5</latitude>" +
    "<longitude>7.25</longitude><altitude>3</altitude><place-name>The lake</place-name>" +
    "<source>web.clip</source><source-url>https://example.org/a?b=1&amp;c=2</source-url>" +
    "<reminder-order>0</reminder-order></note-attributes>";
  const rest = `<updated>20250311T101500Z</updated><tag>Trips</tag><tag> </tag><tag>R&amp;D</tag>`;
  const file = exported(
    note(" Boats &amp;\n oars ", "<div>We <b>swam</b>.</div>", rest + attributes),
  );
  const { items: [item], counts } = await convert(file, { timeZone: "Europe/Zurich" });
  assertEquals(item?.key, `note:${sha256Hex("20250310T101500Z\nBoats &  oars").slice(0, 32)}`);
  assertEquals(item?.members, {
    key: item?.key ?? null,
    target: "knowledge",
    title: "Boats &  oars",
    payload: {
      sourceType: "WEBPAGE",
      url: "https://example.org/a?b=1&c=2",
      sourceTitle: "Boats &  oars",
      snapshot: "We **swam**.\n\nDetails\nPlace: The lake, 46.5, 7.25",
      readingStatus: "REFERENCE",
      author: "Ana Example",
    },
    tags: ["Trips", "R&D"],
    attachments: [],
    recordedAt: "2025-03-10T10:15:00.000Z",
  });
  assertEquals(counts, { altitude: 1 });
  const { items: [memory] } = await convert(file, { target: "memory", timeZone: "Europe/Zurich" });
  const { occurredAt } = memory?.payload as JsonObject;
  assertEquals(occurredAt, "2025-03-10T11:15:00.000+01:00[Europe/Zurich]");
});

Deno.test("ENEX content ends at its last CDATA end", async () => {
  assertEquals(await textOf("<pre>a[b[0]]></pre><div>c</div>"), "```\na[b[0]]>\n```\n\nc");
  assertEquals(await textOf("<div><![CDATA[x]]> y</div>"), "x y");
  assertEquals(await textOf("<div>a]]]]><![CDATA[> b</div>"), "a]]> b");
  const escaped =
    "<title>A</title><content>&lt;en-note&gt;&amp;lt;b&amp;gt;&lt;/en-note&gt;</content>";
  assertEquals((await convert(exported(escaped))).items[0]?.text, "<b>");
  const plain = "<title>A</title><content><en-note>a<br/>b</en-note></content>";
  assertEquals((await convert(exported(plain))).items[0]?.text, "a\nb");
});

Deno.test("ENEX files stand in the text, and the others after it", async () => {
  const data = PICTURE.toBase64().replace(/.{5}/g, "$&\n");
  const named = "<mime>application/pdf</mime><width>3</width><resource-attributes>" +
    "<file-name>Plan [1].pdf</file-name><timestamp>20250101T000000Z</timestamp></resource-attributes>";
  const markup = `<en-media hash="${PICTURE_MD5}" type="image/png"/><div>a</div>`;
  const rest = resource(data) + resource("UERG", named) + resource("") + resource("a*b", named);
  const { items: [item], counts } = await convert(exported(note("A", markup, rest)));
  const pdf = sha256Hex(new TextEncoder().encode("PDF")).slice(0, 26);
  const shown = `![](attachment:${PICTURE_NAME})\na\n\n[Plan \\[1\\].pdf](attachment:${pdf})`;
  assertEquals(item?.text, shown);
  assertEquals(item?.attachments, [PICTURE_NAME, pdf, "file.png", "Plan [1].pdf"]);
  assertEquals(item?.files?.map(({ filename, mediaType, size }) => [filename, mediaType, size]), [
    ["file.png", "image/png", 9],
    ["Plan [1].pdf", "application/pdf", 3],
  ]);
  assertEquals(counts, { "resource.timestamp": 1 });
});

Deno.test("ENEX pictures in the text become files", async () => {
  const address = `data:image/gif;base64,${PICTURE.toBase64()}`;
  assertEquals(await textOf(`<img src="${address}"/>`), `![](attachment:${PICTURE_NAME})`);
  const { items } = await convert(exported(note("A", `<en-media hash="0f" type="image/png"/>b`)));
  assertEquals(items[0]?.attachments, ["0f"]);
});

const GROUP = "0bd3793f-2bd2-4723-b8ec-054c590b4d11";
const TASKS = "<task><title>Later</title><created>20250310T101600Z</created>" +
  `<taskStatus>open</taskStatus><taskFlag>true</taskFlag><sortWeight>Q</sortWeight><noteLevelID>` +
  `t1</noteLevelID><taskGroupNoteLevelID>${GROUP}</taskGroupNoteLevelID><dueDate>20250528T215959Z` +
  "</dueDate><timeZone>Europe/Budapest</timeZone><repeatAfterCompletion>false" +
  "</repeatAfterCompletion><reminder><title>x</title></reminder></task><task><title>Sooner</title>" +
  `<taskStatus>completed</taskStatus><sortWeight>C</sortWeight><taskGroupNoteLevelID>${GROUP}` +
  "</taskGroupNoteLevelID><statusUpdated>20250310T101700Z</statusUpdated><dueDate>2757600913T000000Z" +
  "</dueDate></task>";
const BLOCK =
  `<div style="--en-task-group:true; --en-id:${GROUP};x:y"><div>Not supported</div></div>`;

Deno.test("A reminder that was done at an unreadable time is done", async () => {
  const times = "<reminder-time>20250601T080000Z</reminder-time><reminder-done-time>?" +
    "</reminder-done-time>";
  const file = exported(note("A", "a", `<note-attributes>${times}</note-attributes>`));
  const { items: [, reminder] } = await convert(file);
  assertEquals(objectOf(reminder?.payload).completionStatus, "COMPLETED");
  assertEquals(reminder?.rules, ["import.date"]);
});

Deno.test("ENEX tasks and reminders become commitments", async () => {
  const reminder = "<note-attributes><reminder-time>20250601T080000Z</reminder-time>" +
    "<reminder-done-time>20250601T090000Z</reminder-done-time></note-attributes>";
  const file = exported(note("A", `<div>a</div>${BLOCK}<div>b</div>`, reminder + TASKS));
  const { items: [whole, ...tasks], counts } = await convert(file);
  assertEquals(whole?.text, "a\n- [x] Sooner\n- [ ] Later\nb");
  assertEquals(tasks.map(({ key, title, payload, rules }) => [key, title, payload, rules]), [
    [`${whole?.key}#task:t1`, "Later", {
      commitmentType: "OPEN_LOOP",
      content: "Later",
      completionStatus: "OPEN",
      dueAt: "2025-05-28T23:59:59.000+02:00[Europe/Budapest]",
    }, []],
    [`${whole?.key}#task:2`, "Sooner", {
      commitmentType: "OPEN_LOOP",
      content: "Sooner",
      completionStatus: "COMPLETED",
      completedAt: "2025-03-10T10:17:00.000Z",
    }, ["import.date"]],
    [`${whole?.key}#reminder`, "A", {
      commitmentType: "OPEN_LOOP",
      content: "A",
      completionStatus: "COMPLETED",
      dueAt: "2025-06-01T08:00:00.000Z",
      completedAt: "2025-06-01T09:00:00.000Z",
    }, []],
  ]);
  assertEquals(counts, { "task.reminder": 1, "task.taskFlag": 1 });
  const texts = await convert(exported(note("A", "a", reminder + TASKS)), { tasks: "text" });
  assertEquals(texts.items.map(({ text }) => text), ["a\n\n- [x] Sooner\n- [ ] Later"]);
  const left = { "reminder-time": 1, "task.dueDate": 2, "task.reminder": 1, "task.taskFlag": 1 };
  assertEquals(texts.counts, left);
});

Deno.test("ENEX links between notes need one title", async () => {
  const link = (title: string, address = "evernote:///view/1/s1/a/a/") =>
    `<div><a href="${address}">${title}</a></div>`;
  const web = ["https://www.evernote.com/shard/s1/nl/1/a", "https://share.evernote.com/note/a"];
  const markup = link("Boats") + web.map((address) => link("Boats", address)).join("") +
    link("Oars") + link("Twice", "https://example.org/");
  const file = {
    "a/One.enex": exported(note("Start", markup)),
    "a/Two.enex": exported(note("Boats", "x"), note("Oars", "y"), note("Oars", "z")),
  };
  const { items: [start], groups } = await convert(file);
  const linked = ["[[Boats]]", "[[Boats]]", "[[Boats]]", "[Oars](evernote:///view/1/s1/a/a/)"];
  assertEquals(start?.text, [...linked, "[Twice](https://example.org/)"].join("\n"));
  assertEquals(start?.rules, ["link.missing"]);
  assertEquals([start?.tags, groups], [["One"], { One: 1, Two: 3 }]);
});

Deno.test("ENEX file of an archive is a group", async () => {
  const file = {
    "Trips.enex": exported(note("A", "a", resource("UERG") + TASKS)),
    "Work.enex": exported(note("B", "b")),
    ".hidden.enex": "x",
  };
  const { items, counts } = await convert(file, {
    groups: { Trips: "leave", Work: "memory" },
    groupTags: false,
  });
  assertEquals(items.map(({ title, target, tags }) => [title, target, tags]), [[
    "B",
    "memory",
    [],
  ]]);
  assertEquals(counts, { "group.left": 1 });
});

Deno.test("ENEX note over 4 MiB is refused alone", async () => {
  const long = `<title>Long</title><content>${"x".repeat(4 * 1024 * 1024 + 1)}</content>`;
  const file = exported(long, note("A", "a"), `<tag>${"y".repeat(5 * 1024 * 1024)}</tag>`);
  const { items } = await convert(file, {}, 60_000);
  assertEquals(items.map(({ title, refused }) => [title, refused]), [
    [undefined, ["field.length"]],
    ["A", undefined],
    [undefined, ["field.length"]],
  ]);
});

Deno.test("ENEX note with bytes that are not UTF-8 is refused alone", async () => {
  const file = exported(note("A", "stated \ufffd"), note("B", "caf@"), note("C", "é"));
  const bytes = new TextEncoder().encode(file).map((byte) => byte === 0x40 ? 0xe9 : byte);
  for (const chunkBytes of [1, 7]) {
    const { items } = await convertFile(ENEX, { "a.enex": bytes }, { chunkBytes });
    assertEquals(items.map(({ refused }) => refused), [undefined, ["text.utf8"], undefined]);
  }
});

Deno.test("ENEX is the same in chunks of any size", async () => {
  const rest = resource(PICTURE.toBase64()) + TASKS + "<unknown><title>x</title>y</unknown>";
  const markup = `a<![CDATA[b]]>${BLOCK}<en-crypt hint="h">QQ==</en-crypt>`;
  const file = exported(note("Ä", markup, rest), "<content/>", "");
  const whole = await convert(file, {}, 1_000_000);
  assertEquals(whole.items.map(({ title }) => title), [
    "Ä",
    "Later",
    "Sooner",
    KEY_OF_NOTHING,
    KEY_OF_NOTHING,
  ]);
  assertEquals(whole.items[0]?.rules, ["note.encrypted"]);
  assertEquals(whole.counts.unknown, 1);
  for (const size of [1, 7, 100]) assertEquals(await convert(file, {}, size), whole);
});

const KEY_OF_NOTHING = `note:${sha256Hex("\n").slice(0, 32)}`;
