/**
 * Exact arithmetic with figures of six decimals. They are counted in millionths, which are whole numbers;
 * whatever does not come out even is rounded half up, once, at the end.
 */

/** How a finite number reads as text: sign, digits, fraction, power of ten. */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

const DECIMALS = 6;

/** Whole digits times a power of ten. */
interface Decimal {
  readonly digits: bigint;
  readonly power: number;
}

/**
 * The shortest decimal that reads as a number: what its writer wrote, and not the binary fraction that is
 * kept for it.
 *
 * @throws RangeError Where the number is not finite.
 */
function decimalOf(value: number): Decimal {
  const [, sign, whole, fraction = "", power = "0"] = DECIMAL.exec(String(value)) ?? [];
  if (whole === undefined) throw new RangeError("Cannot write such a number as a decimal");
  return { digits: BigInt(`${sign}${whole}${fraction}`), power: Number(power) - fraction.length };
}

/**
 * The millionths of a number, rounded half up. 0.1234565 has 123457 millionths, although the binary
 * fraction that is kept for it lies a little below.
 *
 * @param value Finite.
 * @throws RangeError Where it is not.
 */
export function millionthsOf(value: number): bigint {
  return millionthsOfQuotient(value, 1);
}

/**
 * The millionths of a quotient of two numbers, rounded half up: those of what was written, as above.
 *
 * @param dividend Finite, like the divisor.
 * @param divisor Greater than 0.
 * @throws RangeError Where one of them is not finite, or the divisor is 0.
 */
export function millionthsOfQuotient(dividend: number, divisor: number): bigint {
  const [one, other] = [decimalOf(dividend), decimalOf(divisor)];
  const shift = DECIMALS + one.power - other.power;
  return shift >= 0
    ? roundedQuotient(one.digits * 10n ** BigInt(shift), other.digits)
    : roundedQuotient(one.digits, other.digits * 10n ** BigInt(-shift));
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
