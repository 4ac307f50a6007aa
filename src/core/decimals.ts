/** Numbers as the decimals that JSON writes, for exact arithmetic: 0.1 is one tenth. */

const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?(?:e([+-]\d+))?$/;

/** Bits of a double's fraction, after the first one. */
const FRACTION_BITS = 52;

/** The exponent of the smallest double. */
const MIN_EXPONENT = -1074;

/** Digits times a power of ten. */
export interface Decimal {
  readonly digits: bigint;
  readonly power: number;
}

/**
 * Returns the shortest decimal of a number, instead of its binary fraction.
 *
 * @throws RangeError If the number is not finite.
 */
export function decimalOf(value: number): Decimal {
  const [, sign, whole, fraction = "", power = "0"] = DECIMAL.exec(String(value)) ?? [];
  if (whole === undefined) throw new RangeError("Cannot write such a number as a decimal");
  return { digits: BigInt(`${sign}${whole}${fraction}`), power: Number(power) - fraction.length };
}

/**
 * Returns the double nearest to a quotient, the even one of two.
 *
 * @param denominator Greater than 0.
 */
export function nearestDouble(numerator: bigint, denominator: bigint): number {
  if (numerator < 0n) return -nearestDouble(-numerator, denominator);
  if (numerator === 0n) return 0;
  const exponent = Math.max(binaryExponent(numerator, denominator) - FRACTION_BITS, MIN_EXPONENT);
  const dividend = shifted(numerator, -exponent);
  const divisor = shifted(denominator, exponent);
  const quotient = dividend / divisor;
  const twiceRest = 2n * (dividend % divisor);
  const isUp = twiceRest > divisor || (twiceRest === divisor && quotient % 2n === 1n);
  return Number(isUp ? quotient + 1n : quotient) * 2 ** exponent;
}

/** The exponent of the largest power of two that is not larger than the quotient. */
function binaryExponent(numerator: bigint, denominator: bigint): number {
  const size = bitsOf(numerator) - bitsOf(denominator);
  return shifted(numerator, -size) >= shifted(denominator, size) ? size : size - 1;
}

function bitsOf(value: bigint): number {
  return value.toString(2).length;
}

/** Shifts to the left; unchanged by a negative number of bits. */
function shifted(value: bigint, bits: number): bigint {
  return value << BigInt(Math.max(bits, 0));
}
