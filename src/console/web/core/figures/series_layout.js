/** A line, ranges and dots, within axes. */

import { HEIGHT, lineAxes, RADIUS } from "../charts/layouts.js";
import { block, dot, LETTER, LINE, path, words } from "../charts/shapes.js";

/** With more values, only single and newest ones are dots. */
const MAX_DOTS = 59;

/**
 * Runs without a gap, each a line, with the range of each value. The newest value is written.
 * @param {Pair} span
 * @param {readonly (readonly SeriesSpan[])[]} runs
 * @param {number} width
 * @param {ChartTexts} texts
 * @param {UsualRange & { text: string } | null} usual
 * @returns {FigureLayout}
 */
export function seriesLayout(span, runs, width, texts, usual) {
  const all = runs.flat();
  const newest = all.slice(-1);
  const ends = usual === null ? all : [...all, usual];
  const values = ends.flatMap(({ low, high }) => [low, high]);
  const { shapes, x, y } = lineAxes(span, values, width, texts, 2);
  const singles = runs.filter(({ length }) => length === 1).flat();
  const dots = all.length > MAX_DOTS ? [...singles, ...newest] : all;
  return {
    height: HEIGHT + LINE + 4,
    shapes: [
      ...shapes,
      ...(usual === null ? [] : [band(span.map(x), y(usual.high), y(usual.low), usual.text)]),
      rangesOf(all.map(({ time, low, high }) => [x(time), y(low), y(high)])),
      ...runs.filter(({ length }) => length > 1)
        .map((run) => path(run.map(({ time, value }) => [x(time), y(value)]))),
      ...dots.map(({ time, value, text }) => dot(x(time), y(value), RADIUS, text)),
      ...newest.map(({ time, value }) => {
        const above = y(value) - 8;
        const foot = above < LETTER.size ? y(value) + LINE : above;
        return words(x(time) + RADIUS, foot, texts.number(value), "end");
      }),
    ],
  };
}

/** @type {(ends: readonly number[], top: number, foot: number, text: string) => ChartShape} */
function band([start = 0, end = 0], top, foot, text) {
  const shape = block(start, top, end - start, Math.max(1, foot - top), text);
  return { ...shape, attributes: { ...shape.attributes, "fill-opacity": 0.15 } };
}

/**
 * As one shape.
 * @param {readonly (readonly [x: number, low: number, high: number])[]} ranges
 * @returns {PathShape}
 */
function rangesOf(ranges) {
  const d = ranges.filter(([, low, high]) => low > high)
    .map(([x, low, high]) => `M${x.toFixed(1)} ${low.toFixed(1)}V${high.toFixed(1)}`).join("");
  const look = { class: "quiet", stroke: "currentColor", "stroke-width": 1.5, fill: "none" };
  return { tag: "path", attributes: { d, ...look } };
}
