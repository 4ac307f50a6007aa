/// <reference types="../../../src/console/web/logic/types.d.ts" />

import { assert, assertEquals } from "@std/assert";
import {
  askedDays,
  daysOf,
  rangeWith,
  runsOf,
  usualRange,
} from "../../../src/console/web/core/figures/ranges.js";
import { HEIGHT } from "../../../src/console/web/core/charts/layouts.js";
import { seriesLayout } from "../../../src/console/web/core/figures/series_layout.js";

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
});

Deno.test("A series has its gaps and ranges, and dots below 60 values", () => {
  const point = { value: 2, low: 1, high: 3, text: "2" };
  const shapesOf = (run: number, usual: UsualRange | null) =>
    seriesLayout(
      [0, 100],
      [{
        runs: [
          Array.from({ length: run }, (_, time) => ({ ...point, time })),
          [{ ...point, time: 99, low: 2, high: 2 }],
        ],
        usual: usual && { ...usual, text: "usual" },
      }],
      400,
      { number: String, day: String },
    ).shapes;
  const count = (shapes: FigureLayout["shapes"], wanted: string) =>
    shapes.filter(({ tag }) => tag === wanted).length;
  const few = shapesOf(58, null);
  assertEquals(["polyline", "circle", "rect"].map((tag) => count(few, tag)), [1, 59, 0]);
  // An area with the low and the high end of each value; the single one has no range.
  const ranges = String(few.find(({ tag }) => tag === "path")?.attributes.d);
  assertEquals([ranges.match(/M/g)?.length, ranges.match(/[ML]/g)?.length], [1, 2 * 58]);
  // The single one, which is the newest, with its value.
  const many = shapesOf(59, { low: 1, high: 12, count: 10 });
  assertEquals(["polyline", "rect"].map((tag) => count(many, tag)), [1, 1]);
  assert(count(many, "circle") <= 2);
  assert(many.some(({ tag, text }) => tag === "text" && text === "2"));
  // Each axis has three labels at most.
  const texts = many.filter(({ tag }) => tag === "text").map(({ attributes }) => attributes);
  const foot = Math.max(...texts.map(({ y }) => Number(y)));
  const days = texts.filter(({ y }) => y === foot).length;
  assert(days <= 3 && texts.length - days - 1 <= 3);
  // The usual range is inside the picture.
  const band = many.find(({ tag }) => tag === "rect")?.attributes;
  assert(Number(band?.y) >= 0 && Number(band?.y) + Number(band?.height) <= HEIGHT);
});

Deno.test("Two series share the axes, with open dots and a line between values of a time", () => {
  const runs = (value: number, times: readonly number[]) =>
    times.map((time) => [{ time, value, low: value, high: value, text: String(value) }]);
  const { shapes } = seriesLayout(
    [0, 10],
    [{ runs: runs(120, [1, 5]), usual: null }, { runs: runs(80, [1, 4]), usual: null }],
    400,
    { number: String, day: String },
  );
  const dots = shapes.filter(({ tag }) => tag === "circle").map(({ attributes }) => attributes);
  assertEquals(dots.map(({ class: look }) => look), [
    "accent",
    "accent",
    "accent open",
    "accent open",
  ]);
  const [upper, , lower] = dots.map(({ cy }) => Number(cy));
  assert(upper !== undefined && lower !== undefined && upper < lower);
  const stems = shapes.filter(({ tag, attributes: { x1, x2 } }) => tag === "line" && x1 === x2);
  assertEquals(stems.map(({ attributes: { y1, y2 } }) => [y1, y2]), [[upper, lower]]);
  assertEquals(
    shapes.filter(({ attributes }) => attributes.class === "newest").map(({ text }) => text),
    ["120", "80"],
  );
});

Deno.test("The usual range is that of the last year, without the tenth at each end", () => {
  const points = (starts: readonly string[]) =>
    starts.map((start, index) => ({
      start,
      count: 1,
      sum: index,
      minimum: index,
      median: index,
      maximum: index,
      mean: index,
    }));
  const days = Array.from(
    { length: 25 },
    (_, day) => `2026-11-${String(day + 1).padStart(2, "0")}`,
  );
  assertEquals(usualRange(points(days), "2026-11-29"), { low: 2, high: 22, count: 25 });
  assertEquals(usualRange(points(days.slice(0, 10)), "2026-11-29"), { low: 1, high: 8, count: 10 });
  assertEquals(usualRange(points(days.slice(0, 9)), "2026-11-29"), null);
  // A value of an earlier year does not count.
  const older = points(["2025-11-28", ...days.slice(0, 10)]);
  assertEquals(usualRange(older, "2026-11-29"), { low: 2, high: 9, count: 10 });
  // A week and a month come with the year's days, in one request.
  assertEquals(askedDays("week", NOW, ""), { from: "2025-11-29", until: "2026-11-29", by: "day" });
  assertEquals(askedDays("month", NOW, "").from, "2025-11-29");
  assertEquals(askedDays("year", NOW, ""), daysOf("year", NOW, ""));
});
