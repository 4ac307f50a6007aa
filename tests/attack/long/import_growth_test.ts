/** The processor time of reading grows linearly with the size of any file. */

import { assert } from "@std/assert";
import process from "node:process";
import { withAttachments } from "../../../src/imports/attachment_names.ts";
import { ENEX } from "../../../src/imports/converters/apps/enex.ts";
import { bearTags } from "../../../src/imports/converters/apps/bear_tags.ts";
import { JOPLIN } from "../../../src/imports/converters/apps/joplin.ts";
import { TEXTBUNDLE } from "../../../src/imports/converters/apps/textbundle.ts";
import { GOOGLE_KEEP } from "../../../src/imports/converters/apps/google_keep.ts";
import { ICAL } from "../../../src/imports/converters/calendar/ical.ts";
import type { Converter } from "../../../src/imports/converters/converter.ts";
import { CSV } from "../../../src/imports/converters/csv.ts";
import { DAY_ONE } from "../../../src/imports/converters/day_one.ts";
import { readDated } from "../../../src/imports/converters/dates.ts";
import { inlineTags } from "../../../src/imports/converters/inline_tags.ts";
import { htmlToMarkdown } from "../../../src/imports/converters/markup/html_markdown.ts";
import { APPLE_HEALTH } from "../../../src/imports/converters/health/apple_health.ts";
import { MARKDOWN } from "../../../src/imports/converters/markdown.ts";
import { MONICA } from "../../../src/imports/converters/monica.ts";
import { titleOf } from "../../../src/imports/converters/note_title.ts";
import { GOOGLE_TIMELINE } from "../../../src/imports/converters/places/google_timeline.ts";
import { PRS_ITEMS } from "../../../src/imports/converters/prs_items.ts";
import { textParts } from "../../../src/imports/converters/text_parts.ts";
import { VCARD } from "../../../src/imports/converters/vcard.ts";
import { FileRefusal } from "../../../src/imports/refusal.ts";
import { card, inputOf } from "../../families/relationship/cards.ts";
import { convertFile, type Files } from "../../support/converted_files.ts";
import { writtenTime } from "../../support/health_export.ts";
import { noteFilesOf, vaultOf } from "../../support/note_vaults.ts";

const CHUNK_BYTES = 8 * 1024;
/** For a file of four times the size; a linear reader takes 4, and one of quadratic time 16. */
const MAX_GROWTH = 8;
/** Characters of the smallest file of a family. */
const LENGTH = 30_000;

/** Makes a text of about so many characters. */
type Family = (length: number) => string;

const repeated = (text: string, before = "", after = ""): Family => (length) =>
  before + text.repeat(Math.floor(length / text.length)) + after;

function numbered(write: (index: number) => string, before = "", after = ""): Family {
  return (length) => {
    const parts: string[] = [];
    for (let size = 0; size < length; size += parts.at(-1)?.length ?? 0) {
      parts.push(write(parts.length));
    }
    return before + parts.join("") + after;
  };
}

const cards = (family: Family): Family => (length) => card("VERSION:3.0", "FN:A", family(length));

const event = (family: Family): Family => (length) =>
  `BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n${family(length)}END:VEVENT\r\n`;

const account = (family: Family): Family => (length) =>
  `{"version":"1.0-preview.1","account":{"data":[${family(length)}{}]}}`;

const enex = (before: string, part: string, after: string): Family =>
  repeated(part, `<en-export><note>${before}`, `${after}</note></en-export>`);
const segments = (family: Family): Family => (length) =>
  `{"semanticSegments":[${family(length)}{}]}`;

const visitOf = (placeId: string, start: number): string =>
  `{"startTime":"${start}","visit":{"topCandidate":{"placeId":"${placeId}"}}},`;

/** An export of Apple Health with a part repeated. */
const health = (write: (index: number) => string, before = "", after = ""): Family =>
  numbered(write, `<HealthData>${before}`, `${after}</HealthData>`);

const measured = (type: string, index: number, more: string) =>
  `<Record type="HKQuantityTypeIdentifier${type}" unit="count/min" value="1" ` +
  `startDate="${writtenTime(index * 60_000)}" endDate="${writtenTime(index * 60_000)}" ${more}/>`;

