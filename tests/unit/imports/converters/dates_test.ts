/** Dates as people write them, in time zones. */

import { assertEquals } from "@std/assert";
import { readDate, readDay, zonedTimestamp } from "../../../../src/imports/converters/dates.ts";

const DATES: readonly [
  text: string,
  form: "ISO" | "DMY" | "MDY",
  zone: string,
  timestamp: string | null,
][] = [
  ["2020-02-03", "ISO", "Europe/Berlin", "2020-02-03T00:00:00.000+01:00"],
  ["3/2/2020", "DMY", "UTC", "2020-02-03T00:00:00.000+00:00"],
  ["2.3.2020 4:05", "MDY", "America/New_York", "2020-02-03T04:05:00.000-05:00"],
  ["2020-02-03T04:05:06.789Z", "ISO", "Europe/Berlin", "2020-02-03T04:05:06.789+00:00"],
  ["2020-02-03 04:05:06+0130", "ISO", "UTC", "2020-02-03T04:05:06.000+01:30"],
  // The clocks skip this time, and show the other one twice.
  ["2020-03-29T02:30", "ISO", "Europe/Berlin", "2020-03-29T03:30:00.000+02:00"],
  ["2020-10-25T02:30", "ISO", "Europe/Berlin", "2020-10-25T02:30:00.000+02:00"],
  // The offset was 53 minutes and 28 seconds.
  ["1800-01-01", "ISO", "Europe/Berlin", "1800-01-01T00:00:00.000+00:53"],
  ["2020-02-30", "ISO", "UTC", null],
  ["0000-01-01", "ISO", "UTC", null],
  ["2020-02-03T24:00", "ISO", "UTC", null],
  ["2020-02-03T23:00:60", "ISO", "UTC", null],
  ["2020-02-03T23:00+25:00", "ISO", "UTC", null],
  ["3/2-2020", "DMY", "UTC", null],
  ["tomorrow", "ISO", "UTC", null],
];

Deno.test("Dates are read in each form, and local times get the offset of their zone", () => {
  for (const [text, form, zone, timestamp] of DATES) {
    assertEquals(readDate(text, form, zone), timestamp, text);
  }
  assertEquals(readDay("2020-01-01", "Asia/Tokyo"), "2020-01-01T00:00:00.000+09:00");
  assertEquals(readDay("2020-1-1", "Asia/Tokyo"), null);
  assertEquals(zonedTimestamp("Europe/Dublin", 0), "1970-01-01T01:00:00.000+01:00");
});
