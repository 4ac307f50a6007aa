/** Parses the JSON export of Monica 4. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { isBlank } from "../../validate/text.ts";
import { refuseFile } from "../refusal.ts";
import { readDate } from "./dates.ts";

/** Exported by Monica 4.1.2. */
const VERSION = "1.0-preview.1";

/** Its own members and those of `properties`. */
export type Entry = JsonObject;

/** @throws FileRefusal `import.format` unless a file with these first bytes may be an object of JSON. */
export function assertExport(head: Uint8Array): void {
  const text = new TextDecoder().decode(head).trimStart();
  if (!text.startsWith("{") || text.includes("\0")) refuseFile("import.format", 1);
}

/**
 * Returns the account.
 *
 * @throws FileRefusal `import.format` if it is not an export of Monica, `import.version` for another version.
 */
export function parseMonica(bytes: Uint8Array): JsonObject {
  let file: JsonValue = null;
  try {
    file = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    // Refused below.
  }
  if (!isJsonObject(file) || !isJsonObject(file.account)) refuseFile("import.format", 1);
  if (file.version !== VERSION) refuseFile("import.version", 1);
  return file.account;
}

/** Lists by type. */
export function listsOf({ data }: JsonObject): ReadonlyMap<string, readonly JsonValue[]> {
  const lists = new Map<string, JsonValue[]>();
  for (const list of Array.isArray(data) ? data.filter(isJsonObject) : []) {
    if (typeof list.type !== "string" || !Array.isArray(list.values)) continue;
    lists.set(list.type, [...lists.get(list.type) ?? [], ...list.values]);
  }
  return lists;
}

/** Merges the members of `properties` into each object. */
export function entriesOf(values: JsonValue | readonly JsonValue[] | undefined): Entry[] {
  const list: readonly JsonValue[] = Array.isArray(values) ? values : [];
  return list.filter(isJsonObject).map(({ properties, ...own }) => ({
    ...isJsonObject(properties) ? properties : {},
    ...own,
  }));
}

/** By identifier. */
export function byUuid(entries: readonly Entry[]): ReadonlyMap<string, Entry> {
  return new Map(entries.map((entry) => [String(entry.uuid), entry]));
}

/** With normalized line feeds; empty for other values. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || isBlank(value)) return "";
  return value.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "");
}

/** On one line. */
export function lineOf(value: JsonValue | undefined): string {
  return textOf(value).replaceAll(/\p{Cc}+/gu, " ").trim();
}

/** UTC with milliseconds; null if invalid. A day becomes its midnight. */
export function momentOf(value: JsonValue | undefined): string | null {
  const stated = typeof value === "string" ? readDate(value, "ISO", "UTC") : null;
  return stated && new Date(stated).toISOString();
}

/** UTC midnight. */
export function dayOf(value: JsonValue | undefined): string | null {
  const moment = momentOf(value);
  return moment && `${moment.slice(0, 10)}T00:00:00.000Z`;
}

/** False for false, zero, empty and null. */
export function isStated(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.values(value).some(isStated);
  return typeof value === "string" ? !isBlank(value) : Boolean(value);
}
