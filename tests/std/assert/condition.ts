/** Assertions about a single value. */

import { AssertionError, failure } from "./assertion_error.ts";

/** The values that {@linkcode assertFalse} lets pass. */
export type Falsy = false | 0 | 0n | "" | null | undefined;

/**
 * Asserts that a condition is truthy.
 *
 * @param condition The condition.
 * @param message The message of the error.
 * @throws {AssertionError} When the condition is falsy.
 */
export function assert(condition: unknown, message = ""): asserts condition {
  if (!condition) throw new AssertionError(message);
}

/**
 * Asserts that a condition is falsy.
 *
 * @param condition The condition.
 * @param message The message of the error.
 * @throws {AssertionError} When the condition is truthy.
 */
export function assertFalse(condition: unknown, message = ""): asserts condition is Falsy {
  if (condition) throw new AssertionError(message);
}

/**
 * Asserts that a value is neither `null` nor `undefined`.
 *
 * @param actual The value.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When the value is `null` or `undefined`.
 */
export function assertExists<T>(
  actual: T,
  message?: string,
): asserts actual is NonNullable<T> {
  if (actual !== undefined && actual !== null) return;
  throw failure(`Expected a value, but got "${actual}"`, message);
}

/**
 * Asserts that a value is an instance of a class.
 *
 * @param actual The value.
 * @param expectedType The class.
 * @param message What to add to the message of the error.
 * @throws {AssertionError} When the value is not an instance of the class.
 */
export function assertInstanceOf<T extends abstract new (...parameters: never[]) => unknown>(
  actual: unknown,
  expectedType: T,
  message?: string,
): asserts actual is InstanceType<T> {
  if (actual instanceof expectedType) return;
  const found = describeType(actual);
  throw failure(
    `Expected an instance of "${expectedType.name}", but got "${found}"`,
    message,
  );
}

/**
 * Fails a test.
 *
 * @param message Why the test failed.
 * @throws {AssertionError} Always.
 */
export function fail(message?: string): never {
  throw failure("Failed assertion", message);
}

/**
 * Marks code that must not be reached.
 *
 * @param message Why it was thought unreachable.
 * @throws {AssertionError} Always.
 */
export function unreachable(message?: string): never {
  throw failure("Unreachable", message);
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  // An object without a prototype has no constructor.
  return value.constructor?.name ?? "Object";
}
