/** Assertions that two values are the same or not. */

import { failure } from "./assertion_error.ts";
import { equal } from "./equal.ts";
import { format, formatDifference } from "./format.ts";

/**
 * Asserts that two values are equal in depth, as {@linkcode equal} understands it.
 *
 * @param actual The value to test.
 * @param expected The value it must equal.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When they differ, with a line by line comparison of both.
 */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  if (equal(actual, expected)) return;
  throw failure("Values are not equal", message, formatDifference(actual, expected));
}

/**
 * Asserts that two values are not equal in depth, as {@linkcode equal} understands it.
 *
 * @param actual The value to test.
 * @param expected The value it must differ from.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When they are equal.
 */
export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  if (!equal(actual, expected)) return;
  throw failure("Values are equal", message, format(actual));
}

/**
 * Asserts that two values are the same, as `Object.is` understands it.
 *
 * @param actual The value to test.
 * @param expected The value it must be.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When they are not the same, with a comparison of both.
 */
export function assertStrictEquals<T>(
  actual: unknown,
  expected: T,
  message?: string,
): asserts actual is T {
  if (Object.is(actual, expected)) return;
  if (format(actual) === format(expected)) {
    const summary = "Values have the same structure but are not reference-equal";
    throw failure(summary, message, format(actual));
  }
  throw failure("Values are not strictly equal", message, formatDifference(actual, expected));
}
