import { AssertionError, failure } from "./assertion_error.ts";

export type Falsy = false | 0 | 0n | "" | null | undefined;

export function assert(condition: unknown, message = ""): asserts condition {
  if (!condition) throw new AssertionError(message);
}

export function assertFalse(condition: unknown, message = ""): asserts condition is Falsy {
  if (condition) throw new AssertionError(message);
}

/** Neither `null` nor `undefined`. */
export function assertExists<T>(
  actual: T,
  message?: string,
): asserts actual is NonNullable<T> {
  if (actual !== undefined && actual !== null) return;
  throw failure(`Expected a value, but got "${actual}"`, message);
}

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

export function fail(message?: string): never {
  throw failure("Failed assertion", message);
}

export function unreachable(message?: string): never {
  throw failure("Unreachable", message);
}

function describeType(value: unknown): string {
  if (value === null) return "null";
  if (typeof value !== "object") return typeof value;
  // Objects without a prototype have no constructor.
  return value.constructor?.name ?? "Object";
}
