/// <reference types="../../../src/console/web/logic/types.d.ts" />

import { assert, assertEquals } from "@std/assert";
import { seriesLayout } from "../../../src/console/web/core/charts/layouts.js";
import { daysOf, rangeWith, runsOf } from "../../../src/console/web/core/charts/ranges.js";

const NOW = new Date(2026, 10, 28, 12);

Deno.test("A range ends with today, and has at most as many buckets as the service counts", () => {
  const daysSince = (range: SeriesRange, first = "") => {
    const { from, until, by } = daysOf(range, NOW, first);
    assertEquals(until, "2026-11-29");
    return [from, by];
  };
  assertEquals(daysSince("week"), ["2026-11-22", "day"]);
  assertEquals(daysSince("month"), ["2026-10-29", "day"]);
  assertEquals(daysSince("year"), ["2025-11-29", "week"]);
  assertEquals(daysSince("all", "2026-11-28"), ["2026-11-27", "day"]);
  assertEquals(daysSince("all", "2024-01-01"), ["2023-12-31", "week"]);
  assertEquals(daysSince("all", "1996-01-01"), ["1995-12-31", "month"]);
  assertEquals(daysSince("all", "1926-01-01"), ["1925-12-31", "year"]);
});

Deno.test("The first range is the shortest that has every day", () => {
  assertEquals(
    ["2026-11-28", "2026-11-22", "2026-11-21", "2026-10-28", "2025-11-28"]
      .map((day) => rangeWith(day, NOW)),
    ["week", "week", "month", "year", "all"],
  );
});

Deno.test("A missing bucket ends a line", () => {
  const runs = (by: SeriesUnit, starts: readonly string[]) =>
    runsOf(starts.map((start) => ({ start })), by).map(({ length }) => length);
  assertEquals(runs("day", ["2026-02-28", "2026-03-01", "2026-03-03"]), [2, 1]);
  assertEquals(runs("week", ["2026-03-23", "2026-03-30", "2026-04-13"]), [2, 1]);
  assertEquals(runs("month", ["2025-12-01", "2026-01-01", "2026-03-01"]), [2, 1]);
  assertEquals(runs("year", ["2024-01-01", "2026-01-01"]), [1, 1]);
  const point = { value: 2, low: 1, high: 3, text: "2" };
  const { shapes } = seriesLayout(
    [0, 4],
    [[{ ...point, time: 1 }, { ...point, time: 2 }], [{ ...point, time: 4, low: 2, high: 2 }]],
    400,
    { number: String, day: String },
  );
  const lines = shapes.filter(({ tag }) => tag === "polyline");
  // Two ranges and one line.
  assertEquals(lines.map(({ attributes }) => attributes.class), ["quiet", "quiet", "accent"]);
  assert(shapes.filter(({ tag }) => tag === "circle").length === 3);
});
