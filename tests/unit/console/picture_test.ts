/// <reference types="../../../src/console/web/logic/types.d.ts" />

import { assert, assertEquals } from "@std/assert";
import { spreadLayout } from "../../../src/console/web/core/charts/distributions.js";
import {
  lineLayout,
  rowLayout,
  timeAxis,
  timelineLayout,
} from "../../../src/console/web/core/charts/layouts.js";
import { axisDay } from "../../../src/console/web/core/charts/pictures.js";
import { scale, ticks, timeTicks } from "../../../src/console/web/core/charts/scales.js";
import { cutTo, LETTER } from "../../../src/console/web/core/charts/shapes.js";
import { dayText as shownDay } from "../../../src/console/web/fields/shown/times.js";
import { instantOf } from "../../../src/console/web/logic/local_time.js";
import { DAY_MS } from "../../../src/core/clock.ts";
import { seededRandom } from "../../support/random.ts";

const numberText = (value: number) => String(value);
const dayText = (time: number) => new Date(time).toISOString().slice(0, 10);
const random = seededRandom(31);
const share = () => random.integer(0, 1_000) / 1_000;
const some = <Item>(make: (index: number) => Item, most = 12) =>
  Array.from({ length: random.integer(1, most) }, (_, index) => make(index));

Deno.test("Ticks are round, equidistant, and enclose every value", () => {
  for (let round = 0; round < 700; round++) {
    const power = 10 ** random.integer(-6, 12);
    const values = some(() => random.integer(-999, 999) / 7 * power);
    const most = random.integer(1, 6);
    const found = ticks(values, most);
    const step = (found[1] ?? 0) - (found[0] ?? 0);
    assert(found.length >= 2 && found.length <= Math.max(most, 2) + 1, `${values}: ${found}`);
    // Except the last digit of a double.
    assert((found[0] ?? 0) <= Math.min(...values) + step * 1e-6, `${values}: ${found}`);
    assert((found.at(-1) ?? 0) >= Math.max(...values) - step * 1e-6, `${values}: ${found}`);
    for (const [index, tick] of found.slice(1).entries()) {
      assert(Math.abs(tick - (found[index] ?? 0) - step) <= step * 1e-6, `${values}: ${found}`);
    }
  }
  assertEquals(ticks([0.1, 0.2, 0.3], 4), [0.1, 0.15, 0.2, 0.25, 0.3]);
  assertEquals(ticks([72, 75.5], 4), [72, 73, 74, 75, 76]);
  assertEquals(ticks([0], 3), [0, 0.5]);
});

Deno.test("Ticks of time are starts of days, months or years within the period", () => {
  for (let round = 0; round < 400; round++) {
    const from = random.integer(-2e12, 4e12);
    const to = from + Math.floor(DAY_MS * 10 ** (share() * 5));
    const most = random.integer(1, 8);
    const found = timeTicks(from, to, most);
    assert(found.length <= most + 1, `${from} to ${to}: ${found.length} of ${most}`);
    for (const [index, time] of found.entries()) {
      assert(time >= from && time <= to && time > (found[index - 1] ?? -Infinity));
      assertEquals([new Date(time).getHours(), new Date(time).getMinutes()], [0, 0]);
    }
  }
  const years = timeTicks(new Date(2020, 5).getTime(), new Date(2024, 5).getTime(), 5);
  assertEquals(years, [2021, 2022, 2023, 2024].map((year) => new Date(year, 0).getTime()));
});