/** Lists that were copied for each element take long only if there are many. */
const MANY = 4 * LENGTH;
/** For readers that need long even for short texts. */
const FEW = LENGTH / 3;

/** Four times as many characters are still front matter. */
const BLOCK = 15_000;

type Reading = readonly [Converter, Family, length?: number, preset?: string];

const FAMILIES: Readonly<Record<string, Reading>> = {
  "lines of a card": [VCARD, cards(repeated("A:\r\n")), FEW],
  "nicknames": [VCARD, cards(repeated(",", "NICKNAME:"))],
  "categories": [VCARD, cards(repeated("a,", "CATEGORIES:"))],
  "parameters": [VCARD, cards(numbered((index) => `X;p${index % 99}=;q="${index}":y\r\n`))],
  "escapes": [VCARD, cards(repeated("\\n", "NOTE:"))],
  "soft line breaks": [VCARD, cards(repeated("=\r\n", "NOTE;QUOTED-PRINTABLE:a=\r\n"))],
  "a picture": [VCARD, cards(repeated(" QUJD\r\n", "PHOTO;ENCODING=b:QUJD\r\n"))],
  "cards in cards": [VCARD, repeated("BEGIN:VCARD\r\n")],
  "agents in cards": [VCARD, repeated("AGENT:BEGIN:VCARD\r\nN:A\r\n", "BEGIN:VCARD\r\n"), FEW],
  "lines that are not properties": [VCARD, cards(repeated("words\r\n", "NOTE:"))],
  "blanks after soft line breaks": [VCARD, cards(repeated("=\r\n =41", "FN;QUOTED-PRINTABLE:"))],
  "folds of a line": [ICAL, event(repeated(" a\r\n", "SUMMARY:\r\n"))],
  "parameters of a time": [ICAL, event(repeated(';a="b:c"', "DTSTART", ":20240101\r\n"))],
  "categories of an event": [ICAL, event(numbered((index) => `${index},`, "CATEGORIES:"))],
  "words of a description": [ICAL, event(repeated("a ", "URL:b\r\nDESCRIPTION:", "\r\n"))],
  "files in an event": [ICAL, event(repeated("ATTACH;ENCODING=BASE64:QUJD\r\n")), FEW],
  "ends in an event": [
    ICAL,
    (length) => event(repeated("BEGIN:A\r\n"))(length / 2) + repeated("END:B\r\n")(length / 2),
    FEW,
  ],
  "calendars with versions of an event": [
    ICAL,
    repeated("BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\nUID:1\r\nEND:VEVENT\r\n"),
    FEW,
  ],
  "cells": [CSV, repeated(",", "A\n")],
  "doubled quotes": [CSV, repeated('""', 'A\n"', '"\n')],
  "lines in quotes": [CSV, repeated("a\n", 'A\n"', '"\n'), FEW],
  "open quotes": [CSV, repeated('",x",y,"\n', "A\n"), FEW],
  "quotes that end in a fault": [CSV, repeated('",x",y,"\n', "A\n", '"z\n'), FEW],
  "equal names": [CSV, repeated("a,", "A,", "\n")],
  "blanks before quotes": [CSV, (length) => repeated(" ", 'A\n"x"')(length / 2) + "y\n"],
  "short rows under many columns": [
    CSV,
    (length) => numbered((index) => `,c${index}`, "A")(length / 2) + repeated("\nx")(length / 2),
    FEW,
  ],
  "books": [
    CSV,
    // Every other highlight is of one book.
    numbered((index) => `a,b${index % 2 * index},c\n`, "Highlight,Book Title,Book Author\n"),
    LENGTH / 3,
    "readwise",
  ],
  "lines of a highlight": [
    CSV,
    repeated("\n", 'Highlight,Book Title,Book Author\n"', '",b,c\n'),
    LENGTH / 3,
    "readwise",
  ],
  "sections of a table": [CSV, repeated("Body\nDate,Weight,BMI,Fat\n"), LENGTH / 3, "fitbit"],
  "habits of short rows": [
    CSV,
    (length) =>
      numbered((index) => `,h${index}`, "Date", ",\n")(length / 2) +
      repeated("2024-01-01,NO\n")(length / 2),
    FEW / 3,
    "loop",
  ],
  "values of a contact": [
    CSV,
    repeated("a ::: ", "E-mail 1 - Type,E-mail 1 - Value\n,", "\n"),
    LENGTH / 3,
    "google-contacts",
  ],
  "columns of short contacts": [
    CSV,
    (length) =>
      numbered((index) => `,Phone ${index + 1} - Value`, "E-mail 1 - Type,E-mail 1 - Value")(
        length / 2,
      ) + repeated("\n,a@example.org,1")(length / 2),
    LENGTH / 3,
    "google-contacts",
  ],
  "activities": [
    CSV,
    repeated("|a", "full_date,mood,activities\n2024-01-01,rad,", "\n"),
    LENGTH / 3,
    "daylio",
  ],
  "levels of JSON": [PRS_ITEMS, repeated("[", '{"format":"prs-items","version":1,"source":"a"}\n')],
  "items": [
    PRS_ITEMS,
    numbered(
      (index) => `{"key":"${index}"}\n`,
      '{"format":"prs-items","version":1,"source":"a"}\n',
    ),
  ],
  "lists of an account": [
    MONICA,
    account(repeated('{"type":"contact","values":[1]},')),
    2 * LENGTH,
  ],
  "lists of a contact": [
    MONICA,
    account(repeated(
      '{"type":"task","values":[1]},',
      '{"type":"contact","values":[{"properties":{"first_name":"A"},"data":[',
      "{}]}]},",
    )),
    MANY,
  ],
  "people of an activity": [
    MONICA,
    account(numbered(
      (index) =>
        `{"uuid":"${index}","properties":{"first_name":"A"},` +
        '"data":[{"type":"activity","values":["a"]}]},',
      '{"type":"activity","values":[{"uuid":"a","happened_at":"2020-01-01"}]},' +
        '{"type":"contact","values":[',
      "{}]},",
    )),
  ],
  "links of a contact": [
    MONICA,
    account(repeated(
      '{"of_contact":"a","contact_is":"b"},',
      '{"type":"relationship","values":[',
      "{}]},",
    )),
    MANY,
  ],
  "lines of an entry": [DAY_ONE, repeated("\\n", '{"entries":[{"uuid":"a","text":"', '"}]}')],
  "addresses of an entry": [
    DAY_ONE,
    repeated("dayone-a://b/", '{"entries":[{"uuid":"a","text":"', '"}]}'),
  ],
  "words after an address": [
    DAY_ONE,
    repeated("a", '{"entries":[{"uuid":"a","text":"dayone-a://', '"}]}'),
  ],
  "rich text": [
    DAY_ONE,
    repeated("\\\\n", '{"entries":[{"richText":"{\\"contents\\":[{\\"text\\":\\"', '\\"}]}"}]}'),
  ],
  "entries": [DAY_ONE, repeated("{},", '{"entries":[', "{}]}"), FEW],
  "what comes before the root": [ENEX, repeated("<!-- <a>--><", "", "<a/>")],
  "attributes": [ENEX, enex("<a", " a='", "'/>")],
  "quotes of a tag": [ENEX, enex("<a ", "a='\"' ", "/>")],
  "references": [ENEX, enex("<title>", "&amp;", "</title>")],
  "sections": [ENEX, enex("<title>", "]]<![CDATA[]]]]>", "</title>")],
  "ends of a content": [ENEX, enex("<content><![CDATA[", "</contents>]]>", "</content>")],
  "pieces of a file": [ENEX, enex("<resource><data>", "A<!---->", "</data></resource>")],
  "files of a note": [ENEX, enex("", "<resource><data>QQ==</data></resource>", ""), LENGTH / 2],
  "places": [GOOGLE_TIMELINE, segments(numbered((index) => visitOf(`p${index}`, index)))],
  "visits in a visit": [
    GOOGLE_TIMELINE,
    repeated(
      '{"location":{"placeId":"a"},"duration":{"startTimestamp":"1"}},',
      '{"timelineObjects":[{"placeVisit":{"childVisits":[',
      "{}]}}]}",
    ),
  ],
  "members of a segment": [
    GOOGLE_TIMELINE,
    segments(numbered((index) => `"a${index}":0,`, "{", '"a":0},')),
  ],
  "sources of a day": [
    APPLE_HEALTH,
    health((index) => measured("HeartRate", 0, `sourceName="${index}"`)),
    2 * LENGTH,
  ],
  "days of a source": [
    APPLE_HEALTH,
    health((index) => measured("HeartRate", index * 1440, "")),
  ],
  "devices": [
    APPLE_HEALTH,
    health((index) => measured("HeartRate", 0, `device=", name:${index}"`)),
  ],
  "a name of a device": [
    APPLE_HEALTH,
    health(() => ", name:a", measured("HeartRate", 0, "").replace("/>", 'device="'), '"/>'),
  ],
  "wiki embeds": [MARKDOWN, repeated("![[a|")],
  "embeds": [MARKDOWN, repeated("![a](<")],
  "paths of embeds": [MARKDOWN, repeated("![](a(b)")],
  "open brackets": [MARKDOWN, repeated("[")],
  "links in labels": [MARKDOWN, repeated("[[a](")],
  "titles of links": [MARKDOWN, repeated('[](a "')],
  "definitions": [MARKDOWN, repeated("[x]: ")],
  "addresses of tags": [MARKDOWN, repeated('<img src="')],
  "quotes in tags": [MARKDOWN, repeated("<a b='<a b=\"")],
  "comments": [MARKDOWN, repeated("<!--")],
  "code spans": [MARKDOWN, numbered((index) => "`".repeat(index % 300) + "a")],
  "fences": [MARKDOWN, repeated("~~~a\n")],
  "marks of lists": [MARKDOWN, repeated("- > ")],
  "lines in lists": [MARKDOWN, repeated("\n", "- ".repeat(FEW) + "a"), FEW],
  "a picture in a note": [MARKDOWN, repeated("QUJD", "![](data:image/png;base64,", ")")],
  "an escaped picture in a note": [MARKDOWN, repeated("%2F", "![](data:image/png;base64,", ")")],
  "a long note": [MARKDOWN, repeated("a"), 5 * LENGTH],
  "blanks of front matter": [
    MARKDOWN,
    (length) => repeated(" ", "---\na:")(length / 2) + "\u2028x\n---\n",
    BLOCK,
  ],
  "members of front matter": [
    MARKDOWN,
    numbered((index) => `a${index}: b\n`, "---\n", "---\n"),
    BLOCK,
  ],
  "one name of front matter": [MARKDOWN, repeated("url: a\n", "---\n", "---\n"), BLOCK],
  "open lists of front matter": [MARKDOWN, repeated("a: [\nb\n", "---\n", "---\n"), BLOCK / 2],
  "items of front matter": [MARKDOWN, repeated("#a ,", "---\na: [", "]\n---\n"), BLOCK],
  "tags of front matter": [MARKDOWN, repeated("#a ", "---\ntags: ", "\n---\n"), BLOCK],
  "a link of front matter": [MARKDOWN, repeated("[[", "---\ntags: ", "\n---\n"), BLOCK],
  "folded lines of front matter": [MARKDOWN, repeated(" a\n\n", "---\na: >\n", "---\n"), BLOCK],
  "comments of front matter": [
    MARKDOWN,
    (length) => repeated("]#", "---\na: [")(length / 2) + "\u2028\n---\n",
    BLOCK,
  ],
};

