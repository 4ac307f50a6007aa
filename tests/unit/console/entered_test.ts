/// <reference types="../../../src/console/web/logic/types.d.ts" />

/** Numbers, dates, times and probabilities as English and German write them. */

import { assert, assertEquals } from "@std/assert";
import { readClock } from "../../../src/console/web/logic/entered/clocks.js";
import { readPersonDate } from "../../../src/console/web/logic/entered/days.js";
import {
  plainNumber,
  readNumber,
  readShare,
  writtenNumber,
} from "../../../src/console/web/logic/entered/numbers.js";
import { readPeriod } from "../../../src/console/web/logic/entered/periods.js";
import { parseDetailDate } from "../../../src/families/relationship/detail_value.ts";
import { seededRandom } from "../../support/random.ts";

/** Text, English and German value. */
const NUMBERS: readonly (readonly [string, number | null, number | null])[] = [
  ["74.3", 74.3, 74.3],
  ["74,3", 74.3, 74.3],
  ["10.250", 10.25, 10_250],
  ["10,250", 10_250, 10.25],
  ["1,234,567", 1_234_567, null],
  ["1.234.567", null, 1_234_567],
  ["1,234.5", 1_234.5, null],
  ["1.234,5", null, 1_234.5],
  ["1,234.567", 1_234.567, null],
  ["0,125", 0.125, 0.125],
  ["0.125", 0.125, 0.125],
  ["12,34,567", null, null],
  ["1,23", 1.23, 1.23],
  [" 7 ", 7, 7],
  ["-3", -3, -3],
  ["−3", -3, -3],
  ["+3", 3, 3],
  ["1e-7", 1e-7, 1e-7],
  ["", null, null],
  ["-", null, null],
  [".", null, null],
  [",", null, null],
  ["7.", null, null],
  ["7 kg", null, null],
  ["1 000", null, null],
  ["0x10", null, null],
  ["NaN", null, null],
  ["1e999", null, null],
];

Deno.test("The language's mark is the decimal mark, the other one groups three digits", () => {
  for (const [text, english, german] of NUMBERS) {
    assertEquals([readNumber(text, "en"), readNumber(text, "de")], [english, german], text);
  }
});

Deno.test("A written number reads back as it was", () => {
  const random = seededRandom(58);
  const numbers = Array.from(
    { length: 2_000 },
    () => (random.next() - 0.5) * 10 ** random.integer(-12, 12),
  );
  for (const number of [0, -0.5, 1e21, 1e-9, 10.25, 0.125, 1_234.567, ...numbers]) {
    for (const language of ["en", "de"] as const) {
      assertEquals(readNumber(writtenNumber(String(number), language), language), number);
    }
  }
});

Deno.test("No digit of a number is lost, and its plain form is read again", () => {
  assertEquals(plainNumber("9007199254740993", "en"), "9007199254740993");
  assertEquals(plainNumber("+1.234,50", "de"), "1234.50");
  for (const [text] of NUMBERS) {
    const plain = plainNumber(text, "de");
    if (plain !== null) assertEquals(plainNumber(writtenNumber(plain, "de"), "de"), plain);
  }
});

Deno.test("A probability is a percentage or a share of one", () => {
  const cases: readonly [string, number | null][] = [
    ["70", 0.7],
    ["70 %", 0.7],
    ["70%", 0.7],
    ["0.7", 0.7],
    ["0,7", 0.7],
    ["0.5 %", 0.005],
    ["1", 1],
    ["1 %", 0.01],
    ["100", 1],
    ["0", 0],
    ["101", null],
    ["-1", null],
    ["%", null],
    ["", null],
    ["70 percent", null],
  ];
  for (const [text, share] of cases) assertEquals(readShare(text, "en"), share, text);
  assertEquals(readShare("66,5 %", "de"), 0.665);
  assertEquals(readShare("0,7", "de"), 0.7);
});

/** Text, English and German date, or the problem. */
const DATES: readonly (readonly [string, string, string])[] = [
  ["12.3.1988", "1988-03-12", "1988-03-12"],
  ["12. 3. 1988", "1988-03-12", "1988-03-12"],
  ["12 March 1988", "1988-03-12", "FORM"],
  ["March 12, 1988", "1988-03-12", "FORM"],
  ["12th of march 1988", "1988-03-12", "FORM"],
  ["12. März 1988", "FORM", "1988-03-12"],
  ["12 MÄRZ 1988", "FORM", "1988-03-12"],
  ["12 Ma\u0308rz 1988", "FORM", "1988-03-12"],
  ["12 March", "--03-12", "FORM"],
  ["12. März", "FORM", "--03-12"],
  ["12.3.", "--03-12", "--03-12"],
  ["29 February", "--02-29", "FORM"],
  ["29 February 1984", "1984-02-29", "FORM"],
  ["29 February 1985", "UNREAL", "FORM"],
  ["31.2.", "UNREAL", "UNREAL"],
  ["1988-03-12", "1988-03-12", "1988-03-12"],
  ["1988-02-30", "UNREAL", "UNREAL"],
  ["--03-12", "--03-12", "--03-12"],
  ["--02-30", "UNREAL", "UNREAL"],
  ["1988", "1988", "1988"],
  ["March 1988", "MONTH", "FORM"],
  ["März 1988", "FORM", "MONTH"],
  ["3/12/1988", "FORM", "FORM"],
  ["12.3.88", "FORM", "FORM"],
  ["summer 1988", "FORM", "FORM"],
  ["", "FORM", "FORM"],
];

Deno.test("A person's date is read as it is written, or refused with a reason", () => {
  for (const [text, ...expected] of DATES) {
    const found = (["en", "de"] as const).map((language) => readPersonDate(text, language));
    assertEquals(found.map(({ date, problem }) => date ?? problem), expected, text);
    for (const { date } of found) assert(date === null || parseDetailDate(date) !== null, text);
  }
});

Deno.test("Times of day are read by the language", () => {
  const cases: readonly [string, number | null, number | null][] = [
    ["9:30", 570, 570],
    ["09:30", 570, 570],
    ["15:30", 930, 930],
    ["3 pm", 900, null],
    ["3pm", 900, null],
    ["3:05 p.m.", 905, null],
    ["12 am", 0, null],
    ["12 pm", 720, null],
    ["0 pm", null, null],
    ["15 Uhr", null, 900],
    ["9.30 Uhr", null, 570],
    ["9:30 Uhr", null, 570],
    ["15", null, null],
    ["24:00", null, null],
    ["9:60", null, null],
  ];
  for (const [text, english, german] of cases) {
    assertEquals([readClock(text, "en"), readClock(text, "de")], [english, german], text);
  }
});

Deno.test("Periods are months, seasons, years and decades", () => {
  const read = (text: string, language: LineLanguage = "en") => {
    const period = readPeriod(text, language);
    return period && [period.timePrecision, period.year, period.month];
  };
  assertEquals(read("1997"), ["YEAR", 1997, 1]);
  assertEquals(read("June 1997"), ["MONTH", 1997, 6]);
  assertEquals(read("Summer 1998"), ["SEASON", 1998, 6]);
  assertEquals(read("winter 1998"), ["SEASON", 1998, 1]);
  assertEquals(read("the 1990s"), ["DECADE", 1990, 1]);
  assertEquals(read("die 1990er Jahre", "de"), ["DECADE", 1990, 1]);
  assertEquals(read("Frühjahr 1998", "de"), ["SEASON", 1998, 3]);
  for (const text of ["0997", "19970", "June", "constructor 1997", "1995s"]) {
    assertEquals(read(text), null, text);
  }
});
