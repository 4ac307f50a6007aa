import { failure } from "./assertion_error.ts";
import { equal } from "./equal.ts";
import { format, formatDifference } from "./format.ts";

/** Compares by {@linkcode equal}; shows a line by line difference. */
export function assertEquals<T>(actual: T, expected: T, message?: string): void {
  if (equal(actual, expected)) return;
  throw failure("Values are not equal", message, formatDifference(actual, expected));
}

export function assertNotEquals<T>(actual: T, expected: T, message?: string): void {
  if (!equal(actual, expected)) return;
  throw failure("Values are equal", message, format(actual));
}

/** Compares by `Object.is`. */
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
