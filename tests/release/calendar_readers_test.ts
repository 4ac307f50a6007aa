// engines: embedded

/**
 * Calendars as other programs read them. A test without its program is ignored. `READER_PACKAGES`
 * names a folder `node_modules` with those of npm.
 */

import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { DAY_MS } from "../../src/core/clock.ts";
import { writeCalendar } from "../../src/due/calendar.ts";
import { readZone } from "../../src/due/calendar_zone.ts";
import type { DueEntry } from "../../src/due/due.ts";
import { seededRandom } from "../support/random.ts";
import { CALENDAR_READERS, type CalendarReader, type Moment } from "./readers/calendars.ts";
import { versionOf } from "./readers/programs.ts";

const ZONES = [
  ..."Europe/Berlin Europe/London Europe/Dublin America/New_York America/Havana".split(" "),
  ..."Australia/Sydney Australia/Lord_Howe Pacific/Auckland Asia/Kolkata Asia/Tokyo".split(" "),
  ..."Africa/Casablanca Asia/Jerusalem".split(" "),
];

const NOW = Date.UTC(2026, 9, 1);
const MINUTE_MS = 60_000;

/** Around each change of the ten years, and at noon of each month. */
function momentsIn(zone: string): Moment[] {
  const [start, end] = [Date.UTC(2026, 0, 1), Date.UTC(2037, 0, 1)];
  const times = new Set<number>();
  let local: Temporal.ZonedDateTime | null = zoned(start, zone);
  while ((local = local.getTimeZoneTransition("next")) !== null && local.epochMilliseconds < end) {
    for (const minutes of [0, 1, 10, 15, 30, 31, 45, 60, 61, 75]) {
      times.add(local.epochMilliseconds + minutes * MINUTE_MS);
      times.add(local.epochMilliseconds - minutes * MINUTE_MS);
    }
  }
  for (let month = 0; month < 132; month++) times.add(Date.UTC(2026, month, 15, 12));
  return [...times].sort((one, other) => one - other).map((instant) => momentOf(instant, zone));
}

function zoned(instant: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instant).toZonedDateTimeISO(zone);
}

function momentOf(instant: number, zone: string): Moment {
  const local = zoned(instant, zone);
  const first = local.toPlainDateTime().toZonedDateTime(zone, { disambiguation: "earlier" });
  const next = local.getTimeZoneTransition("next")?.epochMilliseconds ?? Infinity;
  // The transition before a moment is that moment, if the clocks change then.
  const last = zoned(instant + 1, zone).getTimeZoneTransition("previous");
  const before = last?.subtract({ nanoseconds: 1 }).offsetNanoseconds ?? 0;
  const repeatedMs = last === null ? 0 : (before - last.offsetNanoseconds) / 1e6;
  return {
    zone,
    instant,
    first: first.epochMilliseconds,
    untilChange: next - instant,
    isEndOfRepeated: repeatedMs > 0 && instant - (last?.epochMilliseconds ?? 0) === repeatedMs,
  };
}

function entryOf(title: string, instant: number, date: string | null = null): DueEntry {
  return {
    kind: date === null ? "COMMITMENT" : "DATE",
    recordId: ulid(),
    sourceId: null,
    title,
    what: date === null ? null : "BIRTHDAY",
    label: null,
    years: null,
    instant,
    date,
    sequence: 1,
    changedAt: new Date(NOW),
    isSecret: false,
  };
}

function calendarOf(entries: readonly DueEntry[], zone: string): string {
  return writeCalendar(entries, {
    feedId: ulid(),
    name: "Mine",
    detail: "TITLES",
    alarms: { timed: [15], allDay: "09:00" },
    zone: readZone(zone, NOW),
    isTodo: false,
    origin: "https://records.example",
    isCut: true,
  });
}

function written(instant: number): string {
  return new Date(instant).toISOString().replace(".000Z", "Z");
}

const DAYS = ["2027-02-28", "2028-02-29"];

async function assertRead({ read, shows }: CalendarReader, zone: string): Promise<void> {
  const moments = momentsIn(zone);
  const entries = [
    ...moments.map(({ instant }, index) => entryOf(`n${index}`, instant)),
    ...DAYS.map((day) => entryOf(day, Date.parse(day), day)),
  ];
  const events = await read(calendarOf(entries, zone));
  const starts = new Map(events.map(([title, start]) => [title.trim(), start]));
  assertEquals(starts.size, entries.length + 1);
  for (const day of DAYS) assertEquals(starts.get(`Birthday: ${day}`), day);
  assertEquals(starts.get("This calendar ends here"), DAYS[1]);
  for (const [index, moment] of moments.entries()) {
    const expected = shows(moment);
    const start = starts.get(`n${index}`);
    if (expected !== null) assertEquals(start, expected, `${zone} ${written(moment.instant)}`);
  }
  for (const [title, start, end] of events) {
    const moment = moments[Number(title.slice(1))];
    if (moment === undefined || end === null || shows(moment) !== written(moment.instant)) continue;
    assertEquals(end, written(moment.instant + 15 * MINUTE_MS), `${zone} ${start}`);
  }
}

for (const reader of CALENDAR_READERS) {
  const version = await versionOf(reader.package);
  Deno.test({
    name: `${reader.name} ${version} shows the times of ten years, in twelve zones`,
    ignore: version === null,
    async fn(context) {
      for (const zone of reader.zones ?? ZONES) {
        await context.step(zone, () => assertRead(reader, zone));
      }
    },
  });
}

const LETTERS = [
  ...'ab ;,\\:"nNß\u05D0\u200F\u202E',
  ..."\u{1F469}\u200D\u{1F4BB} \u{1F600} e\u0301 \u65E5 \u00A0".split(" "),
];

for (const reader of CALENDAR_READERS) {
  Deno.test({
    name: `${reader.name} shows random titles`,
    ignore: await versionOf(reader.package) === null,
    async fn() {
      const random = seededRandom(380);
      const letters = LETTERS.filter((letter) => !reader.misread.includes(letter));
      // Programs trim the ends.
      const titles = Array.from({ length: 200 }, () => {
        const text = Array.from({ length: random.integer(1, 80) }, () => random.pick(letters));
        return `(${text.join("")})`;
      });
      const entries = titles.map((title, index) => entryOf(title, NOW + index * DAY_MS));
      const shown = await reader.read(calendarOf(entries, "UTC"));
      const expected = [...titles, "This calendar ends here"];
      assertEquals(shown.map(([title]) => title).sort(), expected.sort());
      assert(shown.length > 200);
    },
  });
}
