/// <reference path="../../../src/console/web/logic/types.d.ts" />

import { assert, assertEquals } from "@std/assert";
import { calibrationLayout } from "../../../src/console/web/core/life_charts/calibration.js";
import { nearLayout } from "../../../src/console/web/core/life_charts/near.js";
import { placesLayout } from "../../../src/console/web/core/life_charts/places.js";
import { LETTER } from "../../../src/console/web/core/charts/shapes.js";
import { countLayout } from "../../../src/console/web/core/life_charts/week.js";
import { countsOf, weekOf } from "../../../src/console/web/pages/review_week/counts.js";
import { inOrder } from "../../../src/console/web/fields/shown/texts.js";
import { seededRandom } from "../../support/random.ts";

const random = seededRandom(59);
const share = () => random.integer(0, 1_000) / 1_000;
const some = <Item>(make: () => Item, most: number) =>
  Array.from({ length: random.integer(1, most) }, make);
const textsOf = ({ shapes }: ChartLayout) =>
  shapes.filter(({ tag }) => tag === "text").map(({ text = "" }) => text);
const dotsOf = ({ shapes }: ChartLayout) =>
  shapes.filter(({ tag }) => tag === "circle").map(({ attributes, text }) => ({
    x: Number(attributes.cx),
    y: Number(attributes.cy),
    isOpen: attributes.fill === "none",
    text,
  }));

const DEGREES = {
  latitude: (value: number) => `${Math.abs(value)} ${value < 0 ? "S" : "N"}`,
  longitude: (value: number) => `${Math.abs(value)} ${value < 0 ? "W" : "E"}`,
};
const place = (name: string, latitude: number, longitude: number) => ({
  name,
  latitude,
  longitude,
});

Deno.test("Every shape of a figure of a life lies within it, at any width", () => {
  for (let round = 0; round < 100; round++) {
    const width = random.integer(240, 1_100);
    const layouts = [
      nearLayout(
        some(() => ({
          name: random.text(0, 60),
          state: "11 days · 4 overdue",
          days: random.integer(0, 4_000),
          wish: random.integer(1, 400),
          text: "",
        }), 20),
        width,
      ),
      countLayout(
        some(() => ({ name: random.text(0, 60), value: random.integer(0, 900), text: "" }), 12),
        width,
        String,
      ),
      calibrationLayout(
        some(() => {
          const [low = 0, observed = 0, high = 0] = [share(), share(), share()].sort();
          const interval = random.chance(0.5) ? [low, high] as const : null;
          return { expected: share(), observed, count: random.integer(1, 99), interval, text: "" };
        }, 10).sort((a, b) => a.expected - b.expected),
        width,
        (value) => `${value * 100}%`,
        { expected: "Expected", observed: "Came true" },
      ),
      placesLayout(
        some(
          () => place(random.text(0, 60), random.integer(-90, 90), random.integer(-180, 180)),
          30,
        ),
        width,
        DEGREES,
      ),
    ];
    for (const { height, shapes } of layouts) {
      for (const { tag, attributes, text = "" } of shapes) {
        const about = `${width}: ${tag} ${JSON.stringify(attributes)} ${text}`;
        for (const name of ["x", "x1", "x2", "cx"]) {
          const at = Number(attributes[name] ?? 0);
          assert(at >= -0.1 && at <= width + 0.1, about);
        }
        for (const name of ["y", "y1", "y2", "cy"]) {
          const at = Number(attributes[name] ?? 0);
          assert(at >= -0.1 && at <= height + 0.1, about);
        }
        assert(!Object.values(attributes).some((value) => String(value).includes("NaN")), about);
        assert(Number(attributes.width ?? 0) >= 0, about);
      }
    }
  }
});

Deno.test("A bar is full up to the wish and open beyond it, and the longest have an arrow", () => {
  const bar = { name: "Anna", state: "", text: "Anna" };
  const { shapes } = nearLayout([
    { ...bar, days: 30, wish: 30 },
    { ...bar, days: 40, wish: 30 },
    { ...bar, days: 900, wish: 30 },
  ], 320);
  const open = shapes.filter(({ attributes }) => attributes.fill === "none" && attributes.width);
  assertEquals(open.length, 2);
  // A mark for each wish, and an arrow.
  assertEquals(shapes.filter(({ tag }) => tag === "polyline").length, 4);
  const full = shapes.filter(({ tag, attributes }) => tag === "rect" && attributes.fill !== "none");
  const widths = full.map(({ attributes }) => attributes.width);
  assertEquals(widths, [widths[0], widths[0], widths[0]]);
});

Deno.test("A dot of fewer than five predictions is open, without an interval", () => {
  const group = { observed: 0.5, text: "" };
  const layout = calibrationLayout(
    [
      { ...group, expected: 0.5, count: 4, interval: null },
      { ...group, expected: 0.9, count: 5, interval: [0.2, 0.8] },
    ],
    400,
    String,
    { expected: "Expected", observed: "Came true" },
  );
  assertEquals(dotsOf(layout).map(({ isOpen }) => isOpen), [true, false]);
  // The line of equal shares, and the interval.
  assertEquals(layout.shapes.filter(({ tag }) => tag === "polyline").length, 2);
  assertEquals(textsOf(layout).slice(-2), ["4", "5"]);
});

