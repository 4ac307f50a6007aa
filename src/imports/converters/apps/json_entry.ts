/** Reads an entry of an archive that holds one JSON value. */

import type { JsonValue } from "../../../core/json.ts";
import type { Entry } from "../../archive/archive.ts";
import type { ReadingBudget } from "../../reading_budget.ts";
import { JsonTextError, walkJson } from "../json_walk.ts";

/**
 * Parses an entry. Unlike `Archive.read`, it does not mark it as used.
 *
 * @returns Null for a value beyond the limits of parsed ones; undefined for any other text.
 */
export async function readJsonEntry(
  entry: Entry,
  budget: ReadingBudget,
): Promise<JsonValue | undefined> {
  let read: JsonValue | undefined;
  try {
    const parts = walkJson(chunksOf(entry, budget), () => "take");
    for await (const { value = null } of parts) read = value;
    return read;
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
    return undefined;
  }
}

async function* chunksOf({ bytes, place }: Entry, budget: ReadingBudget) {
  for await (const chunk of bytes()) {
    await budget.turn(place);
    yield chunk;
  }
}
