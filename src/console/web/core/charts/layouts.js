/** Layouts of the shapes of a picture. */

import { extent, scale, ticks, ticksWithin, timeTicks } from "./scales.js";
import { block, cutTo, dot, faint, hairline, LETTER, LINE, path, words } from "./shapes.js";

const THICK = 12;

/**
 * Horizontal bars, each under its name. The axis lines run behind the bars alone, so that they do
 * not cross the names.
 * @type {Layout<ChartBar>}
 */
export function rowLayout(bars, width, numberText) {
  const values = ticks([0, ...bars.map(({ value }) => value)], 4);
  const { x, labels } = rowAxis(values, width, numberText);
  const each = LINE + THICK + 10;
  const drawn = bars.flatMap(({ name, value, text }, index) => {
    const top = index * each + LINE;
    const [left = 0, right = 0] = [x(0), x(value)].toSorted((a, b) => a - b);
    return [
      words(0, top - LINE + LETTER.size, cutTo(name, width)),
      ...values.map((each) => hairline(x(each), top, x(each), top + THICK)),
      block(left, top, right - left, THICK, text),
    ];
  });
  const foot = bars.length * each + LINE - 6;
  return { height: foot + 4, shapes: [...drawn, ...labels(foot)] };
}

/**
 * An axis across, with margins for its outer labels.
 * @param {readonly number[]} values @param {number} width @param {NumberText} numberText
 */
export function rowAxis(values, width, numberText) {
  const names = values.map(numberText);
  const margin = Math.max(...names.map(({ length }) => length)) * LETTER.width / 2 + 4;
  const x = scale(extent(values), [margin, width - margin]);
  const labels = (/** @type {number} */ foot) =>
    values.map((value, index) => words(x(value), foot, names[index] ?? "", "middle"));
  return { x, labels };
}

const LABEL_SPACE = 16;

/**
 * First and last day, and as many round days between as fit.
 * @param {Pair} span
 * @param {Pair} range
 * @param {(time: number) => number} place
 * @param {number} foot
 * @param {NumberText} dayText
 */
export function timeAxis([from, to], [start, end], place, foot, dayText) {
  if (from === to) return [words((start + end) / 2, foot, dayText(from), "middle")];
  /** @type {(time: number, x: number, anchor: Anchor) => ChartLabel} */
  const label = (time, x, anchor) => {
    const width = dayText(time).length * LETTER.width;
    const left = x - width * { start: 0, middle: 0.5, end: 1 }[anchor];
    return { left, right: left + width, shape: words(x, foot, dayText(time), anchor) };
  };
  const first = label(from, start, "start");
  const last = label(to, end, "end");
  const each = first.right - first.left + LABEL_SPACE;
  const between = timeTicks(from, to, Math.max(1, Math.floor((end - start) / each)))
    .map((time) => label(time, place(time), "middle"));
  return withoutCollisions([first, last, ...between]).map(({ shape }) => shape);
}

/** Omits labels that overlap earlier ones. @param {readonly ChartLabel[]} labels */
function withoutCollisions(labels) {
  /** @type {ChartLabel[]} */
  const kept = [];
  for (const one of labels) {
    const isClear = kept.every(({ left, right }) =>
      one.right + LABEL_SPACE <= left || right + LABEL_SPACE <= one.left
    );
    if (isClear) kept.push(one);
  }
  return kept;
}

export const HEIGHT = 180;

export const RADIUS = 3;

/** @type {Layout<ChartPoint, ChartTexts>} */
export function lineLayout(points, width, texts) {
  const inTime = points.toSorted((a, b) => a.time - b.time);
  const span = extent(points.map(({ time }) => time));
  const { shapes, x, y } = lineAxes(span, points.map(({ value }) => value), width, texts);
  return {
    height: HEIGHT + LINE + 4,
    shapes: [
      ...shapes,
      faint(path(inTime.map(({ time, value }) => [x(time), y(value)]))),
      ...inTime.map(({ time, value, text }) => dot(x(time), y(value), RADIUS, text)),
    ],
  };
}

/** Labels of an axis, at most. */
const MAX_LABELS = 3;

/**
 * A ground line below all values, at most three values and at most three days.
 * @param {Pair} span
 * @param {readonly number[]} all
 * @param {number} width
 * @param {ChartTexts} texts
 * @param {number} [beside] Room on the right.
 * @returns {LineAxes}
 */
export function lineAxes(span, all, width, texts, beside = RADIUS) {
  const { ends, values } = valueAxis(all);
  const names = values.map(texts.number);
  const longest = Math.max(...names.map(({ length }) => length));
  const [start, end] = [longest * LETTER.width + 12 + RADIUS, width - beside];
  const x = scale(span, [start, end]);
  const y = scale(ends, [HEIGHT, LETTER.size]);
  const lines = values.map(y).filter((at) => at < HEIGHT - 1);
  const axis = values.map((value, index) =>
    words(start - 8 - RADIUS, y(value) + LETTER.size / 3, names[index] ?? "", "end")
  );
  const times = timeAxis(span, [start, end], x, HEIGHT + LINE, texts.day);
  const middle = (start + end) / 2;
  const away = (/** @type {ChartShape} */ { attributes }) =>
    Math.abs(Number(attributes.x) - middle);
  // The first and the last day, and the one that is nearest to the middle.
  const between = times.slice(2).toSorted((a, b) => away(a) - away(b));
  return {
    x,
    y,
    shapes: [
      hairline(start, HEIGHT, end, HEIGHT, 0.5),
      ...lines.map((at) => hairline(start, at, end, at, 0.15)),
      ...axis,
      ...[...times.slice(0, 2), ...between].slice(0, MAX_LABELS),
    ],
  };
}

/**
 * Ends that leave some room, and round values between them. Values that are far apart begin at 0.
 * @param {readonly number[]} all
 */
function valueAxis(all) {
  const [low, high] = extent(all);
  const room = (high - low || Math.abs(high) || 1) / 12;
  const isFromZero = low >= 0 && low < high / 2;
  /** @type {Pair} */
  const ends = [isFromZero ? 0 : low - room, high + room];
  const inside = ticksWithin(ends, MAX_LABELS);
  if (inside.length > 1) return { ends, values: inside };
  const values = ticks(ends, MAX_LABELS - 1);
  return { ends: extent(values), values };
}

const MOMENT_RADIUS = 5;

const PERIOD_THICK = 8;

/** A line per kind; a dot for a moment, a bar for a period. @type {Layout<TimelineEvent>} */
export function timelineLayout(events, width, dayText) {
  const lanes = [...Map.groupBy(events, ({ lane }) => lane)];
  const times = events.flatMap(({ from, to = from }) => [from, to]);
  const span = extent(times);
  /** @type {Pair} */
  const range = [MOMENT_RADIUS, width - MOMENT_RADIUS];
  const x = scale(span, range);
  const each = 2 * LINE + MOMENT_RADIUS;
  const shapes = lanes.flatMap(([lane, members], index) => {
    const middle = index * each + LINE + MOMENT_RADIUS + 4;
    const top = middle - PERIOD_THICK / 2;
    return [
      words(0, index * each + LETTER.size, cutTo(lane, width)),
      hairline(0, middle, width, middle),
      ...members.map(({ from, to, text }) =>
        to === undefined
          ? dot(x(from), middle, MOMENT_RADIUS, text)
          : block(x(from), top, Math.max(2, x(to) - x(from)), PERIOD_THICK, text)
      ),
    ];
  });
  const foot = lanes.length * each + LINE;
  return { height: foot + 4, shapes: [...shapes, ...timeAxis(span, range, x, foot, dayText)] };
}
