/** Reads the list `entries` of a journal of any size. */

import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { JsonTextError, type ParsedRule, walkJson } from "./json_walk.ts";

/** An entry that is not an object, or exceeds the limits of one. */
export class RefusedEntry {
  readonly rule: ParsedRule | "day_one.json";

  constructor(rule: RefusedEntry["rule"]) {
    this.rule = rule;
  }
}

/** The end of a text that is not a whole journal. */
export class JournalFault extends Error {
  override readonly name = "JournalFault";
  /** The fault after the last entry; null if the text is not a journal. */
  readonly rule: "day_one.json" | "text.utf8" | null;

  constructor(rule: JournalFault["rule"]) {
    super("The text is not a whole journal");
    this.rule = rule;
  }
}

/**
 * Parses one entry at a time.
 *
 * @throws JournalFault after the entries before the fault.
 */
export async function* jsonEntries(
  chunks: AsyncIterable<Uint8Array>,
): AsyncGenerator<JsonObject | RefusedEntry> {
  let hasList = false;
  const parts = walkJson(chunks, ([name, index], kind) => {
    if (name === undefined) return kind === "object" ? "enter" : "skip";
    if (name !== "entries") return "skip";
    if (index !== undefined) return kind === "object" ? "take" : "skip";
    if (kind !== "array") return "skip";
    // A second list would be of another journal.
    if (hasList) throw new JsonTextError();
    hasList = true;
    return "enter";
  });
  try {
    for await (const { path: [name, index], value, rule } of parts) {
      if (name !== "entries" || index === undefined) continue;
      yield isJsonObject(value) ? value : new RefusedEntry(rule ?? "day_one.json");
    }
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    throw new JournalFault(hasList ? error.isEncoding ? "text.utf8" : "day_one.json" : null);
  }
  if (!hasList) throw new JournalFault(null);
}

/**
 * The values of some members of the entries, without the other members.
 *
 * @throws JsonTextError after the values before the fault.
 */
export async function* entryMembers(
  chunks: AsyncIterable<Uint8Array>,
  names: ReadonlySet<string>,
): AsyncGenerator<JsonObject> {
  const parts = walkJson(chunks, ([name, index, member], kind) => {
    if (member !== undefined) return names.has(String(member)) ? "take" : "skip";
    if (name === undefined || index !== undefined) return kind === "object" ? "enter" : "skip";
    return name === "entries" && kind === "array" ? "enter" : "skip";
  });
  for await (const { path: [, , member], value } of parts) {
    if (member !== undefined && value !== undefined) yield { [member]: value };
  }
}
