/** Layout of a calibration. */

import { scale } from "../charts/scales.js";
import { dot, faint, hairline, LETTER, LINE, outlined, path, words } from "../charts/shapes.js";

const MAX_SIDE = 400;

const DOT = 5;

/** Room for a number next to a dot. */
const BESIDE = 3 * LETTER.width + DOT;

/**
 * A dot for each group of predictions, with their number and the interval of the observed share. A
 * dot of too few predictions is open and has no interval.
 * @param {readonly CalibrationGroup[]} groups
 * @param {number} width
 * @param {NumberText} shareText
 * @param {Record<"expected" | "observed", string>} names
 * @returns {ChartLayout}
 */
export function calibrationLayout(groups, width, shareText, names) {
  const shares = [0, 0.5, 1];
  const start = 5 * LETTER.width + 8;
  const end = Math.min(width, MAX_SIDE) - BESIDE;
  const size = end - start;
  const top = LINE + DOT;
  const x = scale([0, 1], [start, end]);
  const y = scale([0, 1], [size + top, top]);
  const axes = shares.flatMap((share) => [
    hairline(start, y(share), end, y(share), share === 0 ? 0.5 : 0.15),
    ...share === 0 ? [] : [hairline(x(share), y(0), x(share), y(1), 0.15)],
    words(start - 8, y(share) + LETTER.size / 3, shareText(share), "end"),
    words(x(share), y(0) + LINE, shareText(share), "middle"),
  ]);
  const shapes = groups.flatMap(({ expected, observed, interval, text }) => {
    const [at, height] = [x(expected), y(observed)];
    if (interval === null) return [outlined(dot(at, height, DOT - 1, text))];
    const [low, high] = interval;
    return [path([[at, y(low)], [at, y(high)]]), dot(at, height, DOT, text)];
  });
  return {
    height: size + top + 2 * LINE + 4,
    shapes: [
      ...axes,
      words(0, LETTER.size, names.observed),
      words(end, y(0) + 2 * LINE, names.expected, "end"),
      faint(path([[x(0), y(0)], [x(1), y(1)]], "quiet")),
      ...shapes,
      ...numbers(groups.map(({ expected, observed, count }) => ({
        at: x(expected),
        foot: y(observed) + LETTER.size / 3,
        text: String(count),
      }))),
    ],
  };
}

/**
 * Right of the dots, or left of one whose neighbour would be in the way.
 * @param {readonly { at: number, foot: number, text: string }[]} labels In order.
 */
function numbers(labels) {
  return labels.map(({ at, foot, text }, index) => {
    const next = labels[index + 1];
    const isFree = next === undefined || next.at - at > BESIDE + DOT ||
      Math.abs(next.foot - foot) > LINE;
    const [x, anchor] = isFree
      ? [at + DOT + 3, /** @type {const} */ ("start")]
      : [at - DOT - 3, /** @type {const} */ ("end")];
    return words(x, foot, text, anchor);
  });
}