/** Texts of inline tags. */
const TAGGED: Readonly<Record<string, Family>> = {
  "marks": repeated("#"),
  "one tag": repeated("a", "#"),
  "tags": numbered((index) => `#a${index % 400} `),
  "backticks": repeated("`"),
  "code spans of all lengths": numbered((index) => "`".repeat(index) + " "),
  "fences": (length) => repeated("```\n")(length / 4),
};

/** Texts of Bear. */
const BEAR_TAGS: Readonly<Record<string, Family>> = {
  "marks before words": repeated("#a b"),
  "words of one tag": repeated("a ", "#"),
  "digits": repeated("1", "#"),
};

/** Texts of notes in archives. */
const NOTES: Readonly<Record<string, readonly [Converter, (text: string) => Files, Family]>> = {
  "properties of an item": [JOPLIN, joplinNote, repeated("a:b\n")],
  "links of a note": [JOPLIN, joplinNote, repeated(`[a](:/${"0".repeat(32)})`, "", "\n\n")],
  "pictures in links": [JOPLIN, joplinNote, repeated("[![](:/", "", "\n\n")],
  "notebooks": [JOPLIN, joplinNotebooks, numbered((index) => `${index} `)],
  "addresses of a bundle": [TEXTBUNDLE, bundle, repeated("![](assets/a)")],
};

