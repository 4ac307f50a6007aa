/**
 * Quantile of the standard normal distribution. Uses only + − × ÷ and the square root, which every
 * engine rounds alike to the last bit, unlike `Math.log` and similar functions.
 */

/** AS 241, PPND16 (Wichura, 1988): coefficients of its two branches, highest power first. */
const CENTRE_NUMERATOR = [
  2509.0809287301226727,
  33430.575583588128105,
  67265.770927008700853,
  45921.953931549871457,
  13731.693765509461125,
  1971.5909503065514427,
  133.14166789178437745,
  3.387132872796366608,
];
const CENTRE_DENOMINATOR = [
  5226.495278852854561,
  28729.085735721942674,
  39307.89580009271061,
  21213.794301586595867,
  5394.1960214247511077,
  687.1870074920579083,
  42.313330701600911252,
  1,
];
const TAIL_NUMERATOR = [
  7.7454501427834140764e-4,
  0.0227238449892691845833,
  0.24178072517745061177,
  1.27045825245236838258,
  3.64784832476320460504,
  5.7694972214606914055,
  4.6303378461565452959,
  1.42343711074968357734,
];
const TAIL_DENOMINATOR = [
  1.05075007164441684324e-9,
  5.475938084995344946e-4,
  0.0151986665636164571966,
  0.14810397642748007459,
  0.68976733498510000455,
  1.6763848301838038494,
  2.05319162663775882187,
  1,
];

const HALF_ROOT = 0.7071067811865476;
const LN_2 = 0.6931471805599453;
const LAST_RECIPROCAL = 1 / 23;
const RECIPROCALS = [21, 19, 17, 15, 13, 11, 9, 7, 5, 3, 1].map((odd) => 1 / odd);

/**
 * The value that a standard normal variable stays below with probability `u`.
 *
 * @param u From 2⁻³³ to 1 − 2⁻³³. (AS 241's third branch, below e⁻²⁵, is not needed here.)
 */
export function normalQuantile(u: number): number {
  const q = u - 0.5;
  if (Math.abs(q) <= 0.425) {
    const r = 0.180625 - q * q;
    return q * polynomial(CENTRE_NUMERATOR, r) / polynomial(CENTRE_DENOMINATOR, r);
  }
  const r = Math.sqrt(negativeLogarithm(Math.min(u, 1 - u))) - 1.6;
  const distance = polynomial(TAIL_NUMERATOR, r) / polynomial(TAIL_DENOMINATOR, r);
  return q < 0 ? -distance : distance;
}

/** −ln p for 0 < p ≤ 1, by the series of the inverse hyperbolic tangent. */
function negativeLogarithm(p: number): number {
  let mantissa = p;
  let exponent = 0;
  while (mantissa < HALF_ROOT) {
    mantissa *= 2;
    exponent++;
  }
  const t = (mantissa - 1) / (mantissa + 1);
  const square = t * t;
  let sum = LAST_RECIPROCAL;
  for (let index = 0; index < RECIPROCALS.length; index++) {
    sum = sum * square + (RECIPROCALS[index] as number);
  }
  return exponent * LN_2 - 2 * t * sum;
}

/** Horner's scheme, by index: half the time of an iterator. */
function polynomial(coefficients: readonly number[], x: number): number {
  let sum = 0;
  for (let index = 0; index < coefficients.length; index++) {
    sum = sum * x + (coefficients[index] as number);
  }
  return sum;
}
