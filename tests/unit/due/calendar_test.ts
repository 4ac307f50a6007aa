/** The text of calendars: folding, escaping, alarms. */

import { assert, assertEquals } from "@std/assert";
import { writeCalendar } from "../../../src/due/calendar.ts";
import type { DueEntry } from "../../../src/due/due.ts";
import { addressName } from "../../../src/due/feed.ts";
import { componentsOf, linesOf } from "../../http/calendar.ts";
import { readZone } from "../../../src/due/calendar_zone.ts";
import { seededRandom } from "../../support/random.ts";

const ENTRY: DueEntry = {
  kind: "COMMITMENT",
  recordId: "01KAGQ0000000000000000000A",
  sourceId: null,
  title: "Ladder",
  what: null,
  label: null,
  years: null,
  instant: Date.parse("2026-11-20T12:00:00Z"),
  date: null,
  sequence: 1,
  changedAt: new Date("2026-11-01T12:00:00Z"),
  isSecret: false,
};

const OPTIONS = {
  feedId: "01KCA0000000000000000000AA",
  name: "Mine",
  detail: "TITLES",
  alarms: { timed: [], allDay: null },
  zone: null,
  isTodo: false,
  origin: "https://records.example",
  isCut: false,
} as const;

/** The text of a TEXT value, as a client reads it. */
function unescape(value: string): string {
  return value.replaceAll(/\\([\\,;nN])/g, (_, letter) => /n/i.test(letter) ? "\n" : letter);
}

Deno.test("Any title comes back from folded and escaped lines", () => {
  const random = seededRandom(38);
  const letters = [
    "a",
    ";",
    ",",
    "\\",
    "n",
    "\u{1F469}\u200D\u{1F4BB}",
    "\u05D0",
    "\u200F",
    "\u202E",
    "ß",
    " ",
  ];
  for (let round = 0; round < 3_000; round++) {
    const length = random.integer(1, 60);
    const title = Array.from({ length }, () => letters[random.integer(0, letters.length - 1)]).join(
      "",
    );
    const calendar = writeCalendar([{ ...ENTRY, title }], OPTIONS);
    const line = linesOf(calendar).find((line) => line.startsWith("SUMMARY:"));
    assertEquals(unescape(String(line).slice("SUMMARY:".length)), title);
  }
});

Deno.test("A line is folded between code points, at the 75th octet and no earlier", () => {
  for (let before = 60; before < 80; before++) {
    const title = `${"a".repeat(before)}\u{1F600}${"b".repeat(80)}`;
    const calendar = writeCalendar([{ ...ENTRY, title }], OPTIONS);
    const stored = calendar.split("\r\n");
    const first = stored.findIndex((line) => line.startsWith("SUMMARY:"));
    const lengths = stored.slice(first, first + 2).map((line) =>
      new TextEncoder().encode(line).length
    );
    assert(lengths.every((length) => length > 75 - 4 && length <= 75), `${before}: ${lengths}`);
  }
});

Deno.test("Characters at which clients end a line become blanks", () => {
  const title = "a\u0085b\u2028c\u2029d\r\ne\tf";
  const lines = linesOf(writeCalendar([{ ...ENTRY, title }], OPTIONS));
  assert(lines.includes("SUMMARY:a b c d\\ne\tf"));
});

Deno.test("Alarms of a day are at its time, and a contact has none", () => {
  const alarms = { timed: [0, 15, 40_320], allDay: "09:00" };
  const triggers = (entry: Partial<DueEntry>, allDay = alarms.allDay) =>
    componentsOf(
      writeCalendar([{ ...ENTRY, ...entry }], { ...OPTIONS, alarms: { ...alarms, allDay } }),
      "VALARM",
    )
      .map((lines) => lines.at(-1));
  const date = { kind: "DATE", date: "2026-11-20", what: "BIRTHDAY" } as const;
  assertEquals(triggers({}), ["TRIGGER:PT0S", "TRIGGER:-PT15M", "TRIGGER:-PT40320M"]);
  assertEquals(triggers(date), ["TRIGGER:PT9H"]);
  assertEquals(triggers(date, "00:00"), ["TRIGGER:PT0S"]);
  assertEquals(triggers(date, "00:05"), ["TRIGGER:PT5M"]);
  assertEquals(triggers(date, "23:59"), ["TRIGGER:PT23H59M"]);
  assertEquals(triggers({ kind: "CONTACT" }), []);
  assertEquals(triggers({ kind: "PROPOSAL" }), []);
});

Deno.test("A calendar without its last entries says so on the day of the last one", async () => {
  const table = new URL("../../http/contact_cases/tables/feed_end.json", import.meta.url);
  const { feedId, last, event, todo } = JSON.parse(await Deno.readTextFile(table));
  const [recordId] = last.uid.split("-");
  const changedAt = new Date(last.dtstamp.replace(/(....)(..)(..T..)(..)(..)/, "$1-$2-$3:$4:$5"));
  const instant = Date.parse(last.at);
  const entry = { ...ENTRY, recordId, instant, changedAt, sequence: last.sequence };
  const zone = readZone(last.zone, instant);
  const options = { ...OPTIONS, feedId, zone, isCut: true };
  for (const [isTodo, expected] of [[false, event], [true, todo]]) {
    const lines = linesOf(writeCalendar([entry], { ...options, isTodo }));
    assertEquals(lines.slice(-1 - expected.length, -1), expected);
  }
  // In Auckland, the day of the last entry is the next one.
  const later = writeCalendar([{ ...entry, instant: Date.parse("2027-02-07T12:00:00Z") }], {
    ...options,
    zone: readZone("Pacific/Auckland", instant),
  });
  assert(linesOf(later).includes("DTSTART;VALUE=DATE:20270208"));
});

Deno.test("A calendar's address has the plain letters of its name", () => {
  for (
    const [name, written] of [
      ["Kalender: Familie, 2027!", "Kalender-Familie-2027"],
      ["Müller & Söhne", "Muller-Sohne"],
      ["日本語", "calendar"],
      ["---", "calendar"],
      [`${"a".repeat(59)} b`, "a".repeat(59)],
      ["../..?x=1#y", "x-1-y"],
    ] as const
  ) assertEquals(addressName(name), written);
});

Deno.test("Titles name what a day is, and the years since", () => {
  const summaryOf = (entry: Partial<DueEntry>, detail: "TITLES" | "BUSY" = "TITLES") =>
    linesOf(
      writeCalendar([{ ...ENTRY, kind: "DATE", date: "2026-11-20", title: "Ina", ...entry }], {
        ...OPTIONS,
        detail,
      }),
    ).find((line) => line.startsWith("SUMMARY:"))?.slice("SUMMARY:".length);
  assertEquals(summaryOf({ what: "BIRTHDAY", years: 42 }), "Birthday: Ina (42)");
  assertEquals(summaryOf({ what: "BIRTHDAY", years: 0 }), "Birthday: Ina");
  assertEquals(summaryOf({ what: "BIRTHDAY", years: 42 }, "BUSY"), "Date");
  assertEquals(summaryOf({ what: "MET", years: null }), "Met: Ina");
  assertEquals(summaryOf({ what: "OTHER", label: "Name day", years: 1 }), "Name day: Ina (1)");
  assertEquals(summaryOf({ what: "OTHER" }), "Date: Ina");
});
