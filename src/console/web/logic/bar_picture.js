/** Bar charts: columns for a few short names, otherwise rows. */

import { scale, ticks } from "./scales.js";
import { block, cutTo, dot, hairline, LETTER, LINE, words } from "./shapes.js";

/** @typedef {{ name: string, value: number, text: string }} Bar */
/** @typedef {{ name: string, low: number, middle: number, high: number, text: string }} Span */

const HEIGHT = 160;
const THICK = 12;

/**
 * Vertical bars.
 *
 * @param {readonly Bar[]} bars At least one; values not below 0.
 * @param {number} width
 * @param {(value: number) => string} numberText
 * @returns {import("./shapes.js").Layout}
 */
export function columnLayout(bars, width, numberText) {
  const values = ticks([0, ...bars.map(({ value }) => value)], 3);
  const names = values.map(numberText);
  const start = Math.max(...names.map(({ length }) => length)) * LETTER.width + 8;
  const y = scale([0, values.at(-1) ?? 1], [HEIGHT, LETTER.size]);
  const each = (width - start) / bars.length;
  const lines = values.flatMap((value, index) => [
    hairline(start, y(value), width, y(value)),
    words(start - 8, y(value) + LETTER.size / 3, names[index] ?? "", "end"),
  ]);
  const columns = bars.flatMap(({ name, value, text }, index) => [
    block(start + each * (index + 0.15), y(value), each * 0.7, HEIGHT - y(value), text),
    words(start + each * (index + 0.5), HEIGHT + LINE, cutTo(name, each), "middle"),
  ]);
  return { height: HEIGHT + LINE + 4, shapes: [...lines, ...columns] };
}

/**
 * Horizontal bars, each under its name.
 *
 * @param {readonly Bar[]} bars At least one.
 * @param {number} width
 * @param {(value: number) => string} numberText
 * @returns {import("./shapes.js").Layout}
 */
export function rowLayout(bars, width, numberText) {
  const values = ticks([0, ...bars.map(({ value }) => value)], 4);
  return rows(bars, values, width, numberText, ({ value, text }, x, top) => {
    const [left, right] = [x(0), x(value)].toSorted((a, b) => a - b);
    return [block(left ?? 0, top, (right ?? 0) - (left ?? 0), THICK, text)];
  });
}

/**
 * Ranges from low to high with a dot in the middle, each under its name.
 *
 * @param {readonly Span[]} spans At least one.
 * @param {number} width
 * @param {(value: number) => string} numberText
 * @returns {import("./shapes.js").Layout}
 */
export function spanLayout(spans, width, numberText) {
  const values = ticks(spans.flatMap(({ low, middle, high }) => [low, middle, high]), 4);
  return rows(spans, values, width, numberText, ({ low, middle, high, text }, x, top) => [
    block(x(low), top + THICK / 3, x(high) - x(low), THICK / 3, text),
    dot(x(middle), top + THICK / 2, THICK / 2, text),
  ]);
}

/**
 * @template {{ name: string }} Row
 * @param {readonly Row[]} named
 * @param {readonly number[]} values
 * @param {number} width
 * @param {(value: number) => string} numberText
 * @param {(row: Row, x: (value: number) => number, top: number) => readonly import("./shapes.js").Shape[]}
 * draw
 */
function rows(named, values, width, numberText, draw) {
  const [first, last] = [values[0] ?? 0, values.at(-1) ?? 1];
  const names = values.map(numberText);
  const margin = Math.max(...names.map(({ length }) => length)) * LETTER.width / 2 + 4;
  const x = scale([first, last], [margin, width - margin]);
  const each = LINE + THICK + 10;
  const foot = named.length * each;
  const lines = values.flatMap((value, index) => [
    hairline(x(value), 0, x(value), foot),
    words(x(value), foot + LINE, names[index] ?? "", "middle"),
  ]);
  const drawn = named.flatMap((row, index) => [
    words(0, index * each + LETTER.size, cutTo(row.name, width)),
    ...draw(row, x, index * each + LINE),
  ]);
  return { height: foot + LINE + 4, shapes: [...lines, ...drawn] };
}