Deno.test("Labels of a time axis never overlap, however narrow", () => {
  const days = (from: number, to: number, width: number) =>
    timeAxis([from, to], [0, width], scale([from, to], [0, width]), 0, dayText)
      .map(({ attributes, text = "" }) => {
        const size = text.length * LETTER.width;
        const { x, "text-anchor": anchor } = attributes;
        const left = Number(x) - size * (anchor === "start" ? 0 : anchor === "end" ? 1 : 0.5);
        return { text, left, right: left + size };
      });
  for (let round = 0; round < 400; round++) {
    const from = random.integer(-2e12, 4e12);
    const to = from + Math.floor(DAY_MS * 10 ** (share() * 4));
    const placed = days(from, to, random.integer(60, 900)).sort((a, b) => a.left - b.left);
    assertEquals(placed[0]?.text, dayText(from));
    for (const [index, { left }] of placed.slice(1).entries()) {
      assert(left > (placed[index]?.right ?? 0), `${from} to ${to}: ${JSON.stringify(placed)}`);
    }
  }
  const year = days(Date.UTC(2025, 0, 1, 12), Date.UTC(2025, 11, 31, 12), 900);
  assert(year.length > 4 && year.some(({ text }) => text === "2025-12-31"), JSON.stringify(year));
  assertEquals(days(0, DAY_MS * 30, 120).length, 1);
});

Deno.test("A time axis ends with local dates, and has the device's dates between", () => {
  const [first, between, last] = [
    "2025-11-01T08:00+09:00[Asia/Tokyo]",
    "2025-11-10T23:00-10:00",
    "2025-12-31T23:30-05:00[America/New_York]",
  ] as const;
  const day = axisDay([between, last, first]);
  const noon = (date: string) => shownDay(`${date}T12:00+00:00`);
  assertEquals([first, last].map((time) => day(instantOf(time))), [
    noon("2025-11-01"),
    noon("2025-12-31"),
  ]);
  assertEquals(day(instantOf(between)), shownDay(instantOf(between)));
});

Deno.test("A scale maps ends to ends, and a single value to the middle", () => {
  const place = scale([10, 20], [0, 300]);
  assertEquals([10, 15, 20].map(place), [0, 150, 300]);
  assertEquals(scale([7, 7], [0, 300])(7), 150);
});

Deno.test("A name is truncated to its space, between whole letters", () => {
  assertEquals(cutTo("short", 200), "short");
  assertEquals(cutTo("a\nb", 200), "a b");
  assertEquals([...cutTo("😀".repeat(50), 10 * LETTER.width)].length, 10);
});

function picturesOf(width: number): Readonly<Record<string, ChartLayout>> {
  const name = () => random.text(0, 300);
  const signed = some(
    () => ({ name: name(), value: random.integer(-1e6, 1e6) / 100, text: "" }),
    7,
  );
  const time = () => random.integer(0, 2e12);
  return {
    line: lineLayout(
      some(() => ({ time: time(), value: random.integer(-1e6, 1e6) / 100, text: "" })),
      width,
      { number: numberText, day: dayText },
    ),
    rows: rowLayout(signed, width, numberText),
    spreads: spreadLayout(
      some(() => {
        const [low = 0, middle = 0, high = 0] = [share(), share(), share()].sort();
        return { name: name(), low, middle, high, text: "" };
      }),
      width,
      numberText,
    ),
    timeline: timelineLayout(
      some(() => {
        const from = time();
        const end = random.chance(0.3) ? { to: from + random.integer(0, 1e10) } : {};
        return { lane: random.pick(["One", "Another", name()]), from, ...end, text: "" };
      }),
      width,
      dayText,
    ),
  };
}

/** Left, right, top and bottom; only the height of a text. */
function reachOf({ tag, attributes }: ChartShape): { x: number[]; y: number[] } {
  const at = (name: string) => Number(attributes[name]);
  const around = (middle: number, radius: number) => [middle - radius, middle + radius];
  switch (tag) {
    case "circle":
      return { x: around(at("cx"), at("r")), y: around(at("cy"), at("r")) };
    case "rect":
      return { x: [at("x"), at("x") + at("width")], y: [at("y"), at("y") + at("height")] };
    case "line":
      return { x: [at("x1"), at("x2")], y: [at("y1"), at("y2")] };
    case "text":
      return { x: [at("x")], y: [at("y") - 10, at("y")] };
    case "polyline": {
      const places = String(attributes.points).split(" ").map((place) => place.split(","));
      return { x: places.map(([x]) => Number(x)), y: places.map(([, y]) => Number(y)) };
    }
  }
}

