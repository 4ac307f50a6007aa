/** The axis of time under a picture: its first and last day, and round ones between. */

import { timeTicks } from "./scales.js";
import { words } from "./shapes.js";

/** What a text of the axis needs. */
const DAY_WIDTH = 110;

/**
 * @param {readonly [number, number]} span In milliseconds since 1970.
 * @param {readonly [number, number]} range
 * @param {(time: number) => number} place
 * @param {number} foot Where the letters stand.
 * @param {(time: number) => string} dayText
 * @returns {import("./shapes.js").Shape[]}
 */
export function timeAxis([from, to], [start, end], place, foot, dayText) {
  if (from === to) return [words((start + end) / 2, foot, dayText(from), "middle")];
  const between = timeTicks(from, to, Math.max(1, Math.floor((end - start) / DAY_WIDTH)))
    .filter((time) => place(time) - start > DAY_WIDTH && end - place(time) > DAY_WIDTH);
  return [
    words(start, foot, dayText(from)),
    ...between.map((time) => words(place(time), foot, dayText(time), "middle")),
    words(end, foot, dayText(to), "end"),
  ];
}
