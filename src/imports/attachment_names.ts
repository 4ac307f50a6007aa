/** Replaces the names of files in texts by the identifiers of their attachments. */

import type { JsonObject, JsonValue } from "../core/json.ts";

const SCHEME = "attachment:";
/** Code units of a file's name. */
const MAX_NAME = 2048;

/** The payload with `attachment:<identifier>` for each file with an identifier. */
export function withAttachments(payload: JsonObject, ids: ReadonlyMap<string, string>): JsonObject {
  if (ids.size === 0) return payload;
  const names = new PrefixNames([...ids.keys()]);
  return mapTexts(payload, (text) => replaceNames(text, names, ids)) as JsonObject;
}

/** The files that the texts of a payload name. */
export function namedFiles(payload: JsonObject, names: readonly string[]): ReadonlySet<string> {
  const prefixes = new PrefixNames(names);
  const found = new Set<string>();
  mapTexts(payload, (text) => {
    for (const { name } of namesIn(text, prefixes)) found.add(name);
    return text;
  });
  return found;
}

function mapTexts(value: JsonValue, map: (text: string) => string): JsonValue {
  if (typeof value === "string") return map(value);
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name, mapTexts(member, map)]),
  );
}

function replaceNames(text: string, names: PrefixNames, ids: ReadonlyMap<string, string>): string {
  const parts: string[] = [];
  let copied = 0;
  for (const { name, start } of namesIn(text, names)) {
    parts.push(text.slice(copied, start), ids.get(name) ?? "");
    copied = start + name.length;
  }
  return parts.join("") + text.slice(copied);
}

/** The names that follow `attachment:`, with their positions. */
function* namesIn(
  text: string,
  names: PrefixNames,
): Generator<{ readonly name: string; readonly start: number }> {
  for (let at = text.indexOf(SCHEME); at !== -1;) {
    const start = at + SCHEME.length;
    const next = text.indexOf(SCHEME, start);
    // Names with the scheme in them are not searched; the same characters would be compared again.
    const last = next === -1 ? text.length : next + SCHEME.length - 1;
    const end = Math.min(last, start + MAX_NAME);
    const name = names.longestIn(text.slice(start, end));
    if (name !== null) yield { name, start };
    at = text.indexOf(SCHEME, start + (name?.length ?? 0));
  }
}

/** Finds the longest of many names at the start of a text. */
class PrefixNames {
  readonly #names: readonly string[];
  /** For each name the position of its longest prefix among the names; -1 for none. */
  readonly #shorter: number[] = [];

  constructor(names: readonly string[]) {
    this.#names = names.toSorted((one, other) => one < other ? -1 : 1);
    this.#names.forEach((name, index) => {
      let before = index - 1;
      while (before >= 0 && !name.startsWith(this.#nameAt(before))) {
        before = this.#shorter[before] ?? -1;
      }
      this.#shorter.push(before);
    });
  }

  longestIn(text: string): string | null {
    // The last name that does not sort after the text, and then its prefixes.
    let [low, high] = [0, this.#names.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (this.#nameAt(middle) <= text) low = middle + 1;
      else high = middle;
    }
    let found = low - 1;
    const common = found < 0 ? 0 : commonLength(this.#nameAt(found), text);
    while (found >= 0 && this.#nameAt(found).length > common) found = this.#shorter[found] ?? -1;
    return found < 0 ? null : this.#nameAt(found);
  }

  #nameAt(index: number): string {
    return this.#names[index] ?? "";
  }
}

function commonLength(one: string, other: string): number {
  const length = Math.min(one.length, other.length);
  let at = 0;
  while (at < length && one.charCodeAt(at) === other.charCodeAt(at)) at++;
  return at;
}
