import { failure } from "./assertion_error.ts";

type ErrorClass<E extends Error> = abstract new (...parameters: never[]) => E;

/** Empty without a class. */
interface Expectation<E extends Error> {
  errorClass?: ErrorClass<E> | undefined;
  messageIncludes?: string | undefined;
  message?: string | undefined;
}

/** @param messageMatches A part of the message, or a pattern. */
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

/** @returns the thrown value. */
export function assertThrows(action: () => unknown, message?: string): unknown;
/**
 * @example
 * ```ts
 * import { assertThrows } from "@std/assert";
 *
 * assertThrows(() => JSON.parse("{"), SyntaxError, "JSON");
 * ```
 * @param messageIncludes A part of the message.
 * @returns the thrown error.
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
 * Fails also if the function throws or returns no promise.
 *
 * @returns the rejection.
 */
export function assertRejects(
  action: () => PromiseLike<unknown>,
  message?: string,
): Promise<unknown>;
/**
 * Fails also if the function throws or returns no promise.
 *
 * @example
 * ```ts
 * import { assertRejects } from "@std/assert";
 *
 * await assertRejects(() => new Response("{").json(), SyntaxError, "JSON");
 * ```
 * @param messageIncludes A part of the message.
 * @returns the rejection.
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

/** An error thrown before there is a promise is not a rejection. */
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
