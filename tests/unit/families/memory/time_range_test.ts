import { assert, assertEquals } from "@std/assert";
import { DAY_MS } from "../../../../src/core/clock.ts";
import { instantOf } from "../../../../src/core/zones.ts";
import type { TimePrecision } from "../../../../src/families/memory/memory.ts";
import { deriveTimeRange } from "../../../../src/families/memory/time_range.ts";
import { clockOf, readStatedTime } from "../../../../src/validate/local_time.ts";
import { type Random, seededRandom } from "../../../support/random.ts";

const EARLIEST = Date.parse("0001-01-01T00:00:00.000Z");
const LATEST = Date.parse("9999-12-31T23:59:59.999Z");
const RANGED = ["EXACT", "DAY", "MONTH", "SEASON", "YEAR", "DECADE"] as const;
const OFFSETS = [0, 60, -300, 330, -210, 14 * 60, -12 * 60, 1439, -1439];

type Ranged = (typeof RANGED)[number];

function derive(occurredAt: string, timePrecision: TimePrecision | null) {
  const stated = readStatedTime(occurredAt);
  assert(typeof stated !== "string", occurredAt);
  return deriveTimeRange({ ...stated, timePrecision });
}

/** Canonical, as answered. */
function range(occurredAt: string, timePrecision: TimePrecision | null): string[] | null {
  const derived = derive(occurredAt, timePrecision);
  return derived && [derived.from.toISOString(), derived.to.toISOString()];
}

function bounds(occurredAt: string, timePrecision: TimePrecision): [from: number, to: number] {
  const derived = derive(occurredAt, timePrecision);
  assert(derived !== null, `${occurredAt} ${timePrecision}`);
  return [derived.from.getTime(), derived.to.getTime()];
}

function offsetText(minutes: number): string {
  const pad = (value: number) => String(value).padStart(2, "0");
  const ahead = Math.abs(minutes);
  return `${minutes < 0 ? "-" : "+"}${pad(Math.floor(ahead / 60))}:${pad(ahead % 60)}`;
}

/** Null outside the years 0001 to 9999. */
function inOffset(time: number, minutes: number): string | null {
  const text = new Date(time + minutes * 60_000).toISOString();
  return /^(?!0000)\d{4}-/.test(text) ? text.slice(0, -1) + offsetText(minutes) : null;
}

/** Often in the first or last year. */
function randomTime(random: Random): number {
  const reach = random.pick([1000, 3 * DAY_MS, 1000 * DAY_MS, LATEST - EARLIEST]);
  const distance = random.integer(0, reach);
  return random.chance(0.5) ? EARLIEST + distance : LATEST - distance;
}

Deno.test("deriveTimeRange() supports each precision", () => {
  const at = "1985-08-31T23:30:00.250Z";
  assertEquals(range(at, "EXACT"), [at, "1985-08-31T23:30:00.251Z"]);
  assertEquals(range(at, "DAY"), ["1985-08-31T00:00:00.000Z", "1985-09-01T00:00:00.000Z"]);
  assertEquals(range(at, "MONTH"), ["1985-08-01T00:00:00.000Z", "1985-09-01T00:00:00.000Z"]);
  assertEquals(range(at, "SEASON"), ["1985-06-01T00:00:00.000Z", "1985-09-01T00:00:00.000Z"]);
  assertEquals(range(at, "YEAR"), ["1985-01-01T00:00:00.000Z", "1986-01-01T00:00:00.000Z"]);
  assertEquals(range(at, "DECADE"), ["1980-01-01T00:00:00.000Z", "1990-01-01T00:00:00.000Z"]);
  assertEquals(range(at, "LIFE_PERIOD"), null);
  assertEquals(range(at, "UNKNOWN"), null);
});

Deno.test("deriveTimeRange() treats a time without precision as exact", () => {
  const at = "1985-08-31T23:30:00.250+02:00";
  assertEquals(range(at, null), range(at, "EXACT"));
});

Deno.test("deriveTimeRange() uses the client's offset", () => {
  assertEquals(range("2000-01-01T00:30:00+14:00", "DAY"), [
    "1999-12-31T10:00:00.000Z",
    "2000-01-01T10:00:00.000Z",
  ]);
  assertEquals(range("1999-12-31T23:30:00-12:00", "YEAR"), [
    "1999-01-01T12:00:00.000Z",
    "2000-01-01T12:00:00.000Z",
  ]);
  // One moment, three offsets: three months.
  const months = ["2024-03-01T00:30:00+01:00", "2024-02-29T23:30:00Z", "2024-02-29T11:30:00-12:00"]
    .map((at) => range(at, "MONTH")?.[0]);
  assertEquals(months, [
    "2024-02-29T23:00:00.000Z",
    "2024-02-01T00:00:00.000Z",
    "2024-02-01T12:00:00.000Z",
  ]);
});

