/** Assertions about the order and nearness of values. */

import { failure } from "./assertion_error.ts";
import { format } from "./format.ts";

/**
 * Asserts that a value is greater than another.
 *
 * @param actual The value.
 * @param expected The value it must exceed.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When it is not greater.
 */
export function assertGreater<T>(actual: T, expected: T, message?: string): void {
  if (actual > expected) return;
  throw failure(`Expected ${format(actual)} > ${format(expected)}`, message);
}

/**
 * Asserts that a value is greater than or equal to another.
 *
 * @param actual The value.
 * @param expected Its minimum.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} If it is less.
 */
export function assertGreaterOrEqual<T>(actual: T, expected: T, message?: string): void {
  if (actual >= expected) return;
  throw failure(`Expected ${format(actual)} >= ${format(expected)}`, message);
}

/**
 * Asserts that a value is less than another.
 *
 * @param actual The value.
 * @param expected The value it must stay below.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When it is not less.
 */
export function assertLess<T>(actual: T, expected: T, message?: string): void {
  if (actual < expected) return;
  throw failure(`Expected ${format(actual)} < ${format(expected)}`, message);
}

/**
 * Asserts that a value is less than another or the same.
 *
 * @param actual The value.
 * @param expected The greatest value it may have.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When it is neither.
 */
export function assertLessOrEqual<T>(actual: T, expected: T, message?: string): void {
  if (actual <= expected) return;
  throw failure(`Expected ${format(actual)} <= ${format(expected)}`, message);
}

/**
 * Asserts that a number is close to another.
 *
 * @example
 * ```ts
 * import { assertAlmostEquals } from "@std/assert";
 *
 * assertAlmostEquals(0.1 + 0.2, 0.3);
 * assertAlmostEquals(99, 100, 1);
 * ```
 *
 * @param actual The number.
 * @param expected The number it must be close to.
 * @param tolerance The maximum distance; by default a ten-millionth of the expected number.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} If the numbers are further apart.
 */
export function assertAlmostEquals(
  actual: number,
  expected: number,
  tolerance: number = Number.isFinite(expected) ? Math.abs(expected * 1e-7) : 1e-7,
  message?: string,
): void {
  // Infinities and NaN have no distance to themselves.
  if (Object.is(actual, expected)) return;
  const distance = Math.abs(expected - actual);
  if (distance <= tolerance) return;
  throw failure(
    `Expected "${actual}" to be close to "${expected}", ` +
      `but the distance "${distance}" is greater than "${tolerance}"`,
    message,
  );
}
