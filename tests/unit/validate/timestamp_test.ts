import { assertEquals, assertThrows } from "@std/assert";
import { DAY_MS } from "../../../src/core/clock.ts";
import {
  EARLIEST_TIMESTAMP,
  formatTimestamp,
  isTimestamp,
  LATEST_TIMESTAMP,
  parseTimestamp,
} from "../../../src/validate/timestamp.ts";
import { seededRandom } from "../../support/random.ts";

/** Null if rejected. */
function canonical(text: string): string | null {
  const time = parseTimestamp(text);
  return time === null ? null : formatTimestamp(time);
}

Deno.test("parseTimestamp() reads UTC and any offset", () => {
  const expected = "2026-11-20T17:24:00.000Z";
  for (
    const text of [
      "2026-11-20T17:24:00Z",
      "2026-11-20t17:24:00z",
      "2026-11-20T17:24:00.0Z",
      "2026-11-20T19:24:00+02:00",
      "2026-11-20T12:54:00.000-04:30",
      "2026-11-21T17:23:00+23:59",
      "2026-11-20T17:24:00-00:00",
      expected,
    ]
  ) {
    assertEquals(canonical(text), expected, text);
  }
});

Deno.test("parseTimestamp() truncates to milliseconds", () => {
  assertEquals(canonical("2026-11-20T17:24:00.5Z"), "2026-11-20T17:24:00.500Z");
  assertEquals(canonical("2026-11-20T17:24:00.9999Z"), "2026-11-20T17:24:00.999Z");
  assertEquals(canonical("2026-11-20T17:24:00.123456789Z"), "2026-11-20T17:24:00.123Z");
  assertEquals(canonical("1969-12-31T23:59:59.9999Z"), "1969-12-31T23:59:59.999Z");
});

Deno.test("parseTimestamp() rejects what RFC 3339 or the calendar does not allow", () => {
  const refused = [
    "",
    "2026-11-20",
    "2026-11-20T17:24:00",
    "2026-11-20 17:24:00Z",
    "2026-11-20T17:24Z",
    "2026-11-20T17:24:00.Z",
    "2026-11-20T17:24:00,5Z",
    "2026-11-20T17:24:00.1234567890Z",
    "2026-11-20T17:24:00+0200",
    "2026-11-20T17:24:00+02",
    "2026-11-20T17:24:00+24:00",
    "2026-11-20T17:24:00+02:60",
    "2026-11-20T24:00:00Z",
    "2026-11-20T23:60:00Z",
    "2026-06-30T23:59:60Z",
    "2026-13-01T00:00:00Z",
    "2026-00-01T00:00:00Z",
    "2026-01-00T00:00:00Z",
    "2026-04-31T00:00:00Z",
    "2026-02-29T00:00:00Z",
    "1900-02-29T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "10000-01-01T00:00:00Z",
    "+02026-01-01T00:00:00Z",
    " 2026-11-20T17:24:00Z",
    "2026-11-20T17:24:00Z\n",
    "２０２６-11-20T17:24:00Z",
    "1763659440000",
  ];
  for (const text of refused) assertEquals(parseTimestamp(text), null, text);
});

Deno.test("parseTimestamp() supports leap years", () => {
  assertEquals(canonical("2024-02-29T00:00:00Z"), "2024-02-29T00:00:00.000Z");
  assertEquals(canonical("2000-02-29T00:00:00Z"), "2000-02-29T00:00:00.000Z");
});

Deno.test("parseTimestamp() reads the years 0001 to 9999, in UTC as well", () => {
  assertEquals(parseTimestamp("0001-01-01T00:00:00Z"), EARLIEST_TIMESTAMP);
  assertEquals(parseTimestamp("9999-12-31T23:59:59.999Z"), LATEST_TIMESTAMP);
  assertEquals(canonical("0001-01-01T00:00:00-01:00"), "0001-01-01T01:00:00.000Z");
  assertEquals(canonical("0099-12-31T23:59:59Z"), "0099-12-31T23:59:59.000Z");
  assertEquals(parseTimestamp("0001-01-01T00:00:00+00:01"), null);
  assertEquals(parseTimestamp("9999-12-31T23:59:59-00:01"), null);
});

Deno.test("formatTimestamp() rejects times it cannot write", () => {
  for (const time of [EARLIEST_TIMESTAMP - 1, LATEST_TIMESTAMP + 1, 0.5, NaN, Infinity]) {
    assertEquals(isTimestamp(time), false);
    assertThrows(() => formatTimestamp(time), RangeError);
  }
});

Deno.test("parseTimestamp() reads back every time, with any offset", () => {
  const random = seededRandom(20261120);
  for (let run = 0; run < 2_000; run++) {
    const offset = random.integer(-1439, 1439);
    const time = random.integer(EARLIEST_TIMESTAMP + DAY_MS, LATEST_TIMESTAMP - DAY_MS);
    const local = formatTimestamp(time + offset * 60_000).slice(0, -1);
    const hours = String(Math.trunc(Math.abs(offset) / 60)).padStart(2, "0");
    const minutes = String(Math.abs(offset) % 60).padStart(2, "0");
    const text = `${local}${offset < 0 ? "-" : "+"}${hours}:${minutes}`;
    assertEquals(parseTimestamp(text), time, text);
    assertEquals(parseTimestamp(formatTimestamp(time)), time);
  }
});

Deno.test("parseTimestamp() reads each form of the offset", () => {
  for (
    const [offset, offsetMinutes] of [
      ["Z", 0],
      ["z", 0],
      ["+00:00", 0],
      ["-00:00", 0],
      ["+05:30", 330],
      ["-03:30", -210],
      ["+14:00", 840],
      ["-12:00", -720],
      ["+23:59", 1439],
    ] as const
  ) {
    const text = `2026-11-20T17:24:00${offset}`;
    const time = Date.UTC(2026, 10, 20, 17, 24 - offsetMinutes);
    assertEquals(parseTimestamp(text), time, text);
  }
  assertEquals(parseTimestamp("2026-11-20T17:24:00"), null);
  assertEquals(parseTimestamp("0001-01-01T00:00:00+00:01"), null);
});

Deno.test("parseTimestamp() never throws, and reads its canonical form back", () => {
  const random = seededRandom(3339);
  const characters = [..."0123456789-:+.TtZz "];
  for (let run = 0; run < 2_000; run++) {
    const text = [..."2026-11-20T17:24:00.123+01:00"]
      .map((character) => random.chance(0.05) ? random.pick(characters) : character)
      .join("");
    const once = canonical(text);
    if (once !== null) assertEquals(canonical(once), once, text);
  }
});