function joplinNote(text: string): Files {
  return { [`${"1".repeat(32)}.md`]: `T\n\n${text}\ntype_: 1` };
}

/** Each notebook is inside the one before it. */
function joplinNotebooks(text: string): Files {
  const idOf = (number: string | undefined) => (number ?? "").padStart(32, "0");
  const numbers = text.trim().split(" ").slice(0, text.length / 100);
  return Object.fromEntries(numbers.map((number, index) => {
    const id = idOf(number);
    return [`${id}.md`, `N\n\nid: ${id}\nparent_id: ${idOf(numbers[index - 1])}\ntype_: 2`];
  }));
}

function bundle(text: string): Files {
  return { "A.textbundle/text.md": text, "A.textbundle/assets/a": "a" };
}

/** HTML, also such that only looks like it. */
const MARKUP: Readonly<Record<string, Family>> = {
  "open tags": repeated("<a "),
  "quotes in tags": repeated("<a b=\"\" c='<a b='' c=\""),
  "blanks": repeated(" ", "<a ", "="),
  "open comments": repeated("<!--"),
  "emphasis": repeated("<b>a</b>b"),
  "lists in lists": repeated("<ul><li>a"),
  "cells": repeated("<td>a", "<table>"),
  "lines of code": repeated("<div>a", "<pre>"),
  "lines of a long link": (length) =>
    repeated("a", "<a href='http://", "'>")(length / 2) + repeated("a<br>")(length / 2),
};

