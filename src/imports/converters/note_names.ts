/** The names of notes: their keys, and the titles that their files give them. */

import { isBlank } from "../../validate/text.ts";
import { parseTimestamp } from "../../validate/timestamp.ts";
import { baseNameOf, type Entry } from "../archive/archive.ts";
import { entryBytes, type ReadingBudget } from "../reading_budget.ts";
import { headingOf, titleOf } from "./note_title.ts";

/** A day as a path, such as `2023/01/05`. */
const DATE_PATH = /(?:^|\/)(\d{4})\/(\d{2})\/(\d{2})$/;
/** Names that any note may have. */
const GENERAL_NAME = /^(?:text|index|note|untitled|[0-9a-f]{32})$/i;

export interface FileName {
  /** Without its ending, and without the identifier that Notion adds. */
  readonly name: string;
  /** That identifier; null without one. */
  readonly id: string | null;
}

export function fileNameOf(path: string): FileName {
  const base = withoutEnding(baseNameOf(path));
  const match = /^(.*?)[ -]?([0-9a-f]{32})$/i.exec(base);
  if (match === null) return { name: base, id: null };
  const [, name = "", id = ""] = match;
  return { name: name === "" ? id : name, id: id.toLowerCase() };
}

/**
 * The keys of notes by their paths: the identifier that Notion added, else the path. The first of
 * several notes with one identifier has it as key.
 */
export async function noteKeys(
  entries: readonly Entry[],
  budget: ReadingBudget,
): Promise<(path: string) => string> {
  const first = new Map<string, string>();
  for (const { name, place } of entries) {
    await budget.turn(place);
    const { id } = fileNameOf(name);
    if (id === null) continue;
    const other = first.get(id);
    if (other === undefined) budget.hold(entryBytes(id), place);
    if (other === undefined || name < other) first.set(id, name);
  }
  return (path) => {
    const { id } = fileNameOf(path);
    return id !== null && first.get(id) === path ? id : path;
  };
}

/**
 * The title of a note by its path; by its first heading if the name is a general one. A blank name
 * gives way to the first line with words, too; null without one.
 */
export function noteTitle(path: string, text: string): string | null {
  const { name } = fileNameOf(path);
  if (isBlank(name)) return headingOf(text) ?? titleOf(text);
  if (GENERAL_NAME.test(name)) return headingOf(text) ?? name;
  const day = DATE_PATH.exec(withoutEnding(path))?.slice(1).join("-");
  return day !== undefined && isPlainDay(day) ? day : name;
}

/** True for a day as `2023-01-05`. */
export function isPlainDay(text: string): boolean {
  return /^\d{4}-\d{2}-\d{2}$/.test(text) && parseTimestamp(`${text}T00:00:00.000Z`) !== null;
}

function withoutEnding(path: string): string {
  return path.replace(/\.(?:md|markdown|txt)$/i, "");
}
