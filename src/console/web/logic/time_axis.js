/** A time axis: first and last day, and as many round days between as fit. */

import { timeTicks } from "./scales.js";
import { LETTER, words } from "./shapes.js";

/** Minimum gap between labels. */
const SPACE = 16;

/** @typedef {{ left: number, right: number, shape: import("./shapes.js").Shape }} Label */

/**
 * @param {readonly [number, number]} span In milliseconds since 1970.
 * @param {readonly [number, number]} range
 * @param {(time: number) => number} place
 * @param {number} foot Baseline of the labels.
 * @param {(time: number) => string} dayText
 * @returns {import("./shapes.js").Shape[]}
 */
export function timeAxis([from, to], [start, end], place, foot, dayText) {
  if (from === to) return [words((start + end) / 2, foot, dayText(from), "middle")];
  const label = (
    /** @type {number} */ time,
    /** @type {number} */ x,
    /** @type {"start" | "middle" | "end"} */ anchor,
  ) => {
    const width = dayText(time).length * LETTER.width;
    const left = x - width * { start: 0, middle: 0.5, end: 1 }[anchor];
    return { left, right: left + width, shape: words(x, foot, dayText(time), anchor) };
  };
  const first = label(from, start, "start");
  const last = label(to, end, "end");
  const each = first.right - first.left + SPACE;
  const between = timeTicks(from, to, Math.max(1, Math.floor((end - start) / each)))
    .map((time) => label(time, place(time), "middle"));
  return withoutCollisions([first, last, ...between]).map(({ shape }) => shape);
}

/**
 * Omits labels that overlap earlier ones.
 *
 * @param {readonly Label[]} labels Most important first.
 */
function withoutCollisions(labels) {
  /** @type {Label[]} */
  const kept = [];
  for (const one of labels) {
    const isClear = kept.every(({ left, right }) =>
      one.right + SPACE <= left || right + SPACE <= one.left
    );
    if (isClear) kept.push(one);
  }
  return kept;
}
