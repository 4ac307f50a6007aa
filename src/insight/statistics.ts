/** Statistics of stored numbers. Each is the double nearest to the exact decimal result. Pure. */

import { decimalOf, nearestDouble } from "../core/decimals.ts";

export interface Statistics {
  readonly sum: number;
  readonly minimum: number;
  /** The mean of the two in the middle, if the count is even. */
  readonly median: number;
  readonly maximum: number;
  readonly mean: number;
}

/** Collects numbers. */
export class Sample {
  readonly #values: number[] = [];
  readonly #sum = new ExactSum();

  get count(): number {
    return this.#values.length;
  }

  /** @param value A finite number. */
  add(value: number): void {
    this.#values.push(value);
    this.#sum.add(value);
  }

  /** @throws RangeError without a number. */
  statistics(): Statistics {
    const sorted = Float64Array.from(this.#values).sort();
    const minimum = sorted.at(0);
    const maximum = sorted.at(-1);
    if (minimum === undefined || maximum === undefined) throw new RangeError("There is no number");
    const middle = (sorted.length - 1) / 2;
    return {
      sum: this.#sum.dividedBy(1),
      minimum,
      median: meanOf([sorted[Math.floor(middle)] ?? minimum, sorted[Math.ceil(middle)] ?? maximum]),
      maximum,
      mean: this.#sum.dividedBy(sorted.length),
    };
  }
}

function meanOf(values: readonly number[]): number {
  const sum = new ExactSum();
  for (const value of values) sum.add(value);
  return sum.dividedBy(values.length);
}

class ExactSum {
  /** The sums of digits by their power of ten. */
  readonly #digits = new Map<number, bigint>();

  add(value: number): void {
    const { digits, power } = decimalOf(value);
    this.#digits.set(power, (this.#digits.get(power) ?? 0n) + digits);
  }

  /** Returns the double nearest to the quotient. */
  dividedBy(divisor: number): number {
    const least = Math.min(0, ...this.#digits.keys());
    const numerator = this.#digits.entries().reduce(
      (sum, [power, digits]) => sum + digits * 10n ** BigInt(power - least),
      0n,
    );
    return nearestDouble(numerator, BigInt(divisor) * 10n ** BigInt(-least));
  }
}
