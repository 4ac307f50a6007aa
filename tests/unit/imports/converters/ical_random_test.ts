/** Random calendars, with folds at any byte, against the texts and times that were written. */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { DAY_MS } from "../../../../src/core/clock.ts";
import { escapeText } from "../../../../src/core/folded_line.ts";
import { ICAL } from "../../../../src/imports/converters/calendar/ical.ts";
import { zonedTime } from "../../../../src/imports/converters/dates.ts";
import { convertFile } from "../../../support/converted_files.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

/** Set it to a large number for a long run. */
const CALENDARS = Number(Deno.env.get("CALENDARS") ?? 60);
const ZONES = ["Europe/Berlin", "America/St_Johns", "Asia/Kathmandu", "Australia/Lord_Howe"];
const WORDS = [
  "\\",
  "\\n",
  "\n",
  ",",
  ";",
  ":",
  '"',
  "^n",
  "a",
  "Ä",
  "日",
  "😀",
  " ",
  "BEGIN:VEVENT",
];
const LAST_DAY = Date.UTC(2037, 0, 1) / DAY_MS;

interface Written {
  readonly title: string;
  readonly text: string;
  readonly tags: readonly string[];
  readonly startAt: string | null;
}

function words(random: Random, maximum: number): string {
  const count = random.integer(0, maximum);
  return Array.from({ length: count }, () => random.pick(WORDS)).join("");
}

/** The time in UTC, or as a zone shows it. */
function writeTime(random: Random): { readonly line: string; readonly text: string | null } {
  const time = random.integer(0, LAST_DAY - 1) * DAY_MS + random.integer(0, 86_399) * 1000;
  const zone = random.chance(0.7) ? random.pick(ZONES) : null;
  const text = zone === null ? new Date(time).toISOString() : zonedTime(zone, time);
  const digits = text?.slice(0, 19).replaceAll(/[-:]/g, "") ?? "";
  const quote = random.chance(0.5) ? '"' : "";
  const head = zone === null ? "DTSTART" : `DTSTART;TZID=${quote}${zone}${quote}`;
  return { line: `${head}:${digits}${zone === null ? "Z" : ""}`, text };
}

function writeEvent(random: Random, uid: number, lines: string[]): Written {
  const title = `T${words(random, 30).replaceAll("\n", "")}`.trim();
  const text = words(random, 200).trim();
  const tags = Array.from(
    { length: random.integer(1, 3) },
    (_, index) => `${index}${words(random, 4)}`,
  )
    .map((tag) => tag.replaceAll("\n", "").trim());
  const time = writeTime(random);
  lines.push(
    "BEGIN:VEVENT",
    `UID:${uid}`,
    time.line,
    `SUMMARY;ALTREP="a:b;c":${escapeText(title)}`,
    `DESCRIPTION:${escapeText(text)}`,
    `CATEGORIES:${tags.map(escapeText).join(",")}`,
    "END:VEVENT",
  );
  return { title, text: text || title, tags, startAt: time.text };
}

/** Folds within characters, too. */
function fold(random: Random, line: string, end: string): Buffer {
  const bytes = Buffer.from(line);
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length;) {
    const next = at + random.integer(1, 74);
    const space = at === 0 ? "" : random.pick([" ", "\t"]);
    parts.push(Buffer.concat([Buffer.from(space), bytes.subarray(at, next), Buffer.from(end)]));
    at = next;
  }
  return Buffer.concat(parts);
}

Deno.test("Random events come in as they were written", async () => {
  for (let seed = 1; seed <= CALENDARS; seed++) {
    const random = seededRandom(seed);
    const lines = ["VERSION:2.0"];
    const count = random.integer(1, 4);
    const written = Array.from({ length: count }, (_, uid) => writeEvent(random, uid, lines));
    const end = random.pick(["\r\n", "\n", "\r"]);
    const folded = [...lines, "END:VCALENDAR"].map((line) => fold(random, line, end));
    const file = Buffer.concat([Buffer.from(`BEGIN:VCALENDAR${end}`), ...folded]);
    const { items } = await convertFile(ICAL, { "a.ics": file }, {
      chunkBytes: random.integer(1, 200),
    });
    const read = items.map(({ members: { title, tags, payload } }) => {
      const { eventDescription: text, startAt } = payload as Record<string, string>;
      return { title, text, tags, startAt };
    });
    assertEquals<unknown>(read, written, `seed ${seed}`);
  }
});
