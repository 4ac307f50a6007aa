/** Assertions about what texts and lists hold. */

import { failure } from "./assertion_error.ts";
import { equal } from "./equal.ts";
import { format } from "./format.ts";

/** A list of any kind, but not a text. */
export type ArrayLikeArg<T> = ArrayLike<T> & object;

/**
 * Asserts that a text matches a regular expression.
 *
 * @param actual The text.
 * @param expected The regular expression.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When it does not match.
 */
export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  if (expected.test(actual)) return;
  throw failure(`Expected "${actual}" to match "${expected}"`, message);
}

/**
 * Asserts that a text does not match a regular expression.
 *
 * @param actual The text.
 * @param expected The regular expression.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When it matches.
 */
export function assertNotMatch(actual: string, expected: RegExp, message?: string): void {
  if (!expected.test(actual)) return;
  throw failure(`Expected "${actual}" not to match "${expected}"`, message);
}

/**
 * Asserts that a text contains another.
 *
 * @param actual The text.
 * @param expected The part it must contain.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When it does not contain the part.
 */
export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (actual.includes(expected)) return;
  throw failure(`Expected "${actual}" to contain "${expected}"`, message);
}

/**
 * Asserts that a list contains elements equal to all of the given ones, in any order.
 *
 * @param actual The list.
 * @param expected The elements it must contain.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When one is missing.
 */
export function assertArrayIncludes<T>(
  actual: ArrayLikeArg<T>,
  expected: ArrayLikeArg<T>,
  message?: string,
): void {
  const elements = Array.from(actual);
  const missing = Array.from(expected).filter((wanted) =>
    !elements.some((element) => equal(element, wanted))
  );
  if (missing.length === 0) return;
  throw failure(
    "Expected the list to include all given elements",
    message,
    `List: ${format(actual)}\n\nMissing: ${format(missing)}`,
  );
}