/** Members of a note of Google Keep. */
const KEEP_NOTES: Readonly<Record<string, Family>> = {
  "pages": numbered((index) => `{"url":"a${index}"},`, '"annotations":[', "{}]"),
  "files": numbered((index) => `{"filePath":"a${index}"},`, '"attachments":[', "{}]"),
  "other members": numbered((index) => `"a${index}":1,`, "", '"b":1'),
};

/** Written dates. */
const DATES: Readonly<Record<string, Family>> = {
  "digits": repeated("1"),
  "blanks": repeated(" ", "1", "1"),
  "weekdays": repeated("Mon "),
};

async function read(converter: Converter, text: string, preset?: string): Promise<void> {
  const bytes = new TextEncoder().encode(text);
  const columns = { target: "knowledge", columns: { A: "@title" } };
  const mapping = preset !== undefined ? { preset } : converter === CSV ? columns : null;
  const input = { ...inputOf(bytes, CHUNK_BYTES), mapping, fieldsOf: () => [] };
  try {
    for await (const _ of converter.convert(input));
  } catch (error) {
    if (!(error instanceof FileRefusal)) throw error;
  }
}

/** Work of the same size at all times, by which the speed of the processor is known. */
function reference(): Promise<void> {
  let sum = 0;
  for (let step = 0; step < 2_000_000; step++) sum = (sum * 31 + step) | 0;
  return Promise.resolve(void sum);
}

/** The least milliseconds of processor time of some tries. */
async function timeOf(work: () => Promise<void>, tries: number): Promise<number> {
  let least = Infinity;
  for (let round = 0; round < tries; round++) {
    const began = process.cpuUsage();
    await work();
    const { user, system } = process.cpuUsage(began);
    least = Math.min(least, (user + system) / 1000);
  }
  return least;
}

/** Milliseconds that are added to each time, so that the noise of short ones does not count. */
const NOISE_MS = 10;
const ATTEMPTS = 3;

/** The work on a text, in percent of the reference. */
async function measure(
  work: (text: string) => Promise<void>,
  text: string,
  tries: number,
): Promise<number> {
  const own = NOISE_MS + await timeOf(() => work(text), tries);
  return 100 * own / await timeOf(reference, tries);
}

