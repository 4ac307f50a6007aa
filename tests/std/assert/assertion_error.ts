/**
 * Thrown when an assertion fails.
 *
 * @example
 * ```ts
 * import { assert, AssertionError, assertThrows } from "@std/assert";
 *
 * assertThrows(() => assert(1 > 2, "One is less"), AssertionError, "One is less");
 * ```
 */
export class AssertionError extends Error {
  /** Shown by stack traces and test reports. */
  override name = "AssertionError";

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Builds a failure's message, with the caller's at its end. */
export function failure(summary: string, message?: string, details?: string): AssertionError {
  const headline = message ? `${summary}: ${message}` : summary;
  return new AssertionError(details ? `${headline}\n\n${details}` : headline);
}
