/**
 * Checks and writes a handler's value in one pass.
 *
 * `JSON.stringify` calls `toJSON` and getters, drops values that it cannot write and turns NaN into
 * null. A client would mistake these bugs for data, so this writer rejects them with
 * `INTERNAL_ERROR` (specification, Generic record).
 */
import { isDangerousKey } from "./json_limits.ts";

/**
 * Wider than for a request, because a response wraps many stored values. They stop a runaway
 * structure before it fills the memory.
 */
const OUTPUT_CEILINGS = { depth: 64, nodes: 1_000_000 } as const;

/** The kind of mistake, never the value or its position. */
export type UnsafeOutputReason =
  | "accessor"
  | "array with extra properties"
  | "bigint"
  | "class instance"
  | "cycle"
  | "dangerous key"
  | "depth"
  | "function"
  | "hidden property"
  | "lone surrogate"
  | "node count"
  | "non-finite number"
  | "sparse array"
  | "symbol"
  | "undefined";

/** A bug: a handler returned something that is not plain JSON data. */
export class UnsafeOutputError extends Error {
  override readonly name = "UnsafeOutputError";
  readonly reason: UnsafeOutputReason;

  constructor(reason: UnsafeOutputReason) {
    super(`Cannot serialise the answer: ${reason}`);
    this.reason = reason;
  }
}

/**
 * Text of a PostgreSQL `json` column, copied into the response unchanged. Safe because the value
 * passed the parser when it was stored, and the column's type guarantees one well-formed value.
 * Never wrap any other text, except the output of `toRecordJson` in `records/record.ts`: a test
 * compares it with this writer's.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Accepts null, booleans, finite numbers, well-formed strings, dense arrays and plain objects of
 * these, and {@linkcode RawJson}; at most 64 levels and 1,000,000 values. Rejects undefined members
 * too, so that a response has exactly the keys of its contract.
 *
 * @throws {UnsafeOutputError} For everything else (specification, Generic record).
 */
export function serialiseJson(value: unknown): string {
  return new JsonWriter().write(value);
}

class JsonWriter {
  /** Used by the cycle check and the depth limit. */
  readonly #ancestors: object[] = [];
  /** The items of a list repeat their keys. */
  readonly #writtenKeys = new Map<string, string>();
  #nodes = 0;

  write(value: unknown): string {
    this.#nodes++;
    if (this.#nodes > OUTPUT_CEILINGS.nodes) throw new UnsafeOutputError("node count");
    switch (typeof value) {
      case "string":
        return quote(value);
      case "number":
        if (!Number.isFinite(value)) throw new UnsafeOutputError("non-finite number");
        return String(value);
      case "boolean":
        return String(value);
      case "object":
        return value === null ? "null" : this.#writeContainer(value);
      case "bigint":
        throw new UnsafeOutputError("bigint");
      case "function":
        throw new UnsafeOutputError("function");
      case "symbol":
        throw new UnsafeOutputError("symbol");
      case "undefined":
        throw new UnsafeOutputError("undefined");
    }
  }

  #writeContainer(value: object): string {
    if (value instanceof RawJson) return value.text;
    if (this.#ancestors.includes(value)) throw new UnsafeOutputError("cycle");
    if (this.#ancestors.length === OUTPUT_CEILINGS.depth) throw new UnsafeOutputError("depth");
    this.#ancestors.push(value);
    const text = Array.isArray(value) ? this.#writeArray(value) : this.#writeObject(value);
    this.#ancestors.pop();
    return text;
  }

  #writeArray(array: unknown[]): string {
    if (Object.getPrototypeOf(array) !== Array.prototype) {
      throw new UnsafeOutputError("class instance");
    }
    let text = "[";
    for (let index = 0; index < array.length; index++) {
      const property = Object.getOwnPropertyDescriptor(array, index);
      if (property === undefined) throw new UnsafeOutputError("sparse array");
      if (index > 0) text += ",";
      text += this.write(dataOf(property));
    }
    // An array also has its length.
    const names = Object.getOwnPropertyNames(array);
    if (names.length !== array.length + 1 || Object.getOwnPropertySymbols(array).length > 0) {
      throw new UnsafeOutputError("array with extra properties");
    }
    return text + "]";
  }

  #writeObject(object: object): string {
    const prototype: unknown = Object.getPrototypeOf(object);
    if (prototype !== Object.prototype && prototype !== null) {
      throw new UnsafeOutputError("class instance");
    }
    if (Object.getOwnPropertySymbols(object).length > 0) throw new UnsafeOutputError("symbol");
    let text = "{";
    for (const key of Object.getOwnPropertyNames(object)) {
      const property = Object.getOwnPropertyDescriptor(object, key);
      if (text.length > 1) text += ",";
      text += this.#writeKey(key) + this.write(property && dataOf(property));
    }
    return text + "}";
  }

  #writeKey(key: string): string {
    const known = this.#writtenKeys.get(key);
    if (known !== undefined) return known;
    if (isDangerousKey(key)) throw new UnsafeOutputError("dangerous key");
    const written = quote(key) + ":";
    this.#writtenKeys.set(key, written);
    return written;
  }
}

/** Rejects accessors and properties that are not enumerable. */
function dataOf(property: PropertyDescriptor): unknown {
  if (property.get !== undefined || property.set !== undefined) {
    throw new UnsafeOutputError("accessor");
  }
  if (property.enumerable !== true) throw new UnsafeOutputError("hidden property");
  return property.value;
}

/** @throws {UnsafeOutputError} For a lone surrogate. */
export function quote(text: string): string {
  if (!text.isWellFormed()) throw new UnsafeOutputError("lone surrogate");
  return JSON.stringify(text);
}
