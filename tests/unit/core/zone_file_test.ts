/** Compiled zone files: their offsets, and broken ones. */

import { assert, assertEquals, assertThrows } from "@std/assert";
import { readZoneFile, zoneOfRule } from "../../../src/core/zone_file.ts";
import { zoneBytes } from "../../support/zone_files.ts";

const HOUR = 3_600_000;
const HEADER_BYTES = 44;

function hoursAt(bytes: Uint8Array, times: readonly string[]): number[] {
  const zone = readZoneFile(bytes);
  return times.map((time) => zone.offsetAt(Date.parse(time)) / HOUR);
}

/** The length of a file's block of version 1, from the counts of its header. */
function oldBlockLength(bytes: Uint8Array): number {
  const view = new DataView(bytes.buffer);
  const sizes = [1, 1, 8, 5, 6, 1];
  return sizes.reduce(
    (sum, size, index) => sum + size * view.getUint32(20 + 4 * index),
    HEADER_BYTES,
  );
}

function withVersion(bytes: Uint8Array<ArrayBuffer>, version: string): Uint8Array<ArrayBuffer> {
  const changed = bytes.slice();
  for (const at of [4, oldBlockLength(bytes) + 4]) changed[at] = version.charCodeAt(0);
  return changed;
}

Deno.test("A file answers by its table, before it and by its footer", () => {
  const times = ["1800-01-01", "2026-07-01", "2026-11-02", "2026-12-15T18:00Z", "2500-07-01"];
  const meanTime = -(8 * 3600 + 12 * 60 + 28) / 3600;
  assertEquals(hoursAt(zoneBytes("America/Vancouver"), times), [meanTime, -7, -7, -7, -7]);
  const late = ["2037-07-01", "2500-03-28T00:59:59.999Z", "2500-03-28T01:00Z", "9999-12-31"];
  assertEquals(hoursAt(zoneBytes("Europe/Berlin"), late), [2, 1, 2, 1]);
});

Deno.test("An offset may have seconds", () => {
  const zone = readZoneFile(zoneBytes("Europe/Amsterdam"));
  assertEquals(zone.offsetAt(Date.parse("1935-01-01")), (19 * 60 + 32) * 1000);
  const [change] = zone.changesBetween(Date.parse("1937-06-01"), Date.parse("1937-09-01"));
  const at = Date.parse("1937-06-30T22:40:28Z");
  assertEquals(change, { at, before: 4_772_000, after: 4_800_000 });
});

Deno.test("Versions 1 to 4 are read; version 1 ends with its last change", () => {
  const bytes = zoneBytes("Australia/Lord_Howe");
  const times = [
    "1990-01-01",
    "2025-04-05T14:59:59Z",
    "2025-04-05T15:00Z",
    "2030-12-01",
    "2500-07-01",
  ];
  const answers = [11, 11, 10.5, 11, 10.5];
  for (const version of "234") assertEquals(hoursAt(withVersion(bytes, version), times), answers);
  const old = withVersion(bytes, "\0").slice(0, oldBlockLength(bytes));
  assertEquals(hoursAt(old, times), answers.with(-1, 11));
});

