/** Layout of distributions. */

import { rowAxis } from "./layouts.js";
import { extent, ticks } from "./scales.js";
import { area, cutTo, dot, hairline, LETTER, LINE, path, words } from "./shapes.js";

const CURVE = 44;

const GAP = 10;

const POINTS = 48;

/** The 5% and 95% quantiles of a normal distribution, in standard deviations. */
const QUANTILE = 1.645;

/** Half the width of a curve, in standard deviations. */
const REACH = 2.6;

/**
 * Distributions of options: each under its name, over the outlines of the others. The curves are
 * normal on each side of the middle, through the low and high values (5% and 95%).
 * @type {Layout<SpreadBar>}
 */
export function spreadLayout(spreads, width, numberText) {
  const ends = spreads.flatMap(({ low, high }) => [low, high]);
  const [low, high] = extent(ends);
  // A certain value is a narrow peak, which leaves the others visible.
  const least = (high - low) / 40 || Math.abs(low) / 100 || 0.01;
  const curves = spreads.map((spread) => curveOf(spread, least));
  const values = ticks(curves.flatMap(({ places }) => places.map(([value]) => value)), 4);
  const { x, labels } = rowAxis(values, width, numberText);
  const [left, right] = extent(values);
  const highest = Math.max(...curves.map(({ peak }) => peak));
  const each = LINE + CURVE + GAP;
  const rows = spreads.flatMap(({ name, middle, text }, index) => {
    const foot = index * each + LINE + CURVE;
    const drawn = curves.map(({ places }) =>
      places.map((
        [value, density],
      ) => /** @type {Pair} */ ([x(value), foot - density / highest * CURVE]))
    );
    return [
      words(0, index * each + LETTER.size, cutTo(name, width)),
      hairline(x(left), foot, x(right), foot),
      ...values.map((value) => hairline(x(value), foot - CURVE, x(value), foot)),
      area(drawn[index] ?? [], text),
      ...drawn.filter((_, other) => other !== index).map((places) => path(places, "quiet")),
      dot(x(middle), foot, 4, text),
    ];
  });
  const foot = spreads.length * each + LINE - GAP;
  return { height: foot + 4, shapes: [...rows, ...labels(foot)] };
}

/** @param {SpreadBar} spread @param {number} least */
function curveOf({ low, middle, high }, least) {
  const left = Math.max((middle - low) / QUANTILE, least);
  const right = Math.max((high - middle) / QUANTILE, least);
  // Both sides together have the area 1, but for a constant.
  const peak = 2 / (left + right);
  const places = Array.from({ length: POINTS + 1 }, (_, index) => {
    const at = (index / POINTS * 2 - 1) * REACH;
    const value = middle + at * (at < 0 ? left : right);
    return /** @type {Pair} */ ([value, peak * Math.exp(-at * at / 2)]);
  });
  return { places, peak };
}