Deno.test("Places on both sides of the date line are neighbours", () => {
  const layout = placesLayout(
    [place("Suva", -18, 178), place("Apia", -14, -172)],
    400,
    DEGREES,
  );
  const [suva, apia] = dotsOf(layout);
  assert(suva !== undefined && apia !== undefined && suva.x < apia.x && suva.y > apia.y);
  const texts = textsOf(layout);
  assert(texts.some((text) => text.endsWith(" E")) && texts.some((text) => text.endsWith(" W")));
  assert(texts.includes("Suva") && texts.includes("Apia"), texts.join());
});

Deno.test("One place, equal places and the poles have a graticule", () => {
  for (
    const points of [
      [place("Home", 53.868, 10.687)],
      [place("Pole", 90, 0)],
      [place("Pole", -90, 12), place("Other pole", 90, -170)],
    ]
  ) {
    const layout = placesLayout(points, 320, DEGREES);
    assertEquals(dotsOf(layout).length, points.length);
    assert(textsOf(layout).some((text) => / [NS]$/.test(text)), textsOf(layout).join());
    assert(textsOf(layout).some((text) => / [EW]$/.test(text)), textsOf(layout).join());
  }
  const same = placesLayout(Array(7).fill(place("Home", 1, 2)), 320, DEGREES);
  assertEquals(dotsOf(same).map(({ text }) => text), [Array(7).fill("Home").join(" · ")]);
  assertEquals(textsOf(same).at(-1), "7");
});

Deno.test("No name of a place covers another", () => {
  const points = Array.from(
    { length: 60 },
    () => place(random.text(3, 20), random.integer(-500, 500) / 10, random.integer(-900, 900) / 10),
  );
  for (const width of [320, 700]) {
    const boxes = placesLayout(points, width, DEGREES).shapes
      .filter(({ tag, text = "" }) => tag === "text" && !/^\d+$/.test(text))
      .map(({ attributes: { x, y, "text-anchor": anchor }, text = "" }) => {
        const size = text.length * LETTER.width;
        const left = Number(x) - size * (anchor === "end" ? 1 : anchor === "middle" ? 0.5 : 0);
        return { text, left, right: left + size, y: Number(y) };
      });
    for (const [index, one] of boxes.entries()) {
      for (const other of boxes.slice(index + 1)) {
        const isApart = one.right <= other.left || other.right <= one.left ||
          Math.abs(one.y - other.y) >= LETTER.size;
        assert(isApart, `${one.text} and ${other.text}`);
      }
    }
  }
});

Deno.test("A week begins on Monday, and the last one is seven days earlier", () => {
  const days = (now: Date) =>
    (["weekThis", "weekLast"] as const).map((name) => {
      const { from, to, texts: { periodStart, periodEnd } } = weekOf(now, name);
      return [from, to, periodStart.slice(0, 16), periodEnd.slice(0, 16)];
    });
  const expected = [
    ["2026-11-23", "2026-11-29", "2026-11-23T00:00", "2026-11-29T23:59"],
    ["2026-11-16", "2026-11-22", "2026-11-16T00:00", "2026-11-22T23:59"],
  ];
  assertEquals(days(new Date(2026, 10, 23)), expected);
  assertEquals(days(new Date(2026, 10, 29, 23, 59)), expected);
});

Deno.test("A week's counts add up, and lead to the records that they count", () => {
  const none = { met: 0, late: 0, untimed: 0, missed: 0, ahead: 0, broken: 0, dropped: 0 };
  const week = weekOf(new Date(2026, 10, 29), "weekThis");
  const counted: Week = {
    from: week.from,
    until: "2026-11-30",
    zone: "UTC",
    due: [
      { ...none, moduleCode: "commitment", met: 2, missed: 1 },
      { ...none, moduleCode: "action", untimed: 4 },
    ],
    routines: null,
    contacts: null,
    lived: null,
    written: [{ moduleCode: "memory", count: 3 }, { moduleCode: "capture", count: 2 }],
    measures: [
      { kind: "WEIGHT", unit: "kg", count: 2, minimum: 1, median: 1, maximum: 1, mean: 1 },
      { kind: "WEIGHT", unit: "lb", count: 1, minimum: 1, median: 1, maximum: 1, mean: 1 },
    ],
    decisions: { decided: 1, outcomes: 0, predictionsDue: 0 },
  };
  const counts = countsOf(counted, week);
  assertEquals(
    counts.map(({ name, value }) => [name, value]),
    [
      ["due", 7],
      ["weekMet", 2],
      ["weekMissed", 1],
      ["weekUntimed", 4],
      ["weekWritten", 5],
      ["weekMeasured", 3],
      ["weekDecided", 1],
    ],
  );
  assertEquals(
    counts.flatMap(({ lists }) =>
      lists.map(({ value, path }) => [value, decodeURIComponent(path)])
    ),
    [
      [
        3,
        "/console/records/commitment?filter[dueAt][gte]=2026-11-23&filter[dueAt][lte]=2026-11-29",
      ],
      [
        4,
        "/console/records/action?filter[targetDate][gte]=2026-11-23&filter[targetDate][lte]=2026-11-29",
      ],
      [3, "/console/memories"],
      [2, "/console/records/capture"],
      [
        3,
        "/console/records/health?filter[metricType]=WEIGHT&filter[measuredAt][gte]=2026-11-23&filter[measuredAt][lte]=2026-11-29",
      ],
      [1, "/console/decisions"],
    ],
  );
});

Deno.test("One question stands before all other fields", () => {
  const fields = [
    { name: "title", required: true },
    { name: "notes", required: false },
    { name: "type", required: true },
  ];
  const { fields: ordered, shown } = inOrder(fields, [], "notes");
  assertEquals([ordered.map(({ name }) => name), shown], [["notes", "title", "type"], 1]);
});
