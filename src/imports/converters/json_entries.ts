/** Reads the list `entries` of a journal of any size. */

import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { refuseFile } from "../refusal.ts";
import { JsonTextError, type ParsedRule, walkJson } from "./json_walk.ts";

export class RefusedEntry {
  readonly rule: ParsedRule;

  constructor(rule: ParsedRule) {
    this.rule = rule;
  }
}

/**
 * Parses one entry at a time.
 *
 * @param place The number of the file in its archive.
 * @throws FileRefusal `day_one.json` for any other JSON or an incomplete object, `text.utf8`.
 */
export async function* jsonEntries(
  chunks: AsyncIterable<Uint8Array>,
  place: number,
): AsyncGenerator<JsonObject | RefusedEntry> {
  let hasList = false;
  const parts = walkJson(chunks, ([name, index], kind) => {
    if (name === undefined) return kind === "object" ? "enter" : "skip";
    if (name !== "entries") return "skip";
    if (index === undefined) return "enter";
    return kind === "object" ? "take" : "skip";
  });
  try {
    for await (const { path: [name, index], kind, value, rule } of parts) {
      if (name !== "entries") continue;
      if (index === undefined) {
        if (hasList || kind !== "array") refuseFile("day_one.json", place);
        hasList = true;
      } else if (rule !== undefined) yield new RefusedEntry(rule);
      else yield isJsonObject(value) ? value : refuseFile("day_one.json", place);
    }
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    refuseFile(error.isEncoding ? "text.utf8" : "day_one.json", place);
  }
  if (!hasList) refuseFile("day_one.json", place);
}
