/** Wilson interval of a frequency. Pure. */

import { fromMillionths, millionthsOf } from "../core/millionths.ts";

/** The normal quantile of 95 %. */
const Z = 1.959963984540054;

interface Interval {
  readonly low: number | null;
  readonly high: number | null;
}

/**
 * Returns the interval of the frequency `occurred / count` at 95 %, with six decimals, rounded half
 * up; nulls if `count` is 0.
 */
export function wilsonInterval(occurred: number, count: number): Interval {
  if (count === 0) return { low: null, high: null };
  const centre = 2 * occurred + Z * Z;
  const half = Z * Math.sqrt(Z * Z + 4 * occurred * (count - occurred) / count);
  const rounded = (end: number) => fromMillionths(millionthsOf(end / (2 * (count + Z * Z))));
  return { low: rounded(centre - half), high: rounded(centre + half) };
}