Deno.test("deriveTimeRange() assigns December to the next year's winter", () => {
  const winter = ["1999-12-01T00:00:00.000Z", "2000-03-01T00:00:00.000Z"];
  for (const day of ["1999-12-01", "1999-12-31", "2000-01-01", "2000-02-29"]) {
    assertEquals(range(`${day}T12:00:00Z`, "SEASON"), winter, day);
  }
  assertEquals(range("1999-11-30T23:59:59.999Z", "SEASON")?.[1], winter[0]);
  assertEquals(range("2000-03-01T00:00:00Z", "SEASON")?.[0], winter[1]);
});

Deno.test("deriveTimeRange() supports leap years", () => {
  const days = (at: string, precision: Ranged) => {
    const [from, to] = bounds(at, precision);
    return (to - from) / DAY_MS;
  };
  for (
    const [year, february, winter, whole] of [
      ["2024", 29, 91, 366],
      ["2023", 28, 90, 365],
      ["2000", 29, 91, 366],
      ["1900", 28, 90, 365],
      ["0004", 29, 91, 366],
      ["0099", 28, 90, 365],
    ] as const
  ) {
    const at = `${year}-02-10T00:00:00+05:30`;
    const found = [days(at, "MONTH"), days(at, "SEASON"), days(at, "YEAR")];
    assertEquals(found, [february, winter, whole], year);
  }
});

Deno.test("deriveTimeRange() reads years below 100 literally", () => {
  assertEquals(range("0085-08-31T00:00:00Z", "YEAR"), [
    "0085-01-01T00:00:00.000Z",
    "0086-01-01T00:00:00.000Z",
  ]);
  assertEquals(range("0099-12-31T00:00:00Z", "DECADE"), [
    "0090-01-01T00:00:00.000Z",
    "0100-01-01T00:00:00.000Z",
  ]);
});

Deno.test("deriveTimeRange() cuts at the start of the year 0001", () => {
  const first = "0001-01-01T00:00:00.000Z";
  assertEquals(range(first, "EXACT"), [first, "0001-01-01T00:00:00.001Z"]);
  assertEquals(range(first, "SEASON"), [first, "0001-03-01T00:00:00.000Z"]);
  assertEquals(range(first, "DECADE"), [first, "0010-01-01T00:00:00.000Z"]);
  assertEquals(range("0001-01-01T20:00:00+14:00", "DAY"), [first, "0001-01-01T10:00:00.000Z"]);
  assertEquals(range("0001-01-01T00:00:00-12:00", "DAY"), [
    "0001-01-01T12:00:00.000Z",
    "0001-01-02T12:00:00.000Z",
  ]);
});

Deno.test("deriveTimeRange() cuts at the end of the year 9999", () => {
  const last = "9999-12-31T23:59:59.999Z";
  const before = "9999-12-31T23:59:59.998Z";
  assertEquals(range(before, "EXACT"), [before, last]);
  assertEquals(range(before, "DAY"), ["9999-12-31T00:00:00.000Z", last]);
  assertEquals(range(last, "SEASON"), ["9999-12-01T00:00:00.000Z", last]);
  assertEquals(range(last, "DECADE"), ["9990-01-01T00:00:00.000Z", last]);
  assertEquals(range("9999-12-31T08:00:00-12:00", "MONTH"), ["9999-12-01T12:00:00.000Z", last]);
  // An empty range.
  assertEquals(range(last, "EXACT"), null);
});

Deno.test("deriveTimeRange() returns a range that contains its moment", () => {
  const random = seededRandom(71);
  for (let run = 0; run < 6_000; run++) {
    const time = randomTime(random);
    const at = inOffset(time, random.pick(OFFSETS));
    if (at === null || time === LATEST) continue;
    const precision = random.pick(RANGED);
    const [from, to] = bounds(at, precision);
    assert(EARLIEST <= from && from <= time && time < to && to <= LATEST, `${at} ${precision}`);
  }
});

/** Each begins where the one before ended. */
function countRanges(start: string, precision: Ranged, offset: number, limit: number): number {
  let at: string | null = start;
  let border: number | null = null;
  let count = 0;
  while (at !== null && border !== LATEST && count < limit) {
    const [from, to] = bounds(at, precision);
    if (border !== null) assertEquals(from, border, at);
    border = to;
    at = inOffset(border, offset);
    count++;
  }
  return count;
}

