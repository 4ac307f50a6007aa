import { assertEquals, assertThrows } from "@std/assert";
import {
  fromMillionths,
  millionthsOf,
  millionthsOfQuotient,
  roundedQuotient,
} from "../../../src/core/millionths.ts";
import { type Random, seededRandom } from "../../support/random.ts";
import { Fraction } from "../../support/fractions.ts";

Deno.test("millionthsOf() uses the written decimal, not the binary fraction", () => {
  const written: readonly [number, bigint][] = [
    [0, 0n],
    [-0, 0n],
    [1, 1_000_000n],
    [1000, 1_000_000_000n],
    [0.1, 100_000n],
    [0.3, 300_000n],
    [10, 10_000_000n],
    // Their binary fractions lie on either side of the half.
    [0.1234565, 123_457n],
    [8.3000005, 8_300_001n],
    [1.0000005, 1_000_001n],
    [0.123456499999, 123_456n],
    // With an exponent.
    [5e-7, 1n],
    [0.0000004999999, 0n],
    [1.5e-6, 2n],
    [Number.MIN_VALUE, 0n],
    [1e21, 10n ** 27n],
    [1.25e22, 125n * 10n ** 26n],
  ];
  for (const [value, expected] of written) assertEquals(millionthsOf(value), expected, `${value}`);
});

Deno.test("millionthsOf() rounds half up below 0 too", () => {
  const written: readonly [number, bigint][] = [
    [-1, -1_000_000n],
    [-1e-9, 0n],
    [-5e-7, 0n],
    [-6e-7, -1n],
    [-0.1234565, -123_456n],
    [-1e21, -(10n ** 27n)],
  ];
  for (const [value, expected] of written) assertEquals(millionthsOf(value), expected, `${value}`);
});

Deno.test("millionthsOf() and millionthsOfQuotient() reject non-finite numbers", () => {
  for (const value of [NaN, Infinity, -Infinity]) {
    assertThrows(() => millionthsOf(value), RangeError);
    assertThrows(() => millionthsOfQuotient(value, 1), RangeError);
    assertThrows(() => millionthsOfQuotient(1, value), RangeError);
  }
  assertThrows(() => millionthsOfQuotient(1, 0), RangeError);
});

/** Up to eleven decimals, with its fraction. */
function writtenNumber(random: Random, largest: number): readonly [number, Fraction] {
  const places = random.integer(0, 11);
  const fraction = Array.from({ length: places }, () => random.integer(0, 9)).join("");
  const digits = `${random.integer(0, largest)}${fraction}`;
  const value = Number(`${digits}e-${places}`);
  return [value, new Fraction(BigInt(digits), 10n ** BigInt(places))];
}

Deno.test("millionthsOfQuotient() divides the written decimals, and rounds half up", () => {
  const random = seededRandom(3);
  const million = new Fraction(1_000_000n);
  for (let count = 0; count < 3_000; count++) {
    const [dividend, above] = writtenNumber(random, 1_000);
    const [divisor, below] = writtenNumber(random, 10 ** random.integer(0, 4));
    if (divisor === 0) continue;
    const exact = above.over(below).times(million);
    const label = `${dividend} / ${divisor}`;
    assertEquals(millionthsOfQuotient(dividend, divisor), exact.rounded(), label);
    const negative = new Fraction(0n).minus(exact).rounded();
    assertEquals(millionthsOfQuotient(-dividend, divisor), negative, `-${label}`);
  }
  assertEquals(millionthsOfQuotient(1e12, Number.MIN_VALUE), 2n * 10n ** 341n);
  assertEquals(millionthsOfQuotient(Number.MIN_VALUE, 1e12), 0n);
});

Deno.test("millionthsOf() rounds decimals of up to eleven places half up", () => {
  const random = seededRandom(1);
  for (let count = 0; count < 3_000; count++) {
    const places = random.integer(0, 11);
    const digits = Array.from({ length: places }, () => random.integer(0, 9));
    // Every second one ends in half a millionth.
    if (random.chance(0.5)) digits.splice(6, Infinity, ...(places > 6 ? [5] : []));
    const whole = random.integer(0, 1_000);
    const fraction = digits.join("");
    const written = fraction === "" ? `${whole}` : `${whole}.${fraction}`;
    const exact = new Fraction(BigInt(`${whole}${fraction}`), 10n ** BigInt(fraction.length));
    assertEquals(
      millionthsOf(Number(written)),
      exact.times(new Fraction(1_000_000n)).rounded(),
      written,
    );
  }
});

Deno.test("fromMillionths() returns the nearest number, also beyond a double's precision", () => {
  assertEquals(fromMillionths(0n), 0);
  assertEquals(Object.is(fromMillionths(-0n), 0), true);
  assertEquals(fromMillionths(1n), 0.000001);
  assertEquals(fromMillionths(-123_457n), -0.123457);
  assertEquals(fromMillionths(200_000_000_000_123_457n), 200_000_000_000.123457);
});

Deno.test("fromMillionths() and millionthsOf() are inverse", () => {
  const random = seededRandom(2);
  for (let count = 0; count < 1_000; count++) {
    const millionths = BigInt(Math.floor(random.next() * 10 ** random.integer(1, 10)));
    assertEquals(millionthsOf(fromMillionths(millionths)), millionths);
  }
});

Deno.test("roundedQuotient() rounds half up, also below 0", () => {
  for (let dividend = -40n; dividend <= 40n; dividend++) {
    for (let divisor = 1n; divisor <= 12n; divisor++) {
      const rounded = roundedQuotient(dividend, divisor);
      assertEquals(rounded, new Fraction(dividend, divisor).rounded(), `${dividend}/${divisor}`);
      assertEquals(roundedQuotient(dividend + 7n * divisor, divisor), rounded + 7n);
    }
  }
  assertEquals(roundedQuotient(-1n, 2n), 0n);
  assertEquals(roundedQuotient(-3n, 2n), -1n);
  assertEquals(roundedQuotient(1n, 2n), 1n);
});
