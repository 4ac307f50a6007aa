/** Exact fractions in lowest terms. */

/** An exact fraction with a positive denominator. */
export class Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;

  constructor(numerator: bigint, denominator = 1n) {
    const sign = denominator < 0n ? -1n : 1n;
    const divisor = sign * greatestCommonDivisor(numerator, denominator);
    this.numerator = numerator / divisor;
    this.denominator = denominator / divisor;
  }

  plus(other: Fraction): Fraction {
    return new Fraction(
      this.numerator * other.denominator + other.numerator * this.denominator,
      this.denominator * other.denominator,
    );
  }

  minus(other: Fraction): Fraction {
    return this.plus(other.times(new Fraction(-1n)));
  }

  times(other: Fraction): Fraction {
    return new Fraction(
      this.numerator * other.numerator,
      this.denominator * other.denominator,
    );
  }

  over(other: Fraction): Fraction {
    return new Fraction(
      this.numerator * other.denominator,
      this.denominator * other.numerator,
    );
  }

  /** Negative, 0 or positive. */
  compare(other: Fraction): number {
    const { numerator } = this.minus(other);
    return numerator < 0n ? -1 : numerator > 0n ? 1 : 0;
  }

  absolute(): Fraction {
    return this.numerator < 0n ? ZERO.minus(this) : this;
  }

  /** Rounds half up. */
  rounded(): bigint {
    const { numerator, denominator } = this.plus(new Fraction(1n, 2n));
    const rest = numerator % denominator;
    return (numerator - (rest < 0n ? rest + denominator : rest)) / denominator;
  }

  /** Rounds to six decimals. */
  toNumber(): number {
    const millionths = this.times(new Fraction(1_000_000n)).rounded();
    const digits = String(millionths < 0n ? -millionths : millionths).padStart(7, "0");
    const size = Number(`${digits.slice(0, -6)}.${digits.slice(-6)}`);
    return millionths < 0n ? -size : size;
  }
}

export const ZERO: Fraction = new Fraction(0n);

export function sumOf(fractions: readonly Fraction[]): Fraction {
  return fractions.reduce((sum, fraction) => sum.plus(fraction), ZERO);
}

function greatestCommonDivisor(one: bigint, other: bigint): bigint {
  while (other !== 0n) [one, other] = [other, one % other];
  return one < 0n ? -one : one || 1n;
}