Deno.test("deriveTimeRange() tiles the calendar without gaps or overlaps", () => {
  for (const offset of [0, 14 * 60, -12 * 60]) {
    const start = `0001-01-02T00:00:00${offsetText(offset)}`;
    assertEquals(countRanges(start, "DECADE", offset, Infinity), 1000);
    assertEquals(countRanges(start, "YEAR", offset, Infinity), 9999);
    // The first and last winter are cut.
    assertEquals(countRanges(start, "SEASON", offset, Infinity), 9999 * 4 + 1);
  }
  assertEquals(countRanges("0001-01-02T00:00:00+05:30", "MONTH", 330, Infinity), 9999 * 12);
  for (const start of ["0003-12-25", "1899-12-25", "1999-12-25", "2023-12-25", "9990-01-01"]) {
    assertEquals(countRanges(`${start}T23:59:59-03:30`, "DAY", -210, 1500), 1500);
    assertEquals(countRanges(`${start}T23:59:59-03:30`, "EXACT", -210, 1500), 1500);
  }
});

Deno.test("deriveTimeRange() returns equal ranges for all moments of a range", () => {
  const random = seededRandom(72);
  for (let run = 0; run < 2_000; run++) {
    const offset = random.pick(OFFSETS);
    const at = inOffset(randomTime(random), offset);
    if (at === null) continue;
    const precision = random.pick(["DAY", "MONTH", "SEASON", "YEAR", "DECADE"] as const);
    const [from, to] = bounds(at, precision);
    for (const other of [from, to - 1, random.integer(from, to - 1)]) {
      const text = inOffset(other, offset);
      if (text !== null) assertEquals(bounds(text, precision), [from, to], `${at} ${precision}`);
    }
  }
});

/** From December of year 0 to January 10001, counted by days. */
function countedMonths(): { year: number; month: number; firstDay: number }[] {
  const months = [];
  // 1970-01-01 is day 719,163 from 0001-01-01.
  let firstDay = -719_162 - 366;
  for (let year = 0; year <= 10_010; year++) {
    const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0;
    for (
      const [index, days] of [31, leap ? 29 : 28, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31].entries()
    ) {
      months.push({ year, month: index + 1, firstDay });
      firstDay += days;
    }
  }
  return months;
}

/** Common to months of one range. */
const SAME: Readonly<
  Record<"MONTH" | "SEASON" | "YEAR" | "DECADE", (year: number, month: number) => string>
> = {
  MONTH: (year, month) => `${year}-${month}`,
  SEASON: (year, month) => {
    if (month === 12) return `winter ${year + 1}`;
    if (month <= 2) return `winter ${year}`;
    return `${month <= 5 ? "spring" : month <= 8 ? "summer" : "autumn"} ${year}`;
  },
  YEAR: (year) => `${year}`,
  DECADE: (year) => `${year}`.padStart(4, "0").slice(0, 3),
};

Deno.test("deriveTimeRange() agrees with a calendar that is counted month by month", () => {
  const months = countedMonths();
  const random = seededRandom(73);
  for (let run = 0; run < 2_000; run++) {
    const offset = random.pick(OFFSETS);
    const at = inOffset(randomTime(random), offset);
    if (at === null) continue;
    const [year, month] = [Number(at.slice(0, 4)), Number(at.slice(5, 7))];
    const here = year * 12 + month - 1;
    for (const precision of ["MONTH", "SEASON", "YEAR", "DECADE"] as const) {
      const name = (index: number) => {
        const found = months[index];
        return found && SAME[precision](found.year, found.month);
      };
      let [first, next] = [here, here];
      while (name(first - 1) === name(here)) first--;
      while (name(next) === name(here)) next++;
      const time = (index: number) => (months[index]?.firstDay ?? NaN) * DAY_MS - offset * 60_000;
      const expected = [Math.max(time(first), EARLIEST), Math.min(time(next), LATEST)];
      assertEquals(bounds(at, precision), expected, `${at} ${precision}`);
    }
  }
});

