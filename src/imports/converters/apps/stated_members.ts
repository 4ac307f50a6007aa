/** Reads the members of a JSON object, and knows which of them were not read. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../../core/json.ts";

/** A member is read if it has the type that is asked for. */
export class StatedMembers {
  readonly #members: JsonObject;
  readonly #read = new Set<string>();
  /** Elements of lists by the name of their list. */
  readonly #elements: (readonly [list: string, element: StatedMembers])[] = [];

  constructor(members: JsonObject) {
    this.#members = members;
  }

  text(name: string): string | null {
    const value = this.#members[name];
    return typeof value === "string" ? this.#mark(name, value) : null;
  }

  isTrue(name: string): boolean {
    const value = this.#members[name];
    return typeof value === "boolean" && this.#mark(name, value);
  }

  /** A positive number, also in digits. */
  count(name: string): number | null {
    const value = this.#members[name];
    const isDigits = typeof value === "string" && /^\d{1,16}$/.test(value);
    const number = isDigits ? Number(value) : value;
    if (typeof number !== "number" || !Number.isSafeInteger(number) || number < 0) return null;
    this.#mark(name, value);
    return number === 0 ? null : number;
  }

  /** The objects of a list; empty for any other value. */
  list(name: string): readonly StatedMembers[] {
    const value = this.#members[name];
    if (!Array.isArray(value) || !value.every(isJsonObject)) return [];
    const elements = value.map((element) => new StatedMembers(element));
    for (const element of elements) this.#elements.push([name, element]);
    return this.#mark(name, elements);
  }

  /** Marks a member that states nothing. */
  ignore(name: string, isUsual: (value: JsonValue) => boolean = () => true): void {
    const value = this.#members[name];
    if (value !== undefined && isUsual(value)) this.#mark(name, value);
  }

  /** Names of members with a value that were not read; those of elements as `list.member`. */
  unread(): readonly string[] {
    const own = Object.entries(this.#members)
      .filter(([name, value]) => !this.#read.has(name) && !isEmpty(value))
      .map(([name]) => name);
    const inner = this.#elements.flatMap(([list, element]) =>
      element.unread().map((name) => `${list}.${name}`)
    );
    return [...new Set([...own, ...inner])];
  }

  #mark<T>(name: string, value: T): T {
    this.#read.add(name);
    return value;
  }
}

function isEmpty(value: JsonValue): boolean {
  return value === null || value === "" ||
    typeof value === "object" && Object.keys(value).length === 0;
}
