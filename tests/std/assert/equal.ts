/** Compared by text: instances hold more than their value, such as the end of the last match. */
const COMPARED_AS_TEXT: ReadonlySet<unknown> = new Set([
  RegExp.prototype,
  URLSearchParams.prototype,
]);

type Collection = Map<unknown, unknown> | Set<unknown>;

/**
 * Deep equality.
 *
 * `NaN` equals itself, and `0` equals `-0`. Objects need the same prototype and equal content:
 * enumerable properties of plain objects; elements of arrays, buffers, maps and sets (the last two
 * in any order); times of dates; all properties of other objects, including those of their classes.
 * An `undefined` property differs from a missing one. Cycles are followed once.
 *
 * @example
 * ```ts
 * import { assert, equal } from "@std/assert";
 *
 * assert(equal({ list: [1, new Set("ab")] }, { list: [1, new Set("ba")] }));
 * assert(!equal({ name: undefined }, {}));
 * ```
 * @throws {TypeError} for a weak map or weak set, which cannot be read.
 */
export function equal(a: unknown, b: unknown): boolean {
  return new Comparison().compare(a, b);
}

/**
 * One comparison, with the pairs that it assumes to be equal.
 *
 * A pair is assumed equal while it is compared, so that cycles end. If it is unequal, its
 * assumption and all later ones, which may depend on it, are undone.
 */
class Comparison {
  readonly #assumedEqual = new Map<object, Set<object>>();
  readonly #assumptions: [object, object][] = [];

  compare(a: unknown, b: unknown): boolean {
    if (a === b || Object.is(a, b)) return true;
    if (!isObject(a) || !isObject(b)) return false;
    if (a instanceof Date && b instanceof Date) return Object.is(a.getTime(), b.getTime());
    if (plainPrototypeOf(a) !== plainPrototypeOf(b)) return false;
    if (this.#assumedEqual.get(a)?.has(b)) return true;
    const assumptionsBefore = this.#assumptions.length;
    this.#assumeEqual(a, b);
    const areEqual = this.#compareContents(a, b);
    if (!areEqual) this.#takeBackAssumptions(assumptionsBefore);
    return areEqual;
  }

  #assumeEqual(a: object, b: object): void {
    const counterparts = this.#assumedEqual.get(a) ?? new Set();
    this.#assumedEqual.set(a, counterparts.add(b));
    this.#assumptions.push([a, b]);
  }

  #takeBackAssumptions(numberToKeep: number): void {
    for (const [a, b] of this.#assumptions.splice(numberToKeep)) {
      this.#assumedEqual.get(a)?.delete(b);
    }
  }

  /** Requires the same prototype. */
  #compareContents(a: object, b: object): boolean {
    requireReadable(a);
    if (a instanceof WeakRef && b instanceof WeakRef) return this.compare(a.deref(), b.deref());
    if (isCollection(a) && isCollection(b)) return this.#compareCollections(a, b);
    if (isTypedArray(a) && isTypedArray(b)) return compareElements(a, b);
    if (isBuffer(a) && isBuffer(b)) return compareElements(new Uint8Array(a), new Uint8Array(b));
    if (COMPARED_AS_TEXT.has(Object.getPrototypeOf(a))) return String(a) === String(b);
    return this.#compareProperties(a, b);
  }

  #compareCollections(a: Collection, b: Collection): boolean {
    if (a.size !== b.size) return false;
    const unmatched = new Map(b.entries());
    for (const [key, value] of a.entries()) {
      if (!this.#takeEqualEntry(unmatched, key, value)) return false;
    }
    return true;
  }

  /** Removes an equal entry; false if there is none. */
  #takeEqualEntry(entries: Map<unknown, unknown>, key: unknown, value: unknown): boolean {
    const candidates = isObject(key) ? entries.keys() : entries.has(key) ? [key] : [];
    for (const candidate of candidates) {
      if (this.compare(key, candidate) && this.compare(value, entries.get(candidate))) {
        return entries.delete(candidate);
      }
    }
    return false;
  }

  #compareProperties(a: object, b: object): boolean {
    const keys = comparedKeys(a);
    const otherKeys = comparedKeys(b);
    if (keys.size !== otherKeys.size) return false;
    for (const key of keys) {
      if (!otherKeys.has(key) || !this.compare(Reflect.get(a, key), Reflect.get(b, key))) {
        return false;
      }
    }
    return true;
  }
}

function requireReadable(value: object): void {
  if (value instanceof WeakMap) throw new TypeError("Cannot compare WeakMap instances");
  if (value instanceof WeakSet) throw new TypeError("Cannot compare WeakSet instances");
}

function compareElements(a: ArrayLike<unknown>, b: ArrayLike<unknown>): boolean {
  if (a.length !== b.length) return false;
  for (let index = 0; index < a.length; index++) {
    if (a[index] !== b[index] && !Object.is(a[index], b[index])) return false;
  }
  return true;
}

/** Objects without a prototype count as plain. */
function plainPrototypeOf(value: object): unknown {
  return Object.getPrototypeOf(value) ?? Object.prototype;
}

/** Includes hidden and inherited properties, except for object literals. */
function comparedKeys(value: object): Set<string | symbol> {
  if (plainPrototypeOf(value) === Object.prototype) return new Set(Reflect.ownKeys({ ...value }));
  const keys = new Set<string | symbol>();
  for (let owner = value; !isRootPrototype(owner); owner = Object.getPrototypeOf(owner)) {
    for (const key of Reflect.ownKeys(owner)) keys.add(key);
  }
  return keys;
}

function isRootPrototype(value: object | null): boolean {
  return value === null || value === Object.prototype || value === Array.prototype;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}

function isCollection(value: object): value is Collection {
  return value instanceof Map || value instanceof Set;
}

function isTypedArray(value: object): value is ArrayBufferView & ArrayLike<number | bigint> {
  return ArrayBuffer.isView(value) && !(value instanceof DataView);
}

function isBuffer(value: object): value is ArrayBufferLike {
  return value instanceof ArrayBuffer || value instanceof SharedArrayBuffer;
}
