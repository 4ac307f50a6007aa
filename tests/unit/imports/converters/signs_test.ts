/** The formats that texts and archives have signs of. */

import { assertEquals } from "@std/assert";
import { Archive } from "../../../../src/imports/archive/archive.ts";
import { recognizeFormat, signsOf } from "../../../../src/imports/converters/signs.ts";
import type { SignSource } from "../../../../src/imports/converters/seen_file.ts";
import { refuseFile } from "../../../../src/imports/refusal.ts";

type Files = Readonly<Record<string, string>>;

/** The signs of a text, or of an archive of texts by their paths. */
function signs(source: string | Uint8Array | Files): Promise<readonly string[]> {
  return signsOf(signSource(source));
}

function signSource(source: string | Uint8Array | Files): SignSource {
  const isText = typeof source === "string" || source instanceof Uint8Array;
  const bytes = isText ? bytesOf(source) : new Uint8Array();
  const file = {
    read: (start: number, length: number) => Promise.resolve(bytes.slice(start, start + length)),
  };
  return { file, archive: isText ? null : archiveOf(source) };
}

function bytesOf(source: string | Uint8Array): Uint8Array {
  return typeof source === "string" ? new TextEncoder().encode(source) : source;
}

function archiveOf(files: Files): Archive {
  const entries = Object.entries(files).map(([name, text], index) => ({
    place: index + 1,
    name,
    shownName: name,
    size: text.length,
    modified: null,
    async *bytes() {
      yield await Promise.resolve(bytesOf(text));
    },
  }));
  return new Archive(entries, 0);
}

const HEAD = '{"format":"prs-items","version":1,"source":"a"}\n';
const JOPLIN = "Boats\n\nid: 0a\ntype_: 1\n\n";
const ENTRY = '{"uuid":"1","creationDate":"2015-08-03T21:30:00Z"}';
const id = (number: number) => number.toString(16).padStart(32, "0");

Deno.test("Text has the signs of formats", async () => {
  const texts: readonly (readonly [text: string, formats: readonly string[]])[] = [
    [HEAD, ["prs-items"]],
    [`\ufeff\n${HEAD}`, ["prs-items"]],
    ['{"format":"other"}\n', []],
    ['<?xml version="1.0"?>\n<HealthData locale="en">', ["apple-health"]],
    ["<HealthDataX>", []],
    ['<!DOCTYPE en-export SYSTEM "x">\n<en-export>', ["enex"]],
    [`{"metadata":{},"entries":[`, ["day-one"]],
    [`{"entries":[${ENTRY},{}]}`, ["day-one"]],
    [`{"entries":[{},${ENTRY}]}`, []],
    ['{"entries":[{"uuid":"1"}]}', []],
    ['{"entries":{"metadata":1},"metadata":{}}', []],
    ['{"date_journal":1,"createdTimestampUsec":1}', []],
    ['{"timelineObjects":[', ["google-timeline"]],
    ['{"rawSignals":[],"semanticSegments":[]}', ["google-timeline"]],
    ['{"locations":[{"latitudeE7":1}]}', ["google-timeline"]],
    ['{"locations":[{"latitude":1}]}', []],
    ['[{"startTime":"x","visit":{}}]', ["google-timeline"]],
    ['[{"startTime":"x"},{"visit":{}}]', []],
    ['{"version" : "1.0-preview.1","account":{', ["monica-4"]],
    ['{"version":"2.0","account":{', []],
    ["\ufeff\r\n\r\nBEGIN:VCALENDAR\r\n", ["ical"]],
    ["BEGIN:VCARD\r\nVERSION:3.0", ["vcard"]],
    ["x BEGIN:VCARD", []],
    ["# Title", ["markdown"]],
    ["---\ntitle: a\n---\n", ["markdown"]],
    ["---- a", []],
    ["a,b\nc,d\n", []],
    ["# a\0", []],
    ["", []],
  ];
  for (const [text, formats] of texts) assertEquals(await signs(text), formats, text);
  const wide = [0xff, 0xfe, ...Array.from("# a", (letter) => [letter.charCodeAt(0), 0]).flat()];
  assertEquals(await signs(Uint8Array.from(wide)), ["markdown"]);
});

