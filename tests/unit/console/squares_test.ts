/// <reference types="../../../src/console/web/logic/types.d.ts" />

import { assert, assertEquals } from "@std/assert";
import { weeksOf } from "../../../src/console/web/core/figures/routines.js";
import {
  levelOfShare,
  weeksLayout,
  yearLayout,
} from "../../../src/console/web/core/figures/squares.js";
import { DAY_MS } from "../../../src/core/clock.ts";

const iso = (time: number) => new Date(time).toISOString().slice(0, 10);
const texts = { month: iso, weekday: () => "Mon" };
const WIDE = 736;
const NARROW = 288;

function yearOf(year: number, width: number, firstDay: number, bars: readonly DayBar[] = []) {
  const from = Date.UTC(year, 0);
  const count = (Date.UTC(year + 1, 0) - from) / DAY_MS;
  const squares = Array.from({ length: count }, (_, index): DaySquare => {
    const day = iso(from + index * DAY_MS);
    return { day, level: 5, text: day };
  });
  const layout = yearLayout({ year, firstDay, squares, bars }, width, texts);
  const { height, shapes, areas = [] } = layout;
  const days = areas.filter(({ text }) => /^\d{4}-/.test(text));
  const places = new Map(days.map((area) => [area.text, area]));
  return { height, shapes, places, count, bars: areas.filter((area) => !days.includes(area)) };
}

Deno.test("Every day of a year has a square inside the picture, at a place of its own", () => {
  for (const year of [2023, 2024, 2028, 2034]) {
    for (const width of [NARROW, WIDE]) {
      for (const firstDay of [1, 6, 7]) {
        const { height, places, count } = yearOf(year, width, firstDay);
        assertEquals(places.size, count);
        const at = [...places.values()].map(({ x, y }) => `${x} ${y}`);
        assertEquals(new Set(at).size, count);
        for (const { x, y, width: side, height: tall } of places.values()) {
          assert(x >= 0 && x + side <= width && y >= 0 && y + tall <= height);
        }
      }
    }
  }
});

Deno.test("A week is a column that begins on its first day", () => {
  const x = (firstDay: number, day: string) => yearOf(2026, WIDE, firstDay).places.get(day)?.x;
  // 1 March 2026 is a Sunday.
  assertEquals(x(1, "2026-03-01"), x(1, "2026-02-23"));
  assert(x(1, "2026-03-01") !== x(1, "2026-03-02"));
  assertEquals(x(7, "2026-03-01"), x(7, "2026-03-07"));
  // A shape for each level, and no more for a whole year.
  assertEquals(yearOf(2026, WIDE, 1).shapes.filter(({ tag }) => tag === "path").length, 2);
  // The second half begins again at the left.
  const narrow = yearOf(2026, NARROW, 1).places;
  assertEquals(narrow.get("2026-07-01")?.x, narrow.get("2026-01-01")?.x);
});

Deno.test("A longer unit is a bar over its own days, in each half", () => {
  const bar = { lane: "SEASON", name: "Summer of that year", short: "3", text: "Summer: 3" };
  const summer = { ...bar, from: "2026-06-01", until: "2026-09-01" };
  const autumn = { ...bar, from: "2026-09-01", until: "2026-12-01" };
  const decade = { ...bar, lane: "DECADE", from: "2020-01-01", until: "2030-01-01", text: "2020s" };
  const [first, second, whole] = yearOf(2026, WIDE, 1, [summer, autumn, decade]).bars;
  assert(first && second && whole);
  assertEquals(first.y, second.y);
  assert(first.x + first.width <= second.x);
  assert(whole.y > first.y && whole.width > 3 * first.width);
  // The summer in both halves, the autumn in the second, the decade in both.
  assertEquals(yearOf(2026, NARROW, 1, [summer, autumn, decade]).bars.length, 5);
  const { shapes } = yearOf(2026, NARROW, 1, [summer]);
  assert(shapes.some(({ tag, text }) => tag === "text" && text === "3"));
});

Deno.test("A week of a routine is full as often as planned, and counts once", () => {
  const routine = {
    recordId: "",
    title: "Water the plants",
    intervalDays: 2,
    active: true,
    lastCompletedAt: null,
    nextDueAt: null,
    complete: true,
    days: [
      { day: "2026-09-14", count: 1 },
      { day: "2026-09-20", count: 1 },
      { day: "2026-09-21", count: 4 },
      { day: "2026-11-29", count: 1 },
    ],
  };
  const { weeks, isWhole } = weeksOf(routine, "2026-09-14");
  assertEquals(
    weeks.map(({ times }) => times),
    [2, 4, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0],
  );
  assertEquals(weeks.map(({ level }) => level).filter((level) => level > 0), [3, 5, 2]);
  assert(isWhole);
  const yearly = weeksOf({ ...routine, intervalDays: 365 }, "2026-09-14").weeks;
  assertEquals(yearly.map(({ level }) => level).filter((level) => level > 0), [5, 5, 5]);
  for (const width of [NARROW, WIDE]) {
    const row = { name: "Water the plants ".repeat(9), count: "3 of 12", weeks };
    const { height, areas = [] } = weeksLayout([row, row], width, ["Sep 14", "this week"]);
    assertEquals(areas.length, 24);
    for (const { x, y, width: side } of areas) {
      assert(x >= 0 && x + side <= width - 50);
      assert(y >= 0 && y + side <= height);
    }
  }
});

Deno.test("Five shades stand for the whole scale", () => {
  assertEquals([0.1, 0.2, 0.3, 0.5, 0.8, 0.9, 1, 2].map(levelOfShare), [1, 1, 2, 3, 4, 5, 5, 5]);
  assertEquals(levelOfShare(0), 1);
});
