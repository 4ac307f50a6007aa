/**
 * Exact arithmetic with six decimals. Numbers are counted in millionths, which are whole numbers; results
 * are rounded half up, once, at the end.
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
 * The shortest decimal that reads as a number, instead of its binary fraction.
 *
 * @throws RangeError If the number is not finite.
 */
function decimalOf(value: number): Decimal {
  const [, sign, whole, fraction = "", power = "0"] = DECIMAL.exec(String(value)) ?? [];
  if (whole === undefined) throw new RangeError("Cannot write such a number as a decimal");
  return { digits: BigInt(`${sign}${whole}${fraction}`), power: Number(power) - fraction.length };
}

/**
 * The millionths of a number, rounded half up. 0.1234565 has 123457 millionths, although its binary
 * fraction is slightly smaller.
 *
 * @param value Finite.
 * @throws RangeError If it is not.
 */
export function millionthsOf(value: number): bigint {
  return millionthsOfQuotient(value, 1);
}

/**
 * The millionths of a quotient of two numbers, rounded half up, from their decimal forms as above.
 *
 * @param dividend Finite, like the divisor.
 * @param divisor Greater than 0.
 * @throws RangeError If one of them is not finite, or the divisor is 0.
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
 * A quotient rounded half up: of two equally near whole numbers the greater one, so that -1/2 gives 0.
 * Adding a whole number before rounding is therefore the same as adding it afterwards.
 *
 * @param divisor Greater than 0.
 */
export function roundedQuotient(dividend: bigint, divisor: bigint): bigint {
  const [twice, per] = [2n * dividend + divisor, 2n * divisor];
  // BigInt division rounds towards 0; a negative quotient must be rounded down.
  return twice / per - (twice % per < 0n ? 1n : 0n);
}
