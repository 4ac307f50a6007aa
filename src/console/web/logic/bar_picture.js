/** Bar charts in rows. */

import { scale, ticks } from "./scales.js";
import { block, cutTo, hairline, LETTER, LINE, words } from "./shapes.js";

/** @typedef {{ name: string, value: number, text: string }} Bar */

const THICK = 12;

/**
 * Horizontal bars, each under its name. The axis lines run behind the bars alone, so that they do not
 * cross the names.
 *
 * @param {readonly Bar[]} bars At least one.
 * @param {number} width
 * @param {(value: number) => string} numberText
 * @returns {import("./shapes.js").Layout}
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
 *
 * @param {readonly number[]} values Labelled ones, ascending.
 * @param {number} width
 * @param {(value: number) => string} numberText
 */
export function rowAxis(values, width, numberText) {
  const names = values.map(numberText);
  const margin = Math.max(...names.map(({ length }) => length)) * LETTER.width / 2 + 4;
  const x = scale([values[0] ?? 0, values.at(-1) ?? 1], [margin, width - margin]);
  const labels = (/** @type {number} */ foot) =>
    values.map((value, index) => words(x(value), foot, names[index] ?? "", "middle"));
  return { x, labels };
}