Deno.test("Every shape of a picture lies within it, at any width", () => {
  for (let round = 0; round < 120; round++) {
    const width = random.integer(240, 1_400);
    for (const [kind, { height, shapes }] of Object.entries(picturesOf(width))) {
      for (const shape of shapes) {
        const { x, y } = reachOf(shape);
        const about = `${kind}, ${width} wide: ${JSON.stringify(shape)}`;
        for (const at of x) assert(at >= -0.1 && at <= width + 0.1, about);
        for (const at of y) assert(at >= -0.1 && at <= height + 0.1, about);
      }
    }
  }
});

Deno.test("No line of an axis crosses a label", () => {
  for (let round = 0; round < 100; round++) {
    const width = random.integer(240, 1_400);
    for (const [kind, { shapes }] of Object.entries(picturesOf(width))) {
      const lines = shapes.filter(({ tag, attributes: { x1, x2, y1, y2 } }) =>
        tag === "line" && (x1 === x2 || y1 === y2)
      ).map(reachOf);
      for (const { tag, attributes, text = "" } of shapes) {
        if (tag !== "text") continue;
        const size = text.length * LETTER.width;
        const anchors: Readonly<Record<string, number>> = { start: 0, middle: 0.5, end: 1 };
        const left = Number(attributes.x) -
          size * (anchors[String(attributes["text-anchor"])] ?? 0);
        const foot = Number(attributes.y);
        for (const { x, y } of lines) {
          const isBeside = Math.max(...x) <= left || Math.min(...x) >= left + size;
          const isApart = Math.max(...y) <= foot - LETTER.size || Math.min(...y) >= foot;
          assert(isBeside || isApart, `${kind}, ${width} wide: ${text}`);
        }
      }
    }
  }
});

Deno.test("A distribution is highest at its middle, and a certain value has one", () => {
  const spreads = [
    { name: "One", low: 0, middle: 2, high: 5, text: "one" },
    { name: "Another", low: 1, middle: 3, high: 4, text: "another" },
  ];
  const { shapes } = spreadLayout(spreads, 600, numberText);
  const curves = shapes.filter(({ text, tag }) => tag === "polyline" && text !== undefined)
    .map(({ attributes }) =>
      String(attributes.points).split(" ").map((at) => at.split(",").map(Number))
    );
  const dots = shapes.filter(({ tag }) => tag === "circle").map(({ attributes: { cx } }) =>
    Number(cx)
  );
  assertEquals(curves.length, 2);
  for (const [index, places] of curves.entries()) {
    const [x = 0] = places.toSorted(([, a = 0], [, b = 0]) => a - b)[0] ?? [];
    assert(Math.abs(x - (dots[index] ?? 0)) < 0.1, `${x} of ${dots}`);
  }
  const certain = [{ name: "", low: 3, middle: 3, high: 3, text: "" }];
  assert(!JSON.stringify(spreadLayout(certain, 600, numberText)).includes("NaN"));
});

Deno.test("More is higher, later is further right, and a bar is proportional", () => {
  const points = [3, 1, 2].map((value) => ({ time: value * DAY_MS, value, text: String(value) }));
  const dots = lineLayout(points, 600, { number: numberText, day: dayText }).shapes
    .filter(({ tag }) => tag === "circle");
  assertEquals(dots.map(({ text }) => text), ["1", "2", "3"]);
  const places = dots.map(({ attributes: { cx, cy } }) => [Number(cx), -Number(cy)]);
  assert(places.every(([x = 0, y = 0], index) => {
    const [beforeX = -Infinity, beforeY = -Infinity] = places[index - 1] ?? [];
    return x > beforeX && y > beforeY;
  }));
  const bars = [2, 4].map((value) => ({ name: "", value, text: "" }));
  const sizes = (layout: ChartLayout, name: string) =>
    layout.shapes.filter(({ tag }) => tag === "rect").map(({ attributes }) => attributes[name]);
  const [half, whole] = sizes(rowLayout(bars, 600, numberText), "width").map(Number);
  assertEquals(whole, 2 * (half ?? 0));
});
