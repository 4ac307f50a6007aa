/** Offsets and local times, compared with those of `Temporal`. */

import { assertEquals, assertThrows } from "@std/assert";
import { DAY_MS } from "../../../src/core/clock.ts";
import {
  changesBetween,
  instantOf,
  instantsOf,
  knownZone,
  offsetAt,
  type OffsetChange,
} from "../../../src/core/zones.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { withZoneFiles } from "../../support/zone_files.ts";

const HOUR = 3_600_000;
/** Zone files and runtime agree between these. */
const [FIRST, LAST] = [Date.parse("1970-01-01T00:00:00Z"), Date.parse("2026-01-01T00:00:00Z")];
/** Random instants of a run; `ZONE_INSTANTS=1000000` takes a minute and more. */
const COUNT = Number(Deno.env.get("ZONE_INSTANTS") ?? 10_000);

Deno.test("A zone is known if it is an IANA name or link, in any letter case", () => {
  const names = {
    "Asia/Tokyo": "Asia/Tokyo",
    "asia/tokyo": "Asia/Tokyo",
    "ASIA/CALCUTTA": "Asia/Calcutta",
    "Europe/Kyiv": "Europe/Kyiv",
    "america/argentina/comodrivadavia": "America/Argentina/ComodRivadavia",
    "utc": "UTC",
    "etc/gmt+5": "Etc/GMT+5",
    "EST5EDT": "EST5EDT",
    "JST": null,
    "BST": null,
    "Factory": null,
    "Etc/Unknown": null,
    "Mars/Olympus": null,
    "+05:30": null,
    "Z": null,
    "": null,
    "2020-01-01T00:00Z": null,
    "2020-01-01T00:00[Asia/Tokyo]": null,
    " Asia/Tokyo": null,
    "Asia/Tokyo\n": null,
    [`A${"a".repeat(64)}`]: null,
  };
  for (const [name, zone] of Object.entries(names)) assertEquals(knownZone(name), zone, name);
  assertThrows(() => offsetAt("Mars/Olympus", 0), RangeError);
});

/** A day, its first instant in UTC, and its hours. */
const DAYS: readonly (readonly [zone: string, day: string, start: string, hours: number])[] = [
  ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00", 23],
  ["Europe/Berlin", "2025-10-26", "2025-10-25T22:00", 25],
  ["Europe/Berlin", "2025-03-30", "2025-03-29T23:00", 23],
  ["Australia/Lord_Howe", "2025-04-06", "2025-04-05T13:00", 24.5],
  ["America/New_York", "2025-03-09", "2025-03-09T05:00", 23],
  ["America/St_Johns", "2006-10-29", "2006-10-29T02:30", 25],
  ["America/Havana", "2025-03-09", "2025-03-09T05:00", 23],
  ["Antarctica/Troll", "2025-03-30", "2025-03-30T00:00", 22],
  ["Pacific/Apia", "2011-12-30", "2011-12-30T10:00", 0],
  ["Pacific/Chatham", "2025-04-06", "2025-04-05T10:15", 25],
  ["Asia/Pyongyang", "2018-05-04", "2018-05-03T15:30", 23.5],
  ["Africa/Monrovia", "1972-01-07", "1972-01-07T00:44:30", 23 + 15.5 / 60],
  ["Asia/Kolkata", "2025-10-26", "2025-10-25T18:30", 24],
];

Deno.test("Days have the hours that their clocks show, also without a midnight", () => {
  for (const [zone, day, start, hours] of DAYS) {
    const midnight = Date.parse(`${day}T00:00Z`);
    const first = instantOf(zone, midnight);
    assertEquals(first, Date.parse(`${start}Z`), `${zone} ${day}`);
    assertEquals((instantOf(zone, midnight + DAY_MS) - first) / HOUR, hours, `${zone} ${day}`);
  }
});

Deno.test("Local times near the first and last year have one instant", () => {
  for (
    const [zone, local] of [["Asia/Tokyo", "0001-01-01"], ["Asia/Tokyo", "9999-12-31"]] as const
  ) {
    const time = Date.parse(`${local}T12:00Z`);
    const [instant = NaN, ...others] = instantsOf(zone, time);
    assertEquals([others, instant + offsetAt(zone, instant)], [[], time]);
  }
  assertEquals(offsetAt("Asia/Tokyo", Date.parse("0001-01-01T00:00Z")), 33_539_000);
});

/** Compares a zone's answers with those of `Temporal` at a time, and at a local time. */
function compareAt(zone: string, time: number): void {
  const note = `${zone} ${new Date(time).toISOString()}`;
  const shown = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO(zone);
  const offset = offsetAt(zone, time);
  assertEquals(offset, shown.offsetNanoseconds / 1e6, note);
  assertEquals(instantsOf(zone, time + offset).includes(time), true, note);
  const local = Temporal.Instant.fromEpochMilliseconds(time).toZonedDateTimeISO("UTC")
    .toPlainDateTime();
  const [earlier, later, compatible] = (["earlier", "later", "compatible"] as const)
    .map((disambiguation) => local.toZonedDateTime(zone, { disambiguation }));
  const isShown = earlier?.toPlainDateTime().equals(local);
  const expected = isShown ? [...new Set([earlier, later].map((it) => it?.epochMilliseconds))] : [];
  assertEquals(instantsOf(zone, time), expected, note);
  assertEquals(instantOf(zone, time), compatible?.epochMilliseconds, note);
}

/** Half of the times are within hours of a change, the others within 200 days of it. */
function compareAround(zones: readonly string[], random: Random, count: number): void {
  const changes = new Map<string, readonly OffsetChange[]>();
  const changesOf = (zone: string) =>
    changes.getOrInsertComputed(zone, () => [
      ...changesBetween(zone, FIRST, LAST),
      { at: random.integer(FIRST, LAST), before: 0, after: 0 },
    ]);
  for (let left = count; left > 0; left--) {
    const zone = random.pick(zones);
    const { at, before } = random.pick(changesOf(zone));
    const isNear = random.chance(0.5);
    const distance = isNear
      ? random.integer(-3 * HOUR, 3 * HOUR)
      : random.integer(-200, 200) * DAY_MS;
    compareAt(zone, at + distance + (random.chance(0.5) ? before : 0));
  }
}

Deno.test("Random times around changes have the instants that Temporal finds, by runtime and files", () => {
  const random = seededRandom(53);
  compareAround(Intl.supportedValuesOf("timeZone"), random, COUNT);
  const files = ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia"];
  withZoneFiles(files, () => compareAround(files, random, COUNT / 5));
});

Deno.test("Changes of the offset are where it changes, by runtime and files", () => {
  const check = (zone: string) => {
    const changes = changesBetween(zone, FIRST, LAST);
    for (const { at, before, after } of changes) {
      assertEquals([offsetAt(zone, at - 1), offsetAt(zone, at)], [before, after], zone);
      assertEquals(changesBetween(zone, at - 1, at), [{ at, before, after }]);
      assertEquals(changesBetween(zone, at, at + HOUR), []);
    }
    return changes;
  };
  const zones = ["Europe/Berlin", "Australia/Lord_Howe", "Pacific/Apia"];
  const byRuntime = zones.map(check);
  assertEquals(withZoneFiles(zones, () => zones.map(check)), byRuntime);
});