/** Fails if the work on four texts takes more than eight times as long in every measurement. */
async function assertLinear(
  work: (text: string) => Promise<void>,
  family: Family,
  length = LENGTH,
): Promise<void> {
  const [small, large] = [family(length), family(4 * length)];
  const told: string[] = [];
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    // The first try also warms up the code.
    const one = await measure(work, small, 2);
    const four = await measure(work, large, 1);
    if (four <= MAX_GROWTH * one) return;
    told.push(`${Math.round(one)}, ${Math.round(four)}`);
  }
  assert(false, `Work of ${told.join(" and ")}`);
}

for (const [name, [converter, family, length, preset]] of Object.entries(FAMILIES)) {
  Deno.test(`Reading is linear: ${converter.format}, ${name}`, async () => {
    await assertLinear((text) => read(converter, text, preset), family, length);
  });
}

for (const [name, [converter, filesOf, family]] of Object.entries(NOTES)) {
  Deno.test(`Reading is linear: ${converter.format}, ${name}`, async () => {
    const convert = (text: string) =>
      convertFile(converter, filesOf(text), { chunkBytes: CHUNK_BYTES });
    await assertLinear(async (text) => void await convert(text), family);
  });
}

type Read = (text: string) => unknown;

const READERS: Readonly<Record<string, readonly [Read, Readonly<Record<string, Family>>, number]>> =
  {
    "inline tags": [inlineTags, TAGGED, MANY],
    "tags of Bear": [bearTags, BEAR_TAGS, LENGTH],
    "dates": [(text) => readDated(text, "EXCEL", "UTC"), DATES, MANY],
    "markup": [(text) => htmlToMarkdown(text, { turn: () => Promise.resolve() }), MARKUP, LENGTH],
    "google-keep": [
      (text) => {
        const note = `{"createdTimestampUsec":1,${text}}`;
        return convertFile(GOOGLE_KEEP, { "a.json": note });
      },
      KEEP_NOTES,
      LENGTH,
    ],
  };

for (const [reader, [read, families, length]] of Object.entries(READERS)) {
  for (const [name, family] of Object.entries(families)) {
    Deno.test(`Reading is linear: ${reader}, ${name}`, async () => {
      await assertLinear(async (text) => void await read(text), family, length);
    });
  }
}

/** A quarter of the characters in which a title is searched. */
const TITLE_LENGTH = 16 * 1024;
const MARKS = ["#", "*", "_", "~~", "==", "[", "![", "[[", "![[", "](", "<", "<!--", "`", "\\"];

for (const part of [...MARKS, "> ", "- ", "\n", "``` a\n", "*a ", "![[a]] ", "<a> ", "[a](b"]) {
  Deno.test(`Reading is linear: a title of ${JSON.stringify(part)}`, async () => {
    await assertLinear(
      (text) => Promise.resolve(void titleOf(text)),
      repeated(part),
      TITLE_LENGTH,
    );
  });
}

Deno.test("Reading is linear: parts of a long line", async () => {
  const part = (text: string) => Promise.resolve(void textParts(text, 10));
  await assertLinear(part, repeated("["), 2 * LENGTH);
});

Deno.test("Reading is linear: names of attachments", async () => {
  const beginning = "attachment:".repeat(20);
  await assertLinear((text) => {
    const names = text.match(/a+\d+/g) ?? [];
    const ids = new Map(names.map((name, index) => [name, String(index)]));
    const content = names.map((name) => `${beginning}${name}`).join(" ");
    return Promise.resolve(void withAttachments({ content }, ids));
  }, numbered((index) => `${"a".repeat(index % 50)}a${index} `));
});

Deno.test("Reading is linear: files of one name", async () => {
  await assertLinear(
    async (text) => {
      const folders = text.match(/f\d+/g) ?? [];
      const files = await noteFilesOf(await vaultOf(folders.map((folder) => `${folder}/a.png`)));
      for (const folder of folders) await files.link("![](a.png) ![](x/A.png)", `${folder}/b/n.md`);
    },
    numbered((index) => `f${index} `),
    LENGTH / 8,
  );
});