Deno.test("Archive has the signs of formats, in the order of their table", async () => {
  const archives: readonly (readonly [files: Files, formats: readonly string[]])[] = [
    [{ "items.jsonl": HEAD, "a.png": "" }, ["prs-items"]],
    [{ "Export/items.jsonl": HEAD, "Export/a.png": "" }, ["prs-items"]],
    [{ "a.md": "", "x/items.jsonl": HEAD }, ["markdown"]],
    [{ "a/Trip.textbundle/text.md": "", "b.txt": "" }, ["textbundle"]],
    [{ "Trip.textbundle/info.json": "{}" }, ["textbundle"]],
    [{ "Trip.textpack": "", "b.txt": "" }, ["textbundle"]],
    [{ "info.json": "{}", "text.md": "", "assets/a.png": "" }, ["textbundle"]],
    [{ "Trip/info.json": "{}", "Trip/text.markdown": "" }, ["textbundle"]],
    [{ "info.json": "{}", "text.md": "", "other.md": "" }, ["textbundle", "markdown"]],
    [{ "info.json": "{}", "b/text.md": "" }, ["markdown"]],
    [{ "apple/export.xml": "<HealthData\n", "a.txt": "<HealthData " }, ["apple-health"]],
    [{ "a.txt": "<en-export", "b.enex": "<en-export>" }, ["enex"]],
    [{ [`${id(1)}.md`]: JOPLIN, [`notes/${id(2)}.md`]: JOPLIN }, ["joplin"]],
    [{ [`${id(1)}.md`]: JOPLIN, [`${id(2)}.md`]: "A note" }, ["joplin", "markdown"]],
    [{ [`Page ${id(1)}.md`]: JOPLIN }, ["markdown"]],
    [{ [`${id(1)}.md`]: "type_: 1\n\nEnd" }, ["markdown"]],
    [{ "Export-1-Part-1.zip": "", "index.html": "" }, ["markdown"]],
    [{ "Export.zip": "", ".Part-1.zip": "" }, []],
    [{ "a/1.json": '{"date_journal":1', "b.html": "" }, ["journey"]],
    [{ "Keep/a.json": '{"title":"x","userEditedTimestampUsec":1}' }, ["google-keep"]],
    [{ "Keep/a.json": '{"createdTimestampUsec":1}' }, ["google-keep"]],
    [{ "Keep/a.json": '[{"createdTimestampUsec":1}]' }, []],
    [{ "Journal.json": '\ufeff{"metadata":{},"entries":[]}' }, ["day-one"]],
    [{ "Journal.json": "{", "Records.json": '{"locations":[{"timestampMs":1}]}' }, [
      "google-timeline",
    ]],
    [{ "a.ics": "\nBEGIN:VCALENDAR", "b.vcf": "BEGIN:VCARD" }, ["ical", "vcard"]],
    [{ "a.txt": "BEGIN:VCARD", "b.csv": "a,b" }, []],
    [{ ".hidden/a.md": "", "__MACOSX/a.vcf": "BEGIN:VCARD" }, []],
    [{ "Takeout/Keep/a.json": '{"createdTimestampUsec":1}', "Takeout/b.ics": "BEGIN:VCALENDAR" }, [
      "google-keep",
      "ical",
    ]],
  ];
  for (const [files, formats] of archives) {
    assertEquals(await signs(files), formats, JSON.stringify(files));
  }
});

Deno.test("Only the first 20 entries of a kind, and the first 64 KiB of each, are examined", async () => {
  const others = Array.from({ length: 20 }, (_, index) => [`${index}.ics`, "x"] as const);
  const last = ["z.ics", "BEGIN:VCALENDAR"] as const;
  assertEquals(await signs(Object.fromEntries([...others, last])), []);
  assertEquals(await signs(Object.fromEntries([...others.slice(1), last])), ["ical"]);
  const items = Array.from({ length: 25 }, (_, index) => [`${id(index)}.md`, JOPLIN] as const);
  assertEquals(await signs(Object.fromEntries(items)), ["joplin"]);
  const long = { [`${id(1)}.md`]: JOPLIN, [`${id(2)}.md`]: "x".repeat(70_000) + JOPLIN };
  assertEquals(await signs(long), ["joplin"]);
  const latest = " ".repeat(64 * 1024 - "BEGIN:VCALENDAR".length) + "BEGIN:VCALENDAR";
  for (const source of [latest, { "a.ics": latest }]) assertEquals(await signs(source), ["ical"]);
  for (const source of [` ${latest}`, { "a.ics": ` ${latest}` }]) {
    assertEquals(await signs(source), []);
  }
});

Deno.test("Entry that cannot be unpacked has no sign", async () => {
  const name = "a.vcf";
  const entry = { place: 1, name, shownName: name, size: 1, modified: null };
  async function* bytes(): AsyncGenerator<Uint8Array> {
    yield await Promise.resolve(bytesOf("BEGIN:"));
    refuseFile("zip.crc", 1);
  }
  const archive = new Archive([{ ...entry, bytes }], 0);
  const file = { read: () => Promise.resolve(new Uint8Array()) };
  assertEquals(await signsOf({ file, archive }), []);
});

Deno.test("A text without a sign is a table by its first two rows, else a note", async () => {
  const files: readonly (readonly [source: string | Files, format: string | null])[] = [
    ["a,b\nc,d\n", "csv"],
    ['"a\nb";c\n\nd;e', "csv"],
    ["a\tb\r\nc\td\r\n", "csv"],
    ["a|b\rc|d", "csv"],
    ["a,b\nc\n", "markdown"],
    ["a\nb\n", "markdown"],
    ["a,b", "markdown"],
    ["", "markdown"],
    ["a,b\0\nc,d\n", null],
    ["# a,b\nc,d\n", "markdown"],
    ["BEGIN:VCARD\na,b\nc,d", "vcard"],
    [{ "a.csv": "a,b\nc,d\n" }, null],
    [{ "a.txt": "a" }, null],
    [{ "a.md": "", "Journal.json": '{"metadata":{},"entries":[]}' }, "day-one"],
  ];
  for (const [source, format] of files) {
    assertEquals(await recognizeFormat(signSource(source)), format, JSON.stringify(source));
  }
  const note = { ...signSource("a, b\nc, d\n"), filename: "Guests.md" };
  assertEquals(await recognizeFormat(note), "markdown");
});
