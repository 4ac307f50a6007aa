/** Layout of a few counts. */

import { scale } from "../charts/scales.js";
import { block, cutTo, hairline, LETTER, strong, words } from "../charts/shapes.js";

const COUNT_ROW = 28;

const COUNT_BAR = 8;

/**
 * A bar a count, after its name and its number. An axis would say no more than the numbers.
 * @type {Layout<ChartBar>}
 */
export function countLayout(counts, width, numberText) {
  const numbers = counts.map(({ value }) => numberText(value));
  const widest = (/** @type {readonly string[]} */ texts) =>
    Math.max(...texts.map(({ length }) => length)) * LETTER.width;
  const names = Math.min(width * 0.45, widest(counts.map(({ name }) => name)));
  const middle = names + 8 + widest(numbers);
  const start = middle + 12;
  const x = scale([0, Math.max(1, ...counts.map(({ value }) => value))], [start, width]);
  const shapes = counts.flatMap(({ name, value, text }, index) => {
    const top = index * COUNT_ROW;
    const foot = top + LETTER.size;
    return [
      words(0, foot, cutTo(name, names)),
      strong(words(middle, foot, numbers[index] ?? "", "end")),
      hairline(start, foot - COUNT_BAR / 2 - 1, width, foot - COUNT_BAR / 2 - 1),
      block(start, foot - COUNT_BAR - 1, x(value) - start, COUNT_BAR, text),
    ];
  });
  return { height: counts.length * COUNT_ROW, shapes };
}
