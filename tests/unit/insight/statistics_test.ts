import { assert, assertEquals } from "@std/assert";
import { Sample } from "../../../src/insight/statistics.ts";
import { Fraction, sumOf } from "../../support/fractions.ts";
import { type Random, seededRandom } from "../../support/random.ts";

Deno.test("statistics use the written decimals, and round once", () => {
  const cases: readonly [readonly number[], number, number, number][] = [
    // Sum, median, mean.
    [[0.1, 0.2], 0.3, 0.15, 0.15],
    [[72.4, 71.9, 72.1], 216.4, 72.1, 216.4 / 3],
    [[1, 2, 3, 10], 16, 2.5, 4],
    [[-0.5], -0.5, -0.5, -0.5],
    [[1e21, 1, -1e21], 1, 1, 1 / 3],
    // The decimal is a little more than the smallest double, so its half rounds up.
    [[5e-324, 0], 5e-324, 5e-324, 5e-324],
    // In the middle between two doubles, the even one.
    [[2 ** 53, 1], 2 ** 53, 2 ** 52, 2 ** 52],
    [[2 ** 53 + 2, 1], 2 ** 53 + 4, 2 ** 52 + 2, 2 ** 52 + 2],
  ];
  for (const [values, sum, median, mean] of cases) {
    const statistics = sampleOf(values).statistics();
    const [minimum, maximum] = [Math.min(...values), Math.max(...values)];
    assertEquals(statistics, { sum, minimum, median, maximum, mean });
  }
});

Deno.test("each number is the double nearest to the exact one", () => {
  const random = seededRandom(57);
  for (let round = 0; round < 600; round++) {
    const values = Array.from({ length: random.integer(1, 9) }, () => randomNumber(random));
    const { sum, median, mean } = sampleOf(values).statistics();
    const sorted = values.toSorted((one, other) => one - other);
    const half = Math.floor(sorted.length / 2);
    const middle = sorted.slice(sorted.length % 2 === 1 ? half : half - 1, half + 1);
    assertNearest(sum, total(values), values);
    assertNearest(median, total(middle).over(whole(middle.length)), values);
    assertNearest(mean, total(values).over(whole(values.length)), values);
  }
});

function sampleOf(values: readonly number[]): Sample {
  const sample = new Sample();
  for (const value of values) sample.add(value);
  return sample;
}

function randomNumber(random: Random): number {
  const digits = random.integer(-(10 ** random.integer(1, 9)), 10 ** random.integer(1, 9));
  const power = random.chance(0.2) ? random.integer(-330, -300) : random.integer(-12, 6);
  return Number(`${digits}e${power}`);
}

/** The neighbours are not closer; of two equally close ones, the even one is right. */
function assertNearest(actual: number, exact: Fraction, values: readonly number[]): void {
  const distance = (value: number) => binaryValue(value).minus(exact).absolute();
  for (const step of [1n, -1n]) {
    const compared = distance(actual).compare(distance(neighbour(actual, step)));
    assert(compared < 0 || (compared === 0 && bitsOf(actual) % 2n === 0n), JSON.stringify(values));
  }
}

function total(values: readonly number[]): Fraction {
  return sumOf(values.map((value) => {
    const [mantissa = "", power = "0"] = String(value).split("e");
    const [digits = "", decimals = ""] = mantissa.split(".");
    const shift = Number(power) - decimals.length;
    const factor = new Fraction(10n ** BigInt(Math.abs(shift)));
    const all = new Fraction(BigInt(digits + decimals));
    return shift < 0 ? all.over(factor) : all.times(factor);
  }));
}

function whole(value: number): Fraction {
  return new Fraction(BigInt(value));
}

/** The exact value of a double. */
function binaryValue(value: number): Fraction {
  const bits = bitsOf(value) & (2n ** 63n - 1n);
  const [exponent, fraction] = [bits >> 52n, bits % 2n ** 52n];
  const digits = exponent === 0n ? fraction : fraction + 2n ** 52n;
  const power = (exponent || 1n) - 1075n;
  const size = power < 0n ? new Fraction(digits, 2n ** -power) : new Fraction(digits * 2n ** power);
  return value < 0 ? size.times(whole(-1)) : size;
}

function bitsOf(value: number): bigint {
  return new BigUint64Array(new Float64Array([value]).buffer)[0] ?? 0n;
}

function neighbour(value: number, step: bigint): number {
  if (value === 0) return Number(step) * Number.MIN_VALUE;
  return new Float64Array(new BigUint64Array([bitsOf(value) + step]).buffer)[0] ?? NaN;
}
