/** Lines, ranges and dots, within axes. */

import { HEIGHT, lineAxes, RADIUS } from "../charts/layouts.js";
import {
  block,
  dot,
  faint,
  hairline,
  LETTER,
  LINE,
  outlined,
  path,
  strong,
  words,
} from "../charts/shapes.js";

/** With more values, only single and newest ones are dots. */
const MAX_DOTS = 59;

/** Between a dot and its value. */
const BESIDE = 8;

/**
 * A line for each series, with its usual range, the range of each value, and its newest value
 * at its end. Later series have open dots.
 * @param {Pair} span
 * @param {readonly SeriesLine[]} series
 * @param {number} width
 * @param {ChartTexts} texts
 * @returns {FigureLayout}
 */
export function seriesLayout(span, series, width, texts) {
  const values = series.flatMap(({ runs, usual }) => [...runs.flat(), ...usual ? [usual] : []])
    .flatMap(({ low, high }) => [low, high]);
  const newest = series.flatMap(({ runs }) => runs.at(-1)?.slice(-1) ?? [])
    .map(({ time, value }) => ({ time, value, text: texts.number(value) }));
  const room = Math.max(...newest.map(({ text }) => text.length)) * LETTER.width + BESIDE;
  const axes = lineAxes(span, values, width, texts, room);
  const { shapes, x, y } = axes;
  return {
    height: HEIGHT + LINE + 4,
    shapes: [
      ...shapes,
      ...series.flatMap(({ usual }) =>
        usual === null ? [] : [band(span.map(x), y(usual.high), y(usual.low), usual.text)]
      ),
      ...stemsOf(series, axes),
      ...series.flatMap(({ runs }, index) => lineShapes(runs, axes, index > 0)),
      ...newest.map(({ time, value, text }) =>
        strong(words(x(time) + BESIDE, y(value) + LETTER.size / 3, text))
      ),
    ],
  };
}

/**
 * Lines between two values of the same time, if there are few.
 * @param {readonly SeriesLine[]} series @param {LineAxes} axes
 */
function stemsOf(series, { x, y }) {
  const [upper = [], lower = []] = series.map(({ runs }) => runs.flat());
  if (upper.length > MAX_DOTS) return [];
  return upper.flatMap(({ time, value }) => {
    const other = lower.find((one) => one.time === time);
    return other === undefined ? [] : [hairline(x(time), y(value), x(time), y(other.value), 0.3)];
  });
}

/** @type {(runs: SeriesLine["runs"], axes: LineAxes, isOpen: boolean) => FigureLayout["shapes"]} */
function lineShapes(runs, { x, y }, isOpen) {
  const all = runs.flat();
  const newest = all.at(-1);
  const isLong = all.length > MAX_DOTS;
  const lines = runs.filter(({ length }) => length > 1)
    .map((run) => path(run.map(({ time, value }) => [x(time), y(value)])));
  const singles = runs.filter(({ length }) => length === 1).flat();
  const dots = isLong ? all.filter((one) => one === newest || singles.includes(one)) : all;
  return [
    rangesOf(runs.map((run) => run.map(({ time, low, high }) => [x(time), y(low), y(high)]))),
    ...isLong ? lines : lines.map(faint),
    ...dots.map((span) => {
      const radius = span === newest ? RADIUS + 1 : RADIUS;
      const shape = dot(x(span.time), y(span.value), radius, span.text);
      return isOpen ? opened(shape) : shape;
    }),
  ];
}

/** @param {ChartShape} shape @returns {ChartShape} */
function opened(shape) {
  const { attributes, ...open } = outlined(shape);
  return { ...open, attributes: { ...attributes, class: "accent open" } };
}

/** @type {(ends: readonly number[], top: number, foot: number, text: string) => ChartShape} */
function band([start = 0, end = 0], top, foot, text) {
  const shape = block(start, top, end - start, Math.max(1, foot - top), text);
  return { ...shape, attributes: { ...shape.attributes, class: "usual" } };
}

/**
 * An area for each run, as one shape. The range of a single value is a bar.
 * @param {readonly (readonly (readonly [x: number, low: number, high: number])[])[]} runs
 * @returns {PathShape}
 */
function rangesOf(runs) {
  const areas = runs.filter((run) => run.some(([, low, high]) => low > high)).map((run) => {
    const [[x, low, high] = [0, 0, 0]] = run;
    const places = run.length === 1 ? [[x - 1, high], [x + 1, high], [x + 1, low], [x - 1, low]] : [
      ...run.map(([x, , high]) => [x, high]),
      ...run.toReversed().map(([x, low]) => [x, low]),
    ];
    return `M${places.map((place) => place.map((at) => at.toFixed(1)).join(" ")).join("L")}z`;
  });
  const look = { class: "accent", fill: "currentColor", "fill-opacity": 0.25 };
  return { tag: "path", attributes: { d: areas.join(""), ...look } };
}
