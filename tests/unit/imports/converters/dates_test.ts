/** Dates as people write them, with the clocks of their zones. */

import { assertEquals } from "@std/assert";
import { readDate, readDay, zonedTime } from "../../../../src/imports/converters/dates.ts";

const DATES: readonly [
  text: string,
  form: "ISO" | "DMY" | "MDY",
  zone: string,
  local: string | null,
][] = [
  ["2020-02-03", "ISO", "europe/berlin", "2020-02-03T00:00:00.000+01:00[Europe/Berlin]"],
  ["2020-02-03", "ISO", "UTC", "2020-02-03T00:00:00.000+00:00[UTC]"],
  ["3/2/2020", "DMY", "+00:00", "2020-02-03T00:00:00.000+00:00"],
  ["3/2/2020", "DMY", "-0330", "2020-02-03T00:00:00.000-03:30"],
  ["2.3.2020 4:05", "MDY", "America/New_York", "2020-02-03T04:05:00.000-05:00[America/New_York]"],
  ["2020-02-03T04:05:06.789Z", "ISO", "Europe/Berlin", "2020-02-03T04:05:06.789Z"],
  ["2020-02-03 04:05:06-00:00", "ISO", "Europe/Berlin", "2020-02-03T04:05:06.000Z"],
  ["2020-02-03 04:05:06+0130", "ISO", "UTC", "2020-02-03T04:05:06.000+01:30"],
  ["3.2.2020 04:05 UTC", "DMY", "Asia/Tokyo", "2020-02-03T04:05:00.000+00:00"],
  ["2020-02-03T04:05GMT", "ISO", "Asia/Tokyo", "2020-02-03T04:05:00.000+00:00"],
  [
    "2020-02-03 04:05+09:00[!asia/tokyo]",
    "ISO",
    "UTC",
    "2020-02-03T04:05:00.000+09:00[Asia/Tokyo]",
  ],
  ["2020-02-03 04:05Z[Asia/Tokyo]", "ISO", "UTC", "2020-02-03T13:05:00.000+09:00[Asia/Tokyo]"],
  // The clocks skip this time, and show the other one twice.
  ["2020-03-29T02:30", "ISO", "Europe/Berlin", "2020-03-29T03:30:00.000+02:00[Europe/Berlin]"],
  ["2020-10-25T02:30", "ISO", "Europe/Berlin", "2020-10-25T02:30:00.000+02:00[Europe/Berlin]"],
  // A day without a midnight.
  [
    "2018-11-04",
    "ISO",
    "America/Sao_Paulo",
    "2018-11-04T01:00:00.000-02:00[America/Sao_Paulo]",
  ],
  // The offset was 53 minutes and 28 seconds.
  ["1893-03-31 23:59:50", "ISO", "Europe/Berlin", "1893-03-31T23:59:22.000+00:53[Europe/Berlin]"],
  ["1800-01-01", "ISO", "Europe/Berlin", "1800-01-01T00:00:00.000+00:53[Europe/Berlin]"],
  ["2020-02-30", "ISO", "UTC", null],
  ["0000-01-01", "ISO", "UTC", null],
  ["0001-01-01", "ISO", "Asia/Tokyo", null],
  ["2020-02-03T24:00", "ISO", "UTC", null],
  ["2020-02-03T23:00:60", "ISO", "UTC", null],
  ["2020-02-03T23:00+25:00", "ISO", "UTC", null],
  ["2020-02-03T04:05+01:00[Asia/Tokyo]", "ISO", "UTC", null],
  ["2020-02-03T04:05+00:00[Mars/Base]", "ISO", "UTC", null],
  ["2020-02-03T04:05+09:00[Asia/Tokyo][Asia/Tokyo]", "ISO", "UTC", null],
  ["2020-02-03T04:05[Asia/Tokyo]", "ISO", "UTC", null],
  ["3.2.2020 04:05+09:00[Asia/Tokyo]", "DMY", "UTC", null],
  ["3/2-2020", "DMY", "UTC", null],
  ["tomorrow", "ISO", "UTC", null],
];

Deno.test("Dates are read in each form, with their own clock or that of the zone", () => {
  for (const [text, form, zone, local] of DATES) {
    assertEquals(readDate(text, form, zone), local, text);
  }
  assertEquals(readDay("2020-01-01", "Asia/Tokyo"), "2020-01-01T00:00:00.000+09:00[Asia/Tokyo]");
  assertEquals(readDay("2020-1-1", "Asia/Tokyo"), null);
});

Deno.test("An instant is shown by the clock of a zone", () => {
  for (
    const [zone, local] of [
      ["europe/dublin", "1970-01-01T01:00:00.000+01:00[Europe/Dublin]"],
      ["Africa/Monrovia", "1969-12-31T23:16:00.000-00:44[Africa/Monrovia]"],
      ["+0545", "1970-01-01T05:45:00.000+05:45"],
      ["+02", "1970-01-01T02:00:00.000+02:00"],
      ["-00:00", "1970-01-01T00:00:00.000+00:00"],
      ["+24:00", null],
      ["JST", null],
      ["", null],
    ] as const
  ) {
    assertEquals(zonedTime(zone, 0), local, zone);
  }
});
