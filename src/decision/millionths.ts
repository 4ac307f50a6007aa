/**
 * Exact arithmetic with figures of six decimals. They are counted in millionths, which are whole numbers;
 * whatever does not come out even is rounded half up, once, at the end.
 */

/** How a number that is not negative reads as text: digits, fraction, power of ten. */
const DECIMAL = /^(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

const DECIMALS = 6;

/**
 * The millionths of a number, rounded half up.
 *
 * A number stands for the shortest decimal that reads as it, which is what its writer wrote, and not for
 * the binary fraction that is kept for it: 0.1234565 has 123457 millionths, although its fraction lies a
 * little below.
 *
 * @param value Finite, and not negative.
 * @throws RangeError Where it is not.
 */
export function millionthsOf(value: number): bigint {
  const [, whole, fraction = "", power = "0"] = DECIMAL.exec(String(value)) ?? [];
  if (whole === undefined) throw new RangeError("Cannot count millionths of such a number");
  const digits = BigInt(whole + fraction);
  const shift = DECIMALS + Number(power) - fraction.length;
  return shift >= 0
    ? digits * 10n ** BigInt(shift)
    : roundedQuotient(digits, 10n ** BigInt(-shift));
}

/** The number that is nearest to so many millionths. */
export function fromMillionths(millionths: bigint): number {
  return Number(`${millionths}e-${DECIMALS}`);
}

/**
 * A quotient rounded half up: of two whole numbers that are equally near the greater, so that -1/2 gives
 * 0. Adding a whole number before the rounding is therefore the same as adding it behind.
 *
 * @param divisor Greater than 0.
 */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const [twice, per] = [2n * dividend + divisor, 2n * divisor];
  // A division of integers cuts towards 0; what is negative has to be cut downwards.
  return twice / per - (twice % per < 0n ? 1n : 0n);
}
