import type { JsonObject, JsonValue } from "../core/json.ts";
import { type Clocks, instantOfText, NO_CLOCKS, serialiseClocks } from "../validate/local_time.ts";

/**
 * A typed view of a payload, for rules. A field that is absent or of the wrong type is undefined,
 * because the field checks reject it anyway.
 */
export class PayloadView {
  readonly #payload: JsonObject;
  readonly #clocks: Clocks;

  /** @param clocks Those of the payload's times, if it has them in UTC. */
  constructor(payload: JsonObject, clocks: Clocks = NO_CLOCKS) {
    this.#payload = payload;
    this.#clocks = clocks;
  }

  has(name: string): boolean {
    return Object.hasOwn(this.#payload, name);
  }

  text(name: string): string | undefined {
    const value = this.#value(name);
    return typeof value === "string" ? value : undefined;
  }

  /** Only finite numbers. */
  number(name: string): number | undefined {
    const value = this.#value(name);
    return typeof value === "number" && Number.isFinite(value) ? value : undefined;
  }

  /** In milliseconds since 1970. */
  time(name: string): number | undefined {
    const value = this.text(name);
    return value === undefined ? undefined : instantOfText(value) ?? undefined;
  }

  date(name: string): Date | undefined {
    const time = this.time(name);
    return time === undefined ? undefined : new Date(time);
  }

  /** The text of a column `clocks`. */
  clocks(): string | null {
    return serialiseClocks(this.#clocks);
  }

  flag(name: string): boolean | undefined {
    const value = this.#value(name);
    return typeof value === "boolean" ? value : undefined;
  }

  /** Returns the list, or undefined unless all entries are texts. */
  list(name: string): string[] | undefined {
    const value = this.#value(name);
    if (!Array.isArray(value)) return undefined;
    const texts = value.filter((entry) => typeof entry === "string");
    return texts.length === value.length ? texts : undefined;
  }

  json(name: string): JsonObject | JsonValue[] | undefined {
    const value = this.#value(name);
    return typeof value === "object" && value !== null ? value : undefined;
  }

  /** Inherited names, such as `toString`, are not fields. */
  #value(name: string): JsonValue | undefined {
    return this.has(name) ? this.#payload[name] : undefined;
  }
}
