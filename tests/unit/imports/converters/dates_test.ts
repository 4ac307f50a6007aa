/** Dates as people write them, with the clocks of their zones. */

import { assert, assertEquals } from "@std/assert";
import {
  type DateForm,
  inUtc,
  readDate,
  readDated,
  readDayName,
  zonedTime,
} from "../../../../src/imports/converters/dates.ts";

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
  ["2020/02/03 9:15:23 PM GMT+1", "ISO", "UTC", "2020-02-03T21:15:23.000+01:00"],
  ["2020-02-03 04:05 UTC-10", "ISO", "UTC", "2020-02-03T04:05:00.000-10:00"],
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
});

/** Digits in UTC; a day has no time. */
const FORMS: readonly [text: string, form: DateForm, digits: string | null][] = [
  ["2024/3/1", "ISO", "2024-03-01"],
  ["2024_03_01", "ISO", "2024-03-01"],
  ["2024.03.01 07:05", "ISO", "2024-03-01T07:05"],
  ["2024-03/01", "ISO", null],
  ["20240301", "ISO", "2024-03-01"],
  ["20240301", "EXCEL", "2024-03-01"],
  ["20240301 7:05", "ISO", "2024-03-01T07:05"],
  ["18991231", "ISO", null],
  ["21000101", "ISO", null],
  ["20241301", "ISO", null],
  ["1.3.2024", "ISO", "2024-03-01"],
  ["1.3.2024", "EXCEL", "2024-03-01"],
  ["1.3.2024", "MDY", "2024-01-03"],
  ["13.1.2024", "MDY", null],
  ["1/3/2024", "ISO", null],
  ["1-3-2024", "ISO", null],
  ["1.3.24", "ISO", null],
  ["31.2.2024", "ISO", null],
  ["31 February 2024", "ISO", null],
  ["29.2.2023", "ISO", null],
  ["1/3/24", "DMY", "2024-03-01"],
  ["1-3-68", "DMY", "2068-03-01"],
  ["1.3.69", "DMY", "1969-03-01"],
  ["3/1/2024, 19:05", "MDY", "2024-03-01T19:05"],
  ["1/3/024", "DMY", null],
  ["2024-03-01", "MDY", "2024-03-01"],
  ["March 1, 2024", "ISO", "2024-03-01"],
  ["Mar. 1 2024", "ISO", "2024-03-01"],
  ["Sept. 3rd, 2024", "ISO", "2024-09-03"],
  ["1 March 2024", "DMY", "2024-03-01"],
  ["22nd Oct 2024", "ISO", "2024-10-22"],
  ["1. Ma\u0308rz 2024", "ISO", "2024-03-01"],
  ["2. Mai 2024 7:05", "ISO", "2024-05-02T07:05"],
  ["24. Dez. 2024", "ISO", "2024-12-24"],
  ["1 March 24", "DMY", null],
  ["1 Marchember 2024", "ISO", null],
  ["March 2024", "ISO", null],
  ["1 constructor 2024", "ISO", null],
  ["Fri, 1 Mar 2024 07:05:09 +0200", "ISO", "2024-03-01T05:05:09"],
  ["Freitag, 1. März 2024", "ISO", "2024-03-01"],
  ["Fr. 1.3.2024", "ISO", "2024-03-01"],
  ["2024-03-01 Friday", "ISO", "2024-03-01"],
  ["2024-03-01-Fri", "ISO", "2024-03-01"],
  ["2024-03-01 Fri 07:05", "ISO", "2024-03-01T07:05"],
  ["March 1, 2024, 7:05 AM Friday", "ISO", "2024-03-01T07:05"],
  ["Meeting 2024-03-01", "ISO", null],
  ["2024-03-01 7:05 PM", "ISO", "2024-03-01T19:05"],
  ["2024-03-01 12:05am", "ISO", "2024-03-01T00:05"],
  ["2024-03-01 12:05 pm", "ISO", "2024-03-01T12:05"],
  ["March 1, 2024 at 7:05\u202fPM", "ISO", "2024-03-01T19:05"],
  ["2024-03-01 13:05 PM", "ISO", null],
  ["2024-03-01 0:05 AM", "ISO", null],
  ["2024-03-01 7 PM", "ISO", null],
  ["2024-03-01T24:00", "ISO", null],
  ["2024-03-01T07:60", "ISO", null],
  ["2024-03-01T07:05:09,123456", "ISO", "2024-03-01T07:05:09.123"],
  ["2024-03-01 07:05:00 GMT", "ISO", "2024-03-01T07:05"],
  ["2024-03-01 07:05 Z", "ISO", "2024-03-01T07:05"],
  ["2024-03-01T07:05:00+01", "ISO", "2024-03-01T06:05"],
  ["2024-03-01 7:05 PM -0330", "ISO", "2024-03-01T22:35"],
  ["2024-03-01+01:00", "ISO", null],
  ["2024-03-01 07:05 CET", "ISO", null],
  ["2024-03-01 07:05 - 08:00", "ISO", null],
  ["1709280300", "ISO", "2024-03-01T08:05"],
  ["1709280300123", "EXCEL", "2024-03-01T08:05:00.123"],
  ["1709280300123456", "ISO", "2024-03-01T08:05:00.123"],
  ["170928030", "ISO", null],
  ["-1709280300", "ISO", null],
  ["45352", "EXCEL", "2024-03-01"],
  ["45352.0", "EXCEL", "2024-03-01"],
  ["45352.2951388889", "EXCEL", "2024-03-01T07:05"],
  ["2958465", "EXCEL", "9999-12-31"],
  ["2958466", "EXCEL", null],
  ["45,352", "EXCEL", null],
  ["45352", "ISO", null],
  ["2024", "ISO", null],
  ["", "ISO", null],
  [`2024-03-01${" ".repeat(200)}07:05`, "ISO", null],
];

Deno.test("Dates are read if their form can be read in one way only", () => {
  for (const [text, form, digits] of FORMS) {
    const isDay = digits?.length === 10;
    const time = digits === null ? null : new Date(isDay ? digits : `${digits}Z`).toISOString();
    const read = readDated(text, form, "+00:00");
    assertEquals(read && [inUtc(read.text), read.isDay], time && [time, isDay], text);
  }
});

Deno.test("A file is named after a day, but not after a version or a count of seconds", () => {
  const isDay = (name: string, form: DateForm = "ISO") => readDayName(name, form, "UTC") !== null;
  for (
    const name of ["2024_03_01", "2024.03.01", "20240301", "Mar 1st, 2024", "Fr 2024-03-01"]
  ) assert(isDay(name), name);
  for (
    const name of ["1.3.2024", "Fr 1.3.2024", "1709280300", "2024-03-01 07:05", "01-03-2024", "a"]
  ) assert(!isDay(name), name);
  assert(isDay("01-03-2024", "DMY"));
  assert(!isDay("1.3.2024", "DMY"));
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
