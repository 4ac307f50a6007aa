import { failure } from "./assertion_error.ts";
import { equal } from "./equal.ts";
import { format } from "./format.ts";

/** A list, but not a text. */
export type ArrayLikeArg<T> = ArrayLike<T> & object;

export function assertMatch(actual: string, expected: RegExp, message?: string): void {
  if (expected.test(actual)) return;
  throw failure(`Expected "${actual}" to match "${expected}"`, message);
}

export function assertNotMatch(actual: string, expected: RegExp, message?: string): void {
  if (!expected.test(actual)) return;
  throw failure(`Expected "${actual}" not to match "${expected}"`, message);
}

export function assertStringIncludes(actual: string, expected: string, message?: string): void {
  if (actual.includes(expected)) return;
  throw failure(`Expected "${actual}" to contain "${expected}"`, message);
}

/** Ignores the order. */
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
