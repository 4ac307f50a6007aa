/** Assertions about errors. */

import { failure } from "./assertion_error.ts";

type ErrorClass<E extends Error> = abstract new (...parameters: never[]) => E;

/** The expected thrown value; empty without a class. */
interface Expectation<E extends Error> {
  errorClass?: ErrorClass<E> | undefined;
  messageIncludes?: string | undefined;
  message?: string | undefined;
}

/**
 * Asserts that a value is an error, and of what class and with what message.
 *
 * @param error The value.
 * @param ErrorClass The class it must be an instance of.
 * @param messageMatches A part of its message, or what its message must match.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When the value is not such an error.
 */
export function assertIsError<E extends Error = Error>(
  error: unknown,
  ErrorClass?: abstract new (...parameters: never[]) => E,
  messageMatches?: string | RegExp,
  message?: string,
): asserts error is E {
  if (!(error instanceof Error)) {
    throw failure(`Expected an error, but got "${String(error)}"`, message);
  }
  if (ErrorClass !== undefined && !(error instanceof ErrorClass)) {
    throw failure(
      `Expected an instance of "${ErrorClass.name}", ` +
        `but got "${error.constructor.name}" with the message "${error.message}"`,
      message,
    );
  }
  if (messageMatches === undefined) return;
  const isMatch = typeof messageMatches === "string"
    ? error.message.includes(messageMatches)
    : messageMatches.test(error.message);
  if (isMatch) return;
  throw failure(
    `Expected the error message to include "${messageMatches}", but got "${error.message}"`,
    message,
  );
}

/**
 * Asserts that a function throws.
 *
 * @param action The function.
 * @param message What to add to the message of the error.
 * @returns What the function threw.
 * @throws {AssertionError} When the function returns.
 */
export function assertThrows(action: () => unknown, message?: string): unknown;
/**
 * Asserts that a function throws an error of a class.
 *
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 *
 * assertThrows(() => JSON.parse("{"), SyntaxError, "JSON");
 * ```
 *
 * @param action The function.
 * @param ErrorClass The class of the error.
 * @param messageIncludes A part of the message of the error thrown.
 * @param message What to add to the message of the error.
 * @returns The error that the function threw.
 * @throws {AssertionError} When the function returns or throws something else.
 */
export function assertThrows<E extends Error = Error>(
  action: () => unknown,
  ErrorClass: abstract new (...parameters: never[]) => E,
  messageIncludes?: string,
  message?: string,
): E;
export function assertThrows<E extends Error = Error>(
  action: () => unknown,
  classOrMessage?: ErrorClass<E> | string,
  messageIncludes?: string,
  message?: string,
): unknown {
  const expectation = toExpectation(classOrMessage, messageIncludes, message);
  try {
    action();
  } catch (error) {
    requireExpected(error, expectation, "thrown");
    return error;
  }
  throw failure("Expected function to throw", expectation.message);
}

/**
 * Asserts that a function returns a promise that rejects.
 *
 * @param action The function.
 * @param message What to add to the message of the error.
 * @returns What the promise was rejected with.
 * @throws {AssertionError} When the promise resolves, or the function throws or returns no promise.
 */
export function assertRejects(
  action: () => PromiseLike<unknown>,
  message?: string,
): Promise<unknown>;
/**
 * Asserts that a function returns a promise that rejects with an error of a class.
 *
 * @example
 * ```ts
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(() => new Response("{").json(), SyntaxError, "JSON");
 * ```
 *
 * @param action The function.
 * @param ErrorClass The class of the error.
 * @param messageIncludes A part of the message of the error.
 * @param message What to add to the message of the error.
 * @returns The error that the promise was rejected with.
 * @throws {AssertionError} When the promise resolves or rejects with something else, or the
 * function throws or returns no promise.
 */
export function assertRejects<E extends Error = Error>(
  action: () => PromiseLike<unknown>,
  ErrorClass: abstract new (...parameters: never[]) => E,
  messageIncludes?: string,
  message?: string,
): Promise<E>;
export async function assertRejects<E extends Error = Error>(
  action: () => PromiseLike<unknown>,
  classOrMessage?: ErrorClass<E> | string,
  messageIncludes?: string,
  message?: string,
): Promise<unknown> {
  const expectation = toExpectation(classOrMessage, messageIncludes, message);
  const promise = startPromise(action, expectation.message);
  try {
    await promise;
  } catch (error) {
    requireExpected(error, expectation, "rejected");
    return error;
  }
  throw failure("Expected function to reject", expectation.message);
}

/** A test that wants a rejection must not pass on an error thrown before there is a promise. */
function startPromise(action: () => PromiseLike<unknown>, message?: string): PromiseLike<unknown> {
  try {
    const promise = action();
    if (typeof promise?.then === "function") return promise;
  } catch (cause) {
    const error = failure("Function throws when expected to reject", message);
    error.cause = cause;
    throw error;
  }
  throw failure("Function returns no promise when expected to reject", message);
}

function toExpectation<E extends Error>(
  classOrMessage: ErrorClass<E> | string | undefined,
  messageIncludes: string | undefined,
  message: string | undefined,
): Expectation<E> {
  return typeof classOrMessage === "string"
    ? { message: classOrMessage }
    : { errorClass: classOrMessage, messageIncludes, message };
}

function requireExpected<E extends Error>(
  error: unknown,
  { errorClass, messageIncludes, message }: Expectation<E>,
  occurrence: "thrown" | "rejected",
): void {
  if (errorClass === undefined) return;
  if (!(error instanceof Error)) {
    throw failure(`A non-Error object was ${occurrence}`, message);
  }
  assertIsError(error, errorClass, messageIncludes, message);
}
