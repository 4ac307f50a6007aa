import { failure } from "./assertion_error.ts";
import { format } from "./format.ts";

export function assertGreater<T>(actual: T, expected: T, message?: string): void {
  if (actual > expected) return;
  throw failure(`Expected ${format(actual)} > ${format(expected)}`, message);
}

export function assertGreaterOrEqual<T>(actual: T, expected: T, message?: string): void {
  if (actual >= expected) return;
  throw failure(`Expected ${format(actual)} >= ${format(expected)}`, message);
}

export function assertLess<T>(actual: T, expected: T, message?: string): void {
  if (actual < expected) return;
  throw failure(`Expected ${format(actual)} < ${format(expected)}`, message);
}

export function assertLessOrEqual<T>(actual: T, expected: T, message?: string): void {
  if (actual <= expected) return;
  throw failure(`Expected ${format(actual)} <= ${format(expected)}`, message);
}

/**
 * @example
 * ```ts
 * import { assertAlmostEquals } from "@std/assert";
 *
 * assertAlmostEquals(0.1 + 0.2, 0.3);
 * assertAlmostEquals(99, 100, 1);
 * ```
 * @param tolerance By default a ten-millionth of the expected number.
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
