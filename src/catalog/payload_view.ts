import type { JsonObject, JsonValue } from "../core/json.ts";
import { parseTimestamp } from "../validate/timestamp.ts";

/**
 * A typed view of a payload, for rules. A field that is absent or of the wrong type reads as undefined, so
 * a rule ignores what the field checks reject anyway.
 */
export class PayloadView {
  readonly #payload: JsonObject;

  constructor(payload: JsonObject) {
    this.#payload = payload;
  }

  /** True if the field is present, with any value. */
  has(name: string): boolean {
    return Object.hasOwn(this.#payload, name);
  }

  /** The value of a text. */
  text(name: string): string | undefined {
    const value = this.#value(name);
    return typeof value === "string" ? value : undefined;
  }

  /** The value of a finite number. */
  number(name: string): number | undefined {
    const value = this.#value(name);
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }

  /** A valid point in time, in milliseconds since 1970. */
  time(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : parseTimestamp(value) ?? undefined;
  }

  /** The same as a date. */
  date(name: string): Date | undefined {
    const time = this.time(name);
    return time === undefined ? undefined : new Date(time);
  }

  /** The value of a boolean. */
  flag(name: string): boolean | undefined {
    const value = this.#value(name);
    return typeof value === "boolean" ? value : undefined;
  }

  /** The entries of an array that holds nothing but texts. */
  list(name: string): string[] | undefined {
    const value = this.#value(name);
    if (!Array.isArray(value)) return undefined;
    const texts = value.filter((entry) => typeof entry === "string");
    return texts.length === value.length ? texts : undefined;
  }

  /** A JSON object or array. */
  json(name: string): JsonObject | JsonValue[] | undefined {
    const value = this.#value(name);
    return typeof value === "object" && value !== null ? value : undefined;
  }

  /** Inherited names, such as `toString`, are not fields. */
  #value(name: string): JsonValue | undefined {
    return this.has(name) ? this.#payload[name] : undefined;
  }
}
