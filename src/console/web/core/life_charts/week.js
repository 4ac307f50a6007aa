/** Layout of a few counts. */

import { scale } from "../charts/scales.js";
import { block, cutTo, hairline, LETTER, words } from "../charts/shapes.js";

const COUNT_ROW = 26;

const COUNT_BAR = 12;

/**
 * A bar a count, between its name and its number. An axis would say no more than the numbers.
 * @type {Layout<ChartBar>}
 */
export function countLayout(counts, width, numberText) {
  const numbers = counts.map(({ value }) => numberText(value));
  const widest = (/** @type {readonly string[]} */ texts) =>
    Math.max(...texts.map(({ length }) => length)) * LETTER.width;
  const start = Math.min(width * 0.45, widest(counts.map(({ name }) => name)) + 8);
  const end = width - widest(numbers) - 8;
  const x = scale([0, Math.max(1, ...counts.map(({ value }) => value))], [start, end]);
  const shapes = counts.flatMap(({ name, value, text }, index) => {
    const top = index * COUNT_ROW;
    const foot = top + LETTER.size;
    return [
      words(0, foot, cutTo(name, start)),
      hairline(start, foot, end, foot),
      block(start, foot - COUNT_BAR, x(value) - start, COUNT_BAR, text),
      words(width, foot, numbers[index] ?? "", "end"),
    ];
  });
  return { height: counts.length * COUNT_ROW, shapes };
}
