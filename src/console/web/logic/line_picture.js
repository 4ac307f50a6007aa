/** Values over time: dots joined by a line. */

import { scale, ticks } from "./scales.js";
import { dot, hairline, LETTER, LINE, path, words } from "./shapes.js";
import { timeAxis } from "./time_axis.js";

/** @typedef {{ time: number, value: number, text: string }} Point Times are in milliseconds since 1970. */

/**
 * @typedef {object} Texts
 * @property {(value: number) => string} number
 * @property {(time: number) => string} day
 */

const HEIGHT = 200;
const RADIUS = 3.5;

/**
 * @param {readonly Point[]} points At least one, in any order.
 * @param {number} width
 * @param {Texts} texts
 * @returns {import("./shapes.js").Layout}
 */
export function lineLayout(points, width, texts) {
  const inTime = points.toSorted((a, b) => a.time - b.time);
  const [first, last] = [inTime[0]?.time ?? 0, inTime.at(-1)?.time ?? 0];
  const values = ticks(points.map(({ value }) => value), 4);
  const names = values.map(texts.number);
  const longest = Math.max(...names.map(({ length }) => length));
  const [start, end] = [longest * LETTER.width + 12 + RADIUS, width - RADIUS];
  const x = scale([first, last], [start, end]);
  const y = scale([values[0] ?? 0, values.at(-1) ?? 1], [HEIGHT, LETTER.size]);
  const axis = values.flatMap((value, index) => [
    hairline(start, y(value), end, y(value)),
    words(start - 8 - RADIUS, y(value) + LETTER.size / 3, names[index] ?? "", "end"),
  ]);
  return {
    height: HEIGHT + LINE + 4,
    shapes: [
      ...axis,
      ...timeAxis([first, last], [start, end], x, HEIGHT + LINE, texts.day),
      path(inTime.map(({ time, value }) => [x(time), y(value)])),
      ...inTime.map(({ time, value, text }) => dot(x(time), y(value), RADIUS, text)),
    ],
  };
}
