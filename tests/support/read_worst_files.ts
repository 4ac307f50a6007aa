/**
 * Reads large files that hold as much as they can of each format; a process of its own, with a
 * limited heap.
 */

import { printResult } from "../../src/core/output.ts";
import { ENEX } from "../../src/imports/converters/apps/enex.ts";
import { ICAL } from "../../src/imports/converters/calendar/ical.ts";
import type { Converter } from "../../src/imports/converters/converter.ts";
import { CSV } from "../../src/imports/converters/csv.ts";
import { jsonEntries } from "../../src/imports/converters/json_entries.ts";
import { APPLE_HEALTH } from "../../src/imports/converters/health/apple_health.ts";
import { GOOGLE_TIMELINE } from "../../src/imports/converters/places/google_timeline.ts";
import { PRS_ITEMS } from "../../src/imports/converters/prs_items.ts";
import { VCARD } from "../../src/imports/converters/vcard.ts";
import { ReadingBudget } from "../../src/imports/reading_budget.ts";
import { FileRefusal } from "../../src/imports/refusal.ts";
import { inputOf } from "../families/relationship/cards.ts";
import { writtenTime } from "./health_export.ts";

/** More than the 4 MiB of a parsed piece. */
const FILE_BYTES = 4.5 * 1024 * 1024;
/** Enough for the limits of cards and calendars. */
const CARD_BYTES = 512 * 1024;
/** Less than the allowed maximum, so that smaller files reach it. */
const HELD_BYTES = 6 * 1024 * 1024;
const CHUNK_BYTES = 8 * 1024;
const ENCODER = new TextEncoder();

/** The text of a part by its number, between a beginning and an end. */
type Worst = readonly [before: string, part: (index: number) => string, after: string];

/** Distinct events of calendars with a zone each. */
const CALENDARS: Worst = [
  "BEGIN:VCALENDAR\r\n",
  (index) =>
    index % 2 > 0
      ? `BEGIN:VEVENT\r\nUID:${index}\r\nEND:VEVENT\r\n`
      : `BEGIN:VCALENDAR\r\nBEGIN:VTIMEZONE\r\nTZID:${index}\r\nEND:VTIMEZONE\r\n`,
  "",
];

const FILES: Readonly<Record<string, readonly [Converter, Worst, preset?: string]>> = {
  "lines of a card": [VCARD, ["BEGIN:VCARD\r\n", () => "A:\r\n", "END:VCARD\r\n"]],
  "events of calendars": [ICAL, CALENDARS],
  "properties of calendars": [ICAL, ["", propertyOf, ""]],
  "lines of an event": [
    ICAL,
    ["BEGIN:VCALENDAR\r\nBEGIN:VEVENT\r\n", () => "RRULE:\r\n", "END:VEVENT\r\n"],
  ],
  "cells of a row": [CSV, ["A\n", () => ",", "\n"]],
  "lines of an open quote": [CSV, ['A\n"', () => `${"a".repeat(200)}\n`, ""]],
  "highlights of many books": [
    CSV,
    ["Highlight,Book Title,Book Author\n", (index) => `${"a".repeat(30)},${index},\n`, ""],
    "readwise",
  ],
  "levels of an item": [
    PRS_ITEMS,
    ['{"format":"prs-items","version":1,"source":"a"}\n', () => "[", "\n"],
  ],
  "an open tag": [ENEX, ["<a", (index) => ` ${index.toString(36)}=''`, ""]],
  "a text of a note": [ENEX, [
    "<en-export><note><content>",
    () => "é ",
    "</content></note></en-export>",
  ]],
  "tasks of a note": [ENEX, [
    "<en-export><note>",
    () => `<task><title>${"a".repeat(100)}</title></task>`,
    "</note></en-export>",
  ]],
  "titles of notes": [ENEX, ["<en-export>", titleOf, "</en-export>"]],
  "places of a timeline": [GOOGLE_TIMELINE, ["[", placeOf, "{}]"]],
  "sources of values": [APPLE_HEALTH, [
    "<HealthData>",
    (index) => `<Record type="" sourceName="${index}"/>`,
    "</HealthData>",
  ]],
  "days of values": [APPLE_HEALTH, ["<HealthData>", rateOf, "</HealthData>"]],
};

/** Calendars of 500 properties. */
function propertyOf(index: number): string {
  return index % 500 === 0 ? "BEGIN:VCALENDAR\r\n" : `X${index}:a\r\n`;
}

function titleOf(index: number): string {
  return `<note><title>${index}</title></note>`;
}

function placeOf(index: number): string {
  return `{"startTime":"1","visit":{"topCandidate":{"placeId":"${index}"}}},`;
}

function rateOf(index: number): string {
  const time = writtenTime(index * 24 * 60 * 60 * 1000);
  return `<Record type="HKQuantityTypeIdentifierHeartRate" unit="count/min" value="60" ` +
    `startDate="${time}" endDate="${time}"/>`;
}

async function* chunksOf(
  [before, part, after]: Worst,
  bytes: number,
): AsyncGenerator<Uint8Array> {
  let text = before;
  let size = 0;
  for (let index = 0; size < bytes; index++) {
    text += part(index);
    if (text.length < CHUNK_BYTES) continue;
    size += text.length;
    yield ENCODER.encode(text);
    text = "";
  }
  yield ENCODER.encode(text + after);
}

async function read(converter: Converter, worst: Worst, preset?: string): Promise<string> {
  const budget = new ReadingBudget({ fileBytes: FILE_BYTES, heldBytes: HELD_BYTES });
  const input = inputOf(new Uint8Array(FILE_BYTES), CHUNK_BYTES, budget);
  const head = ENCODER.encode(worst[0]);
  const file = {
    ...input.file,
    read: (start: number, length: number) => Promise.resolve(head.slice(start, start + length)),
    stream: () => chunksOf(worst, [VCARD, ICAL].includes(converter) ? CARD_BYTES : FILE_BYTES),
  };
  const columns = { target: "knowledge", columns: { A: "@title" } };
  const mapping = preset !== undefined ? { preset } : converter === CSV ? columns : null;
  try {
    const converted = converter.convert({ ...input, file, mapping, fieldsOf: () => [] });
    for await (const _ of converted);
    return "read";
  } catch (error) {
    if (error instanceof FileRefusal) return error.rule;
    throw error;
  }
}

for (const [name, [converter, worst, preset]] of Object.entries(FILES)) {
  printResult(`${name}: ${await read(converter, worst, preset)}`);
}
const entry: Worst = ['{"entries":[{', (index) => `"${index.toString(36)}":0,`, '"a":0}]}'];
for await (const _ of jsonEntries(chunksOf(entry, FILE_BYTES)));
printResult("members of an entry: read");