/** Days whose beginning or length differs, from the `zoneinfo` of Python. */
const DAYS: readonly (readonly [zone: string, day: string, from: string, hours: number])[] = [
  ["Africa/Cairo", "2024-04-26", "2024-04-25T22:00:00.000Z", 23],
  ["Africa/Casablanca", "2025-02-23", "2025-02-22T23:00:00.000Z", 25],
  ["America/New_York", "2025-11-02", "2025-11-02T04:00:00.000Z", 25],
  ["America/Santiago", "2024-09-08", "2024-09-08T04:00:00.000Z", 23],
  // No midnight.
  ["America/Sao_Paulo", "2018-11-04", "2018-11-04T03:00:00.000Z", 23],
  // Clocks moved from 00:01 to 23:01, so midnight came twice.
  ["America/St_Johns", "2006-10-29", "2006-10-29T02:30:00.000Z", 25],
  // Clocks moved from 23:30 to 00:30.
  ["America/Toronto", "1919-03-30", "1919-03-30T05:00:00.000Z", 23.5],
  ["America/Toronto", "1919-03-31", "1919-03-31T04:30:00.000Z", 23.5],
  ["Antarctica/Troll", "2025-10-26", "2025-10-25T22:00:00.000Z", 26],
  ["Asia/Beirut", "2022-03-27", "2022-03-26T22:00:00.000Z", 23],
  ["Asia/Kathmandu", "1986-01-01", "1985-12-31T18:30:00.000Z", 23.75],
  ["Australia/Lord_Howe", "2025-04-06", "2025-04-05T13:00:00.000Z", 24.5],
  ["Europe/Berlin", "2025-03-30", "2025-03-29T23:00:00.000Z", 23],
  ["Europe/Berlin", "2025-10-26", "2025-10-25T22:00:00.000Z", 25],
  // The next day was left out.
  ["Pacific/Apia", "2011-12-29", "2011-12-29T10:00:00.000Z", 24],
  ["Pacific/Kwajalein", "1969-09-30", "1969-09-29T13:00:00.000Z", 47],
];

Deno.test("deriveTimeRange() counts days in the zone", () => {
  for (const [zone, day, from, hours] of DAYS) {
    const time = instantOf(zone, Date.parse(`${day}T12:00:00Z`));
    const derived = deriveTimeRange({ time, clock: clockOf(zone, time), timePrecision: "DAY" });
    assert(derived !== null);
    const length = (derived.to.getTime() - derived.from.getTime()) / 3_600_000;
    assertEquals([derived.from.toISOString(), length], [from, hours], `${zone} ${day}`);
  }
});

Deno.test("deriveTimeRange() begins longer units with the offset of their first day", () => {
  const at = "2025-10-26T02:30:00+02:00[Europe/Berlin]";
  assertEquals(range(at, "EXACT"), ["2025-10-26T00:30:00.000Z", "2025-10-26T00:30:00.001Z"]);
  assertEquals(range(at, "MONTH"), ["2025-09-30T22:00:00.000Z", "2025-10-31T23:00:00.000Z"]);
  assertEquals(range(at, "SEASON"), ["2025-08-31T22:00:00.000Z", "2025-11-30T23:00:00.000Z"]);
  assertEquals(range(at, "YEAR"), ["2024-12-31T23:00:00.000Z", "2025-12-31T23:00:00.000Z"]);
  assertEquals(range("1899-06-01T00:00:00+01:00[Europe/Berlin]", "DECADE"), [
    "1889-12-31T23:06:32.000Z",
    "1899-12-31T23:00:00.000Z",
  ]);
  assertEquals(range("0001-01-01T14:00:00+14:00[Etc/GMT-14]", "DAY"), [
    "0001-01-01T00:00:00.000Z",
    "0001-01-01T10:00:00.000Z",
  ]);
  assertEquals(range("9999-12-31T11:00:00-12:00[Etc/GMT+12]", "YEAR"), [
    "9999-01-01T12:00:00.000Z",
    "9999-12-31T23:59:59.999Z",
  ]);
});

Deno.test("deriveTimeRange() counts in the offset of a clock whose zone cannot count it", () => {
  const year = (clock: string | null) => {
    const time = Date.parse("2025-07-01T00:00:00Z");
    return deriveTimeRange({ time, clock, timePrecision: "YEAR" })?.from.toISOString();
  };
  assertEquals(year("+02:00[Europe/Berlin]"), "2024-12-31T23:00:00.000Z");
  assertEquals(year("+02:00"), "2024-12-31T22:00:00.000Z");
  assertEquals(year("+02:00[Mars/Olympus]"), "2024-12-31T22:00:00.000Z");
  // The zone has another offset now.
  assertEquals(year("+03:00[Europe/Berlin]"), "2024-12-31T21:00:00.000Z");
  assertEquals(year(null), "2025-01-01T00:00:00.000Z");
  // An offset with seconds.
  assertEquals(range("1880-06-01T12:00:00Z[Europe/Berlin]", "DAY"), [
    "1880-05-31T23:07:00.000Z",
    "1880-06-01T23:07:00.000Z",
  ]);
});
