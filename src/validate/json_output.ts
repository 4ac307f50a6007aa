/**
 * The JSON writer: a handler's value is checked and written in the same pass.
 *
 * `JSON.stringify` calls `toJSON` and getters, drops what it cannot write and turns NaN into null. Each of
 * these is a bug that a client would mistake for data, so this writer rejects them all (specification,
 * Generic record). A rejection becomes `INTERNAL_ERROR`.
 */
import { isDangerousKey } from "./json_limits.ts";

/**
 * The ceilings of a response. They are wider than those of a request, because a response wraps many
 * stored values; their purpose is to stop a runaway structure before it fills the memory.
 */
const OUTPUT_CEILINGS = { depth: 64, nodes: 1_000_000 } as const;

/** The reason for a rejection: the kind of mistake, never the value or its position. */
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

/** A handler gave something that is not plain JSON data: a mistake in the program. */
export class UnsafeOutputError extends Error {
  override readonly name = "UnsafeOutputError";
  readonly reason: UnsafeOutputReason;

  constructor(reason: UnsafeOutputReason) {
    super(`Cannot serialise the answer: ${reason}`);
    this.reason = reason;
  }
}

/**
 * JSON text from a `json` column of PostgreSQL. It is copied into the response unchanged, so that a list of
 * payloads is neither parsed nor serialised.
 *
 * That is safe for two reasons: the value passed the parser with all its limits when it was stored, and the
 * column's type guarantees that the text is one well-formed JSON value. Never wrap any other text, neither
 * a client's nor one that the program composed, except the output of `toRecordJson` in `records/record.ts`:
 * a test compares it with this writer's output for the same record.
 */
export class RawJson {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

/**
 * Writes a handler's value as JSON, without white space, keys in their own order.
 *
 * Accepts null, booleans, finite numbers, well-formed strings, dense arrays and plain objects of these, and
 * {@linkcode RawJson}; at most 64 levels and 1,000,000 values. A property whose value is undefined is
 * rejected too, so that a response has exactly the keys of its contract.
 *
 * @throws {UnsafeOutputError} For everything else (specification, Generic record).
 */
export function serialiseJson(value: unknown): string {
  return new JsonWriter().write(value);
}

/** Checks and writes one response. */
class JsonWriter {
  /** The containers around the value being written: the cycle check and the depth in one. */
  readonly #ancestors: object[] = [];
  /** Keys as they are written, because the items of a list repeat theirs. */
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
    // Besides its elements an array owns exactly its length.
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

/** The value of a property that holds its value itself and in plain sight. */
function dataOf(property: PropertyDescriptor): unknown {
  if (property.get !== undefined || property.set !== undefined) {
    throw new UnsafeOutputError("accessor");
  }
  if (property.enumerable !== true) throw new UnsafeOutputError("hidden property");
  return property.value;
}

/**
 * A string as JSON.
 *
 * @throws {UnsafeOutputError} For a lone surrogate.
 */
export function quote(text: string): string {
  if (!text.isWellFormed()) throw new UnsafeOutputError("lone surrogate");
  return JSON.stringify(text);
}
