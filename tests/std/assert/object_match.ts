import { assertEquals } from "./equality.ts";

/**
 * Asserts that an object has all content of another; the rest is ignored.
 *
 * Compares own properties of objects of any class. Arrays may have more elements after the expected
 * ones; maps and sets may contain more.
 *
 * @example
 * ```ts
 * import { assertObjectMatch } from "@std/assert";
 *
 * const user = { id: 1, name: "Ada", languages: ["en", "fr"] };
 * assertObjectMatch(user, { name: "Ada", languages: ["en"] });
 * ```
 * @throws {TypeError} if the value is not an object.
 */
export function assertObjectMatch(
  actual: object,
  expected: Record<PropertyKey, unknown>,
  message?: string,
): void {
  if (!isObject(actual)) throw new TypeError(`Cannot match "${actual}", which is not an object`);
  // Reducing the expected value by itself only makes its objects plain.
  assertEquals(
    new Reduction().reduce(actual, expected),
    new Reduction().reduce(expected, expected),
    message,
  );
}

/** Reduces a value to the parts that another has, reusing earlier results. */
class Reduction {
  readonly #reduced = new Map<object, Map<object, unknown>>();

  reduce(actual: unknown, expected: unknown): unknown {
    if (!isObject(actual) || !isObject(expected)) return actual;
    const known = this.#reduced.get(actual)?.get(expected);
    if (known !== undefined) return known;
    if (Array.isArray(actual) && Array.isArray(expected)) return this.#array(actual, expected);
    if (actual instanceof Map && expected instanceof Map) return this.#map(actual, expected);
    if (actual instanceof Set && expected instanceof Set) return actual.intersection(expected);
    if (hasProperties(actual) && hasProperties(expected)) return this.#object(actual, expected);
    return actual;
  }

  #array(actual: unknown[], expected: unknown[]): unknown[] {
    const reduced = this.#remember<unknown[]>(actual, expected, []);
    for (const [index, element] of actual.slice(0, expected.length).entries()) {
      reduced.push(this.reduce(element, expected[index]));
    }
    return reduced;
  }

  #map(actual: Map<unknown, unknown>, expected: Map<unknown, unknown>): Map<unknown, unknown> {
    const reduced = this.#remember(actual, expected, new Map<unknown, unknown>());
    for (const [key, value] of actual) {
      if (expected.has(key)) reduced.set(key, this.reduce(value, expected.get(key)));
    }
    return reduced;
  }

  #object(actual: object, expected: object): object {
    const reduced = this.#remember<Record<PropertyKey, unknown>>(actual, expected, {});
    for (const key of Reflect.ownKeys(actual)) {
      if (!Object.hasOwn(expected, key)) continue;
      reduced[key] = this.reduce(Reflect.get(actual, key), Reflect.get(expected, key));
    }
    return reduced;
  }

  /** Stored before it is filled, for cycles. */
  #remember<T>(actual: object, expected: object, reduced: T): T {
    const results = this.#reduced.get(actual) ?? new Map<object, unknown>();
    this.#reduced.set(actual, results.set(expected, reduced));
    return reduced;
  }
}

/** True if own properties describe the object fully. */
function hasProperties(value: object): boolean {
  return !(ArrayBuffer.isView(value) ||
    [ArrayBuffer, Date, Map, RegExp, Set, URL, URLSearchParams]
      .some((type) => value instanceof type));
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
