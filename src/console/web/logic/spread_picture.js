/** Distributions of options: each under its name, over the outlines of the others. */

import {
  area,
  cutTo,
  dot,
  hairline,
  LETTER,
  LINE,
  path,
  rowAxis,
  ticks,
  words,
} from "./pictures.js";

const CURVE = 44;
const GAP = 10;
const POINTS = 48;
/** The 5% and 95% quantiles of a normal distribution, in standard deviations. */
const QUANTILE = 1.645;
/** Half the width of a curve, in standard deviations. */
const REACH = 2.6;

/**
 * The curves are normal on each side of the middle, through the low and high values (5% and 95%).
 * @param {readonly SpreadBar[]} spreads At least one.
 * @param {number} width
 * @param {(value: number) => string} numberText
 * @returns {ChartLayout}
 */
export function spreadLayout(spreads, width, numberText) {
  const ends = spreads.flatMap(({ low, high }) => [low, high]);
  const range = Math.max(...ends) - Math.min(...ends);
  // A certain value is a narrow peak, which leaves the others visible.
  const least = range / 40 || Math.abs(ends[0] ?? 0) / 100 || 0.01;
  const curves = spreads.map((spread) => curveOf(spread, least));
  const values = ticks(curves.flatMap(({ places }) => places.map(([value]) => value)), 4);
  const { x, labels } = rowAxis(values, width, numberText);
  const highest = Math.max(...curves.map(({ peak }) => peak));
  const each = LINE + CURVE + GAP;
  const rows = spreads.flatMap(({ name, middle, text }, index) => {
    const foot = index * each + LINE + CURVE;
    const drawn = curves.map(({ places }) =>
      places.map(([value, density]) => /** @type {const} */ ([
        x(value),
        foot - density / highest * CURVE,
      ]))
    );
    return [
      words(0, index * each + LETTER.size, cutTo(name, width)),
      hairline(x(values[0] ?? 0), foot, x(values.at(-1) ?? 1), foot),
      ...values.map((value) => hairline(x(value), foot - CURVE, x(value), foot)),
      area(drawn[index] ?? [], text),
      ...drawn.filter((_, other) => other !== index).map((places) => path(places, "quiet")),
      dot(x(middle), foot, 4, text),
    ];
  });
  const foot = spreads.length * each + LINE - GAP;
  return { height: foot + 4, shapes: [...rows, ...labels(foot)] };
}

/** @param {SpreadBar} spread @param {number} least Standard deviation. */
function curveOf({ low, middle, high }, least) {
  const left = Math.max((middle - low) / QUANTILE, least);
  const right = Math.max((high - middle) / QUANTILE, least);
  // Both sides together have the area 1, but for a constant.
  const peak = 2 / (left + right);
  const places = Array.from({ length: POINTS + 1 }, (_, index) => {
    const at = (index / POINTS * 2 - 1) * REACH;
    const value = middle + at * (at < 0 ? left : right);
    return /** @type {const} */ ([value, peak * Math.exp(-at * at / 2)]);
  });
  return { places, peak };
}
