/** Predicted probability against actual frequency; equal on the diagonal. */

import { scale } from "./scales.js";
import { dot, hairline, LETTER, LINE, words } from "./shapes.js";

/** @typedef {{ expected: number, observed: number, count: number, text: string }} Group From 0 to 1. */

const MAX_WIDTH = 400;
const MAX_RADIUS = 9;
const MIN_RADIUS = 4;

/**
 * @param {readonly Group[]} groups
 * @param {number} width
 * @param {(share: number) => string} shareText
 * @param {{ expected: string, observed: string }} names Of the axes, across and up.
 * @returns {import("./shapes.js").Layout}
 */
export function reliabilityLayout(groups, width, shareText, names) {
  const shares = [0, 0.25, 0.5, 0.75, 1];
  const start = 5 * LETTER.width + 8;
  const end = Math.min(width, MAX_WIDTH) - 3 * LETTER.width;
  const size = end - start;
  const top = LINE + MAX_RADIUS;
  const x = scale([0, 1], [start, end]);
  const y = scale([0, 1], [size + top, top]);
  const most = Math.max(1, ...groups.map(({ count }) => count));
  const axes = shares.flatMap((share) => [
    hairline(start, y(share), end, y(share)),
    hairline(x(share), y(0), x(share), y(1)),
    words(start - 8, y(share) + LETTER.size / 3, shareText(share), "end"),
    words(x(share), y(0) + LINE, shareText(share), "middle"),
  ]);
  const diagonal = hairline(x(0), y(0), x(1), y(1));
  const dots = groups.map(({ expected, observed, count, text }) => {
    // Area is proportional to count.
    const radius = Math.max(MIN_RADIUS, MAX_RADIUS * Math.sqrt(count / most));
    return dot(x(expected), y(observed), radius, text);
  });
  return {
    height: size + top + 2 * LINE + 4,
    shapes: [
      ...axes,
      words(0, LETTER.size, names.observed),
      words(end, y(0) + 2 * LINE, names.expected, "end"),
      { ...diagonal, attributes: { ...diagonal.attributes, "stroke-opacity": 1 } },
      ...dots,
    ],
  };
}
