/** The members of a JSON text whose end may be missing. */

import { type JsonKind, JsonTextError, walkJson } from "./json_walk.ts";

/**
 * The kinds of the outer values by their paths. A list shows its first value only. The path of
 * the whole value is empty; blanks separate the parts of a path.
 */
export type JsonShape = ReadonlyMap<string, JsonKind>;

/** Levels of a path. */
const MAX_LEVELS = 3;

/** Empty for another text. */
export async function shapeOf(text: string): Promise<JsonShape> {
  const shape = new Map<string, JsonKind>();
  const parts = walkJson([new TextEncoder().encode(text)], (path, kind) => {
    if (path.some((part) => typeof part === "number" && part > 0)) return "skip";
    shape.set(path.join(" "), kind);
    return path.length < MAX_LEVELS ? "enter" : "skip";
  });
  try {
    for await (const _ of parts);
  } catch (error) {
    if (!(error instanceof JsonTextError)) throw error;
  }
  return shape;
}
