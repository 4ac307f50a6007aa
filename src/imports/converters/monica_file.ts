/** Parses the JSON export of Monica 4. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { firstCodePoints, isBlank } from "../../validate/text.ts";
import type { ByteSource } from "../archive/file_source.ts";
import { entryBytes, type ReadingBudget } from "../reading_budget.ts";
import { refuseFile } from "../refusal.ts";
import { DEFAULT_ZONE, inUtc, readDate } from "./dates.ts";
import { type Choose, type JsonPart, JsonTextError, walkJson } from "./json_walk.ts";
import { MAX_TITLE } from "../fit_members.ts";

/** Exported by Monica 4.1.2. */
const VERSION = "1.0-preview.1";

/** An object with the members of its `properties`. */
export type Entry = JsonObject;

/** @throws FileRefusal `import.format` if a JSON object cannot begin with these bytes. */
export function assertExport(head: Uint8Array): void {
  const text = new TextDecoder().decode(head).trimStart();
  if (!text.startsWith("{") || text.includes("\0")) refuseFile("import.format", 1);
}

/** @throws FileRefusal `import.format` if the file is not JSON. */
export async function* walkExport(file: ByteSource, choose: Choose): AsyncGenerator<JsonPart> {
  try {
    yield* walkJson(file.stream(), choose);
  } catch (error) {
    if (error instanceof JsonTextError) refuseFile("import.format", 1);
    throw error;
  }
}

/**
 * The types of the account's lists, in their order; null for a list without values.
 *
 * @throws FileRefusal `import.format` if the file is not an export of Monica, `import.version` for
 * another version.
 */
export async function readListTypes(
  file: ByteSource,
  budget: ReadingBudget,
): Promise<readonly (string | null)[]> {
  const types: (string | null)[] = [];
  let [version, hasAccount]: [JsonValue, boolean] = [null, false];
  let [type, hasValues]: [JsonValue, boolean] = [null, false];
  const parts = walkExport(file, (path, kind) => {
    const [first, second, , member] = path;
    if (path.length === 0) return "enter";
    if (first === "version") return "take";
    if (first !== "account" || path.length > 1 && second !== "data") return "skip";
    if (path.length === 4) return member === "type" ? "take" : "skip";
    return kind === "object" || kind === "array" ? "enter" : "skip";
  });
  for await (const { path, kind, value = null } of parts) {
    const [first, , index, member] = path;
    if (path.length === 1 && first === "version") version = value;
    if (path.length === 1 && first === "account") hasAccount = kind === "object";
    if (path.length === 4 && member === "type") type = value;
    if (path.length === 4 && member === "values") hasValues = kind === "array";
    if (path.length !== 3 || typeof index !== "number") continue;
    types[index] = hasValues && typeof type === "string" ? type : null;
    budget.hold(entryBytes(types[index] ?? ""), 1);
    [type, hasValues] = [null, false];
  }
  if (!hasAccount) refuseFile("import.format", 1);
  if (version !== VERSION) refuseFile("import.version", 1);
  return types;
}

export function listsOf({ data }: JsonObject): ReadonlyMap<string, readonly JsonValue[]> {
  const lists = new Map<string, JsonValue[]>();
  for (const list of Array.isArray(data) ? data.filter(isJsonObject) : []) {
    if (typeof list.type !== "string" || !Array.isArray(list.values)) continue;
    const before = lists.get(list.type);
    if (before === undefined) lists.set(list.type, list.values);
    else for (const value of list.values) before.push(value);
  }
  return lists;
}

/** Merges the members of `properties` into an object; returns undefined for other values. */
export function entryOf(value: JsonValue | undefined): Entry | undefined {
  return entriesOf(value === undefined ? [] : [value])[0];
}

/** Merges the members of `properties` into each object. */
export function entriesOf(values: JsonValue | readonly JsonValue[] | undefined): Entry[] {
  const list: readonly JsonValue[] = Array.isArray(values) ? values : [];
  return list.filter(isJsonObject).map(({ properties, ...own }) => ({
    ...isJsonObject(properties) ? properties : {},
    ...own,
  }));
}

/** The name of a contact; else its nickname, which may be empty. */
export function nameOf({ first_name, middle_name, last_name, nickname }: Entry): string {
  const names = [first_name, middle_name, last_name].map(lineOf).filter((name) => name !== "");
  return names.join(" ") || lineOf(nickname);
}

const UNNAMED = "Unnamed";

/** The name by which a contact is called: at most 200 code points, never empty. */
export function titleOf(contact: Entry): string {
  return firstCodePoints(nameOf(contact) || UNNAMED, MAX_TITLE).trim();
}

/** A special date as details have it: of unknown year, of a year alone, or whole; null for none. */
export function dateOf(value: JsonValue | undefined): string | null {
  if (!isJsonObject(value) || !hasContent(value)) return null;
  const day = String(value.date ?? "").slice(0, 10);
  if (value.is_year_unknown === true) return `-${day.slice(4)}`;
  return value.is_age_based === true ? day.slice(0, 4) : day;
}

/** A text with normalized line feeds; empty for other values. */
export function textOf(value: JsonValue | undefined): string {
  if (typeof value === "number") return String(value);
  if (typeof value !== "string" || isBlank(value)) return "";
  return value.replaceAll(/\r\n?/g, "\n").replaceAll("\0", "");
}

/** A text on one line; empty for other values. */
export function lineOf(value: JsonValue | undefined): string {
  return textOf(value).replaceAll(/\p{Cc}+/gu, " ").trim();
}

/** A time as its clock shows it, or the midnight of a day in UTC; null if invalid. */
export function timeOf(value: JsonValue | undefined): string | null {
  return typeof value === "string" ? readDate(value, "ISO", DEFAULT_ZONE) : null;
}

/** The midnight of the day of a time; null if invalid. */
export function dayOf(value: JsonValue | undefined): string | null {
  return timeOf(value)?.replace(/T.{12}/, "T00:00:00.000") ?? null;
}

/** A time in UTC; null if invalid. */
export function momentOf(value: JsonValue | undefined): string | null {
  const time = timeOf(value);
  return time && inUtc(time);
}

/** False for false, zero, empty and null. */
export function hasContent(value: JsonValue | undefined): boolean {
  if (Array.isArray(value)) return value.length > 0;
  if (isJsonObject(value)) return Object.values(value).some(hasContent);
  return typeof value === "string" ? !isBlank(value) : Boolean(value);
}
