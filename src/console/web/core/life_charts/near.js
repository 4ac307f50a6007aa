/** Layout of the days since the last contact. */

import { scale } from "../charts/scales.js";
import { block, cutTo, hairline, LETTER, LINE, outlined, path, words } from "../charts/shapes.js";

const BAR = 10;

/** The mark of the wish is longer than the bar is thick. */
const MARK = 3;

const ROW = LINE + BAR + 14;

const ARROW = 6;

/**
 * A bar a person, full up to the wish and open beyond it. Bars end at twice the longest wish, with
 * an arrow if they are longer, so that one old contact does not hide all others.
 * @param {readonly NearBar[]} bars @param {number} width
 * @returns {ChartLayout}
 */
export function nearLayout(bars, width) {
  const longest = Math.max(...bars.map(({ days, wish }) => Math.max(days, wish)));
  const end = Math.min(longest, 2 * Math.max(...bars.map(({ wish }) => wish)));
  const x = scale([0, end], [MARK, width - ARROW - MARK]);
  const shapes = bars.flatMap(({ name, state, days, wish, text }, index) => {
    const top = index * ROW + LINE + MARK;
    const middle = top + BAR / 2;
    const reach = x(Math.min(days, end));
    const full = Math.min(reach, x(wish));
    return [
      words(0, index * ROW + LETTER.size, cutTo(name, width - (state.length + 2) * LETTER.width)),
      words(width, index * ROW + LETTER.size, state, "end"),
      hairline(x(0), middle, x(end), middle),
      block(x(0), top, full - x(0), BAR, text),
      ...days > wish ? [outlined(block(full, top + 1, reach - full, BAR - 2, text))] : [],
      ...days > end ? [path([[reach, top], [reach + ARROW, middle], [reach, top + BAR]])] : [],
      path([[x(wish), top - MARK], [x(wish), top + BAR + MARK]]),
    ];
  });
  return { height: bars.length * ROW, shapes };
}
