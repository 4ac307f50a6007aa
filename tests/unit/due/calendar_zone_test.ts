/** Time zones of calendars: local times, and an equivalent VTIMEZONE. */

import { assert, assertEquals } from "@std/assert";
import { withZoneFiles } from "../../support/zone_files.ts";
import {
  basicForm,
  localForm,
  readZone,
  timeZoneLines,
  type Zone,
} from "../../../src/due/calendar_zone.ts";

const [FROM, UNTIL] = [Date.parse("2026-10-20T00:00:00Z"), Date.parse("2027-12-31T00:00:00Z")];
const HOUR = 3_600_000;

/** Zones with rules of their own: half an hour, the south, none, negative, a change for a month. */
const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "Africa/Casablanca",
  "America/St_Johns",
  "Pacific/Chatham",
  "Europe/Dublin",
];

function zoneOf(name: string): Zone {
  const zone = readZone(name, FROM, UNTIL);
  assert(zone !== null);
  return zone;
}

/** The local time of an instant in a zone, by the runtime. */
function runtimeForms(timeZone: string): (time: number) => string {
  const styles = { dateStyle: "short", timeStyle: "medium" } as const;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, ...styles });
  return (time) => format.format(time).replaceAll(/[-:]/g, "").replace(" ", "T");
}

/** Reads a VTIMEZONE: the offset of the observance that began last before a local time. */
function offsetBy(lines: readonly string[], local: string): string {
  const starts: { start: string; to: string }[] = [];
  let open: string[] = [];
  for (const line of lines) {
    const [name = "", value = ""] = line.split(":");
    if (name === "DTSTART" || name === "RDATE") open.push(value);
    if (name === "TZOFFSETTO") starts.push(...open.map((start) => ({ start, to: value })));
    if (name === "END") open = [];
  }
  return starts.filter(({ start }) => start <= local)
    .sort((one, other) => one.start < other.start ? -1 : 1).at(-1)?.to ?? "";
}

function toMs(offset: string): number {
  const sign = offset.startsWith("-") ? -1 : 1;
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3))) * 60_000;
}

/** Each half hour of the days around the changes, and one time of each week. */
function timesOf({ changes }: Zone): number[] {
  const times = new Set<number>();
  for (let time = FROM; time < UNTIL; time += 7 * 24 * HOUR) times.add(time);
  for (const { at } of changes) {
    for (let half = -24; half <= 24; half++) times.add(at + (half * HOUR) / 2);
  }
  return [...times].sort((one, other) => one - other);
}

Deno.test("Every half hour around a change reads back to its instant, by local time and VTIMEZONE", () => {
  for (const name of ZONES) {
    const zone = zoneOf(name);
    const lines = timeZoneLines(zone);
    const runtimeForm = runtimeForms(name);
    const times = timesOf(zone);
    const written = times.map(runtimeForm);
    for (const [index, time] of times.entries()) {
      const shown = String(written[index]);
      const isTwice = written.filter((other) => other === shown).length > 1;
      const local = localForm(zone, time);
      assertEquals(local === null, isTwice, `${name} ${shown}`);
      if (local === null) continue;
      assertEquals(local, shown, name);
      const utc = Date.parse(shown.replace(/(....)(..)(..T..)(..)(..)/, "$1-$2-$3:$4:$5Z"));
      assertEquals(utc - toMs(offsetBy(lines, local)), time, `${name} ${shown}`);
    }
  }
});

Deno.test("A VTIMEZONE has one observance a pair of offsets", () => {
  assertEquals(timeZoneLines(zoneOf("Europe/Berlin")), [
    "BEGIN:VTIMEZONE",
    "TZID:Europe/Berlin",
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    "RDATE:19700101T000000",
    "RDATE:20261025T030000",
    "RDATE:20271031T030000",
    "TZOFFSETFROM:+0200",
    "TZOFFSETTO:+0100",
    "END:STANDARD",
    "BEGIN:DAYLIGHT",
    "DTSTART:19700102T000000",
    "RDATE:19700102T000000",
    "RDATE:20270328T020000",
    "TZOFFSETFROM:+0100",
    "TZOFFSETTO:+0200",
    "END:DAYLIGHT",
    "END:VTIMEZONE",
  ]);
  assertEquals(timeZoneLines(zoneOf("Asia/Kolkata")).slice(2, -1), [
    "BEGIN:STANDARD",
    "DTSTART:19700101T000000",
    "TZOFFSETFROM:+0530",
    "TZOFFSETTO:+0530",
    "END:STANDARD",
  ]);
});

Deno.test("UTC has no zone, and fractions of a second are cut off", () => {
  for (const name of ["UTC", "Etc/UTC"]) assertEquals(readZone(name, FROM, UNTIL), null);
  assertEquals(basicForm(Date.parse("2026-11-20T17:24:09.999Z")), "20261120T172409");
});

/** Names that earlier releases accepted, and `Temporal` does not. */
const OLD_NAMES =
  "ACT AET AGT ART AST BET BST CAT CNT CST CTT EAT ECT IET IST JST MIT NET NST PLT " +
  "PNT PRT PST SST VST US/Pacific-New Canada/East-Saskatchewan Factory jst SystemV/AST4 " +
  "SystemV/AST4ADT SystemV/EST5 SystemV/EST5EDT SystemV/CST6CDT SystemV/MST7 SystemV/PST8PDT " +
  "SystemV/YST9YDT SystemV/HST10 systemv/mst7mdt";

Deno.test("A feed with a name that only Intl reads has its local times", () => {
  for (const name of OLD_NAMES.split(" ")) {
    const zone = zoneOf(name);
    assertEquals(timeZoneLines(zone)[1], `TZID:${name}`);
    const runtimeForm = runtimeForms(name);
    for (const time of timesOf(zone)) {
      assertEquals(localForm(zone, time) ?? runtimeForm(time), runtimeForm(time), name);
    }
  }
});

Deno.test("A calendar follows the zone files", () => {
  withZoneFiles(["America/Vancouver"], () => {
    const zone = zoneOf("america/vancouver");
    assertEquals(localForm(zone, Date.parse("2026-12-15T18:00:00Z")), "20261215T110000");
    assertEquals(timeZoneLines(zone).slice(1, -1), [
      "TZID:america/vancouver",
      "BEGIN:STANDARD",
      "DTSTART:19700101T000000",
      "TZOFFSETFROM:-0700",
      "TZOFFSETTO:-0700",
      "END:STANDARD",
    ]);
  });
});
