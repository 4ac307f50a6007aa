/** Reads an entry of an archive that holds one JSON value. */

import type { JsonValue } from "../../../core/json.ts";
import type { Entry } from "../../archive/archive.ts";
import type { ReadingBudget } from "../../reading_budget.ts";
import { PARSED_LIMITS } from "../json_walk.ts";

/** Skips a byte order mark. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });

/**
 * Parses an entry of at most 4 MiB. Unlike `Archive.read`, it does not mark it as used.
 *
 * @returns Undefined for a text that is not JSON.
 */
export async function readJsonEntry(
  { size, place, bytes }: Entry,
  budget: ReadingBudget,
): Promise<JsonValue | undefined> {
  if (size > PARSED_LIMITS.bytes) return null;
  const whole = new Uint8Array(size);
  let filled = 0;
  for await (const chunk of bytes()) {
    await budget.turn(place);
    whole.set(chunk, filled);
    filled += chunk.length;
  }
  try {
    return JSON.parse(UTF8.decode(whole));
  } catch {
    return undefined;
  }
}