Deno.test("A footer has every form of POSIX, and hours from -167 to 167", () => {
  const answers: readonly (readonly [rule: string, time: string, hours: number])[] = [
    ["EST5EDT,M3.2.0,M11.1.0", "2026-03-08T06:59:59Z", -5],
    ["EST5EDT,M3.2.0,M11.1.0", "2026-03-08T07:00:00Z", -4],
    ["<+1030>-10:30<+11>-11,M10.1.0,M4.1.0", "2027-01-01T00:00Z", 11],
    // Negative daylight saving time, as in Ireland.
    ["IST-1GMT0,M10.5.0,M3.5.0/1", "2026-12-01T00:00Z", 0],
    // The day of a rule may lie a week from its Sunday: Greenland, Palestine.
    ["<-02>2<-01>,M3.5.0/-1,M10.5.0/0", "2026-03-29T01:00Z", -1],
    ["EET-2EEST,M3.4.4/50,M10.4.4/50", "2026-03-28T00:00Z", 3],
    ["AAA3BBB,J60/0,J365/167", "2024-03-01T02:59:59Z", -3],
    ["AAA3BBB,J60/0,J365/167", "2024-03-01T03:00:00Z", -2],
    ["AAA3BBB,J60/0,J365/167", "2025-01-07T00:59:59Z", -2],
    ["AAA3BBB,J60/0,J365/167", "2025-01-07T01:00:00Z", -3],
    ["AAA3BBB,59/0,300", "2024-02-29T03:00:00Z", -2],
    ["AAA3BBB,59/0,300", "2025-03-01T02:59:59Z", -3],
    // Daylight saving time all year.
    ["EST5EDT,0/0,J365/25", "2026-01-01T05:00:00Z", -4],
    ["EST5EDT,0/0,J365/25", "2026-07-01T00:00:00Z", -4],
    ["AMT-0:19:32", "1935-01-01T00:00Z", (19 * 60 + 32) / 3600],
  ];
  for (const [rule, time, hours] of answers) {
    assertEquals(zoneOfRule(rule).offsetAt(Date.parse(time)) / HOUR, hours, `${rule} ${time}`);
  }
  const all = zoneOfRule("EST5EDT,0/0,J365/25");
  assertEquals(all.changesBetween(Date.parse("2020-01-01"), Date.parse("2030-01-01")), []);
  const wrong = [
    "CET-1CEST",
    "CET",
    "C-1",
    "CET-25",
    "CET-1:60",
    "CET-1CEST,M13.5.0,M10.5.0",
    "X5Y,0,1",
  ];
  const days = [
    "M0.1.0",
    "M3.0.0",
    "M3.6.0",
    "M3.5.7",
    "J0",
    "J366",
    "366",
    "M3.5.0/168",
    "M3.5.0/",
  ];
  for (const rule of [...wrong, ...days.map((day) => `CET-1CEST,${day},M10.5.0`)]) {
    assertThrows(() => zoneOfRule(rule), SyntaxError, undefined, rule);
  }
});

/** A file whose bytes are replaced from a position on; negative ones count from the end. */
function damaged(at: number, ...replaced: readonly number[]): Uint8Array {
  const bytes = zoneBytes("Europe/Berlin");
  bytes.set(replaced, at < 0 ? bytes.length + at : at);
  return bytes;
}

Deno.test("A broken file is refused whole", () => {
  const bytes = zoneBytes("Europe/Berlin");
  const second = oldBlockLength(bytes);
  const times = second + HEADER_BYTES;
  const count = new DataView(bytes.buffer).getUint32(second + 32);
  const types = times + 9 * count;
  const footer = "\nCET-1CEST,M3.5.0,M10.5.0/3\n".length;
  const broken: Readonly<Record<string, Uint8Array>> = {
    "magic": damaged(0, 0x58),
    "version 5": withVersion(bytes, "5"),
    "another second version": damaged(second + 4, 0x33),
    "leap seconds": damaged(second + 31, 1),
    "count of indicators": damaged(second + 23, 1),
    "a billion times": damaged(second + 32, 0x40),
    "no type": damaged(second + 36, 0, 0, 0, 0),
    "no abbreviation": damaged(second + 40, 0, 0, 0, 0),
    "times out of order": damaged(times, 0x7f),
    "index of a type": damaged(times + 8 * count, 200),
    "offset of a day": damaged(types, 0, 1, 0x51, 0x80),
    "daylight flag": damaged(types + 4, 2),
    "index of an abbreviation": damaged(types + 5, 200),
    "open abbreviation": damaged(-footer - 1, 0x41),
    "footer without its line": damaged(-footer, 0x20),
    "open footer": damaged(-1, 0x20),
    "another footer": damaged(-footer + 5, 0x32),
  };
  for (const [name, file] of Object.entries(broken)) {
    assertThrows(() => readZoneFile(file), SyntaxError, undefined, name);
  }
  const old = withVersion(zoneBytes("Australia/Lord_Howe"), "\0");
  const files = [bytes, old.slice(0, oldBlockLength(old))];
  for (const file of files) {
    for (let length = 0; length < file.length; length++) {
      assertThrows(() => readZoneFile(file.slice(0, length)), SyntaxError);
    }
    for (const more of [[0], [0x0a], Array(100_000).fill(0x41)]) {
      assertThrows(() => readZoneFile(new Uint8Array([...file, ...more])), SyntaxError);
    }
  }
});

Deno.test("Any single changed byte is refused, or leaves a zone that answers", () => {
  const bytes = zoneBytes("Europe/Berlin");
  let read = 0;
  for (const index of bytes.keys()) {
    for (const byte of [0x00, 0x01, 0x7f, 0xff]) {
      const file = bytes.with(index, byte);
      try {
        const zone = readZoneFile(file);
        assert(Math.abs(zone.offsetAt(Date.parse("2026-07-01"))) < 24 * HOUR);
        read++;
      } catch (error) {
        assert(error instanceof SyntaxError, `${index} ${byte}: ${error}`);
      }
    }
  }
  assert(read > 0);
});
