/** A line per kind, with a dot for a moment and a bar for a period. */

import { scale } from "./scales.js";
import { block, cutTo, dot, hairline, LETTER, LINE, words } from "./shapes.js";
import { timeAxis } from "./time_axis.js";

/**
 * @typedef {object} Event Times are in milliseconds since 1970.
 * @property {string} lane
 * @property {number} from
 * @property {number} [to] Undefined for a moment.
 * @property {string} text
 */

const RADIUS = 5;
const THICK = 8;

/**
 * @param {readonly Event[]} events At least one, in any order; lanes are ordered by their first event.
 * @param {number} width
 * @param {(time: number) => string} dayText
 * @returns {import("./shapes.js").Layout}
 */
export function timelineLayout(events, width, dayText) {
  const lanes = [...Map.groupBy(events, ({ lane }) => lane)];
  const times = events.flatMap(({ from, to = from }) => [from, to]);
  const span = /** @type {const} */ ([Math.min(...times), Math.max(...times)]);
  const range = /** @type {const} */ ([RADIUS, width - RADIUS]);
  const x = scale(span, range);
  const each = 2 * LINE + RADIUS;
  const shapes = lanes.flatMap(([lane, members], index) => {
    const middle = index * each + LINE + RADIUS + 4;
    return [
      words(0, index * each + LETTER.size, cutTo(lane, width)),
      hairline(0, middle, width, middle),
      ...members.map(({ from, to, text }) =>
        to === undefined
          ? dot(x(from), middle, RADIUS, text)
          : block(x(from), middle - THICK / 2, Math.max(2, x(to) - x(from)), THICK, text)
      ),
    ];
  });
  const foot = lanes.length * each + LINE;
  return { height: foot + 4, shapes: [...shapes, ...timeAxis(span, range, x, foot, dayText)] };
}
