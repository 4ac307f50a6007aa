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

const NOW = Date.parse("2026-11-20T12:00:00Z");
const HOUR = 3_600_000;
const YEARS = Array.from({ length: 12 }, (_, index) => 2026 + index);

function zoneOf(name: string, now = NOW): Zone {
  const zone = readZone(name, now);
  assert(zone !== null);
  return zone;
}

Deno.test("The VTIMEZONE of each zone is that of the table", async () => {
  const table = new URL("../../http/contact_cases/tables/zones.json", import.meta.url);
  const { today, zones } = JSON.parse(await Deno.readTextFile(table));
  for (const { name, lines } of zones) {
    assertEquals(timeZoneLines(zoneOf(name, Date.parse(today))), lines, name);
  }
});

/** The local time of an instant in a zone, by the runtime. */
function runtimeForms(timeZone: string): (time: number) => string {
  const styles = { dateStyle: "short", timeStyle: "medium" } as const;
  const format = new Intl.DateTimeFormat("sv-SE", { timeZone, ...styles });
  return (time) => format.format(time).replaceAll(/[-:]/g, "").replace(" ", "T");
}

/** The local times at which an observance starts, each day of a year tried in turn. */
function startsOf(rule: string, start: string): string[] {
  const [, month = "", nth = "", weekday = ""] = /BYMONTH=(\d+);BYDAY=(-?\d)(..)/.exec(rule) ?? [];
  return YEARS.concat(2025).map((year) => {
    const days = Array.from(
      { length: 31 },
      (_, day) => new Date(Date.UTC(year, Number(month) - 1, day + 1)),
    )
      .filter((day) =>
        day.getUTCMonth() === Number(month) - 1 &&
        ["SU", "MO", "TU", "WE", "TH", "FR", "SA"][day.getUTCDay()] === weekday
      );
    const day = days.at(nth.startsWith("-") ? Number(nth) : Number(nth) - 1);
    return `${day?.toISOString().slice(0, 10).replaceAll("-", "")}${start.slice(8)}`;
  });
}

/** Reads the instant of a local time by a VTIMEZONE: of two the later one, as most programs do. */
function instantBy(lines: readonly string[], local: string): number {
  const starts: { start: string; from: string; to: string }[] = [];
  let open: string[] = [];
  let from = "";
  for (const line of lines) {
    const [name = "", value = ""] = line.split(":");
    if (name === "DTSTART") open = [value];
    if (name === "RRULE") open.push(...startsOf(value, open[0] ?? ""));
    if (name === "RDATE") open.push(value);
    if (name === "TZOFFSETFROM") from = value;
    if (name === "TZOFFSETTO") starts.push(...open.map((start) => ({ start, from, to: value })));
  }
  // In wall time after the change, so that an hour that comes again belongs to the later offset.
  const after = (start: string, { from, to }: { from: string; to: string }) =>
    basicForm(toUtc(start) + toMs(to) - toMs(from));
  const known = starts.map((each) => ({ ...each, start: after(each.start, each) }))
    .filter(({ start }) => start <= local).sort((one, other) => one.start < other.start ? -1 : 1);
  return toUtc(local) - toMs(known.at(-1)?.to ?? "+0000");
}

function toUtc(local: string): number {
  return Date.parse(local.replace(/(....)(..)(..T..)(..)(..)/, "$1-$2-$3:$4:$5Z"));
}

function toMs(offset: string): number {
  const sign = offset.startsWith("-") ? -1 : 1;
  return sign * (Number(offset.slice(1, 3)) * 60 + Number(offset.slice(3))) * 60_000;
}

/** Each half hour of the days around the changes, and a time every nine days. */
function timesOf(name: string): number[] {
  const times = new Set<number>();
  const [from, until] = [Date.UTC(2026, 0, 1), Date.UTC(2037, 0, 1)];
  const format = runtimeForms(name);
  for (let time = from; time < until; time += 9 * 24 * HOUR) times.add(time);
  const isChanged = (time: number, hours: number) =>
    format(time).slice(9) !== format(time + hours * HOUR).slice(9);
  for (let week = from; week < until; week += 7 * 24 * HOUR) {
    if (!isChanged(week, 7 * 24)) continue;
    for (let day = week; day < week + 7 * 24 * HOUR; day += 24 * HOUR) {
      if (!isChanged(day, 24)) continue;
      for (let half = -2; half <= 50; half++) times.add(day + (half * HOUR) / 2);
    }
  }
  return [...times].sort((one, other) => one - other);
}

/** Rules of their own: half an hour, the south, none, negative, a change for a month. */
const ZONES = [
  "Europe/Berlin",
  "America/New_York",
  "Australia/Lord_Howe",
  "Asia/Kolkata",
  "Africa/Casablanca",
  "Asia/Jerusalem",
  "America/Santiago",
  "Pacific/Chatham",
  "Europe/Dublin",
];

Deno.test("Every half hour around a change of ten years reads back to its instant", () => {
  for (const name of ZONES) {
    const zone = zoneOf(name);
    const lines = timeZoneLines(zone);
    const times = timesOf(name);
    const written = times.map(runtimeForms(name));
    for (const [index, time] of times.entries()) {
      const shown = String(written[index]);
      const isFirst = written.includes(shown, index + 1);
      const local = localForm(zone, time);
      assertEquals(local, isFirst ? null : shown, name);
      if (local !== null) assertEquals(instantBy(lines, local), time, `${name} ${shown}`);
    }
  }
});

Deno.test("A zone without a rule lists its changes, and the bytes stay within a year", () => {
  const [first, last] = ["2026-01-01T00:00:00Z", "2026-12-31T23:59:59Z"].map((now) =>
    timeZoneLines(zoneOf("Africa/Casablanca", Date.parse(now)))
  );
  assertEquals(first, last);
  const dates = (first ?? []).filter((line) => line.startsWith("RDATE:"));
  assertEquals(dates.filter((line) => line.startsWith("RDATE:2025")).length, 2);
  assertEquals(dates.filter((line) => line.startsWith("RDATE:2036")).length, 2);
  assertEquals(dates.filter((line) => line.startsWith("RDATE:1970")).length, 2);
});

Deno.test("A time of another era is in UTC, if the VTIMEZONE has another offset for it", () => {
  const zone = zoneOf("America/New_York");
  // Before 2007 the clocks went forward on the first Sunday of April.
  assertEquals(localForm(zone, Date.parse("2006-03-20T12:00:00Z")), null);
  assertEquals(localForm(zone, Date.parse("2006-05-20T12:00:00Z")), "20060520T080000");
  assertEquals(localForm(zoneOf("Asia/Kolkata"), Date.parse("1944-01-01T00:00:00Z")), null);
});

Deno.test("UTC has no zone, and fractions of a second are cut off", () => {
  for (const name of ["UTC", "Etc/UTC"]) assertEquals(readZone(name, NOW), null);
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
    for (let time = NOW; time < NOW + 400 * 24 * HOUR; time += 9.5 * 24 * HOUR) {
      assertEquals(localForm(zone, time) ?? runtimeForm(time), runtimeForm(time), name);
    }
  }
});

Deno.test("A calendar follows the zone files", () => {
  withZoneFiles(["America/Vancouver"], () => {
    const zone = zoneOf("america/vancouver");
    assertEquals(localForm(zone, Date.parse("2026-12-15T18:00:00Z")), "20261215T110000");
    assertEquals(timeZoneLines(zone)[1], "TZID:america/vancouver");
  });
});
