/** Exact arithmetic with six decimals, in millionths; results are rounded half up, once. */

import { decimalOf } from "./decimals.ts";

const DECIMALS = 6;

/**
 * Returns millionths, rounded half up. 0.1234565 has 123457 millionths, although its binary
 * fraction is slightly smaller.
 *
 * @throws RangeError If the number is not finite.
 */
export function millionthsOf(value: number): bigint {
  return millionthsOfQuotient(value, 1);
}

/**
 * Divides the decimal forms, and rounds half up.
 *
 * @param divisor Greater than 0.
 * @throws RangeError If a number is not finite, or the divisor is 0.
 */
export function millionthsOfQuotient(dividend: number, divisor: number): bigint {
  const [one, other] = [decimalOf(dividend), decimalOf(divisor)];
  const shift = DECIMALS + one.power - other.power;
  return shift >= 0
    ? roundedQuotient(one.digits * 10n ** BigInt(shift), other.digits)
    : roundedQuotient(one.digits, other.digits * 10n ** BigInt(-shift));
}

export function fromMillionths(millionths: bigint): number {
  return Number(`${millionths}e-${DECIMALS}`);
}

/**
 * Divides, and rounds half up: -1/2 gives 0. Adding a whole number before or after rounding is
 * therefore the same.
 *
 * @param divisor Greater than 0.
 */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const [twice, per] = [2n * dividend + divisor, 2n * divisor];
  // BigInt division rounds towards 0.
  return twice / per - (twice % per < 0n ? 1n : 0n);
}
