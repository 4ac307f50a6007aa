/**
 * Thrown when an assertion does not hold.
 *
 * @example
 * ```ts
 * import { assert, AssertionError, assertThrows } from "@std/assert";
 *
 * assertThrows(() => assert(1 > 2, "One is less"), AssertionError, "One is less");
 * ```
 */
export class AssertionError extends Error {
  /** The name that stack traces and test reports show. */
  override name = "AssertionError";

  /**
   * @param message What did not hold.
   * @param options The cause, if any.
   */
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
  }
}

/** Ends the message of a failed assertion with the one its caller gave, if any. */
export function failure(summary: string, message?: string, details?: string): AssertionError {
  const headline = message ? `${summary}: ${message}` : summary;
  return new AssertionError(details ? `${headline}\n\n${details}` : headline);
}
