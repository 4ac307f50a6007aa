/** The content of items, with the identifiers of their files. */

import { newId } from "../core/ids.ts";
import type { ImportTarget, ItemContent } from "../kit/import_target.ts";
import { formatTimestamp } from "../validate/timestamp.ts";
import { withAttachments } from "./attachment_names.ts";
import type { Item } from "./item.ts";
import { isUsable } from "./item_files.ts";
import { nextDate } from "./rhythm.ts";

/**
 * The content with placeholders for the identifiers of new files: as long, and distinct.
 *
 * @param known Identifiers of stored files by digest.
 */
export function plannedContent(
  item: Item,
  target: ImportTarget,
  known: ReadonlyMap<string, string>,
  now: Date,
): ItemContent {
  const ids = new Map(
    item.files.filter(isUsable).map(({ name, sha256 = "" }, index) => {
      return [name, known.get(sha256) ?? placeholder(index)];
    }),
  );
  return contentOf(item, target, ids, now);
}

/** Start of each placeholder: random, so that no item can name one. */
const PLACEHOLDER = newId(new Date(0)).slice(0, 21);

export function isPlaceholder(id: string): boolean {
  return id.startsWith(PLACEHOLDER);
}

function placeholder(index: number): string {
  return PLACEHOLDER + String(index).padStart(5, "0");
}

/** The content of an item whose files have these identifiers. */
export function contentOf(
  item: Item,
  { fileField }: ImportTarget,
  ids: ReadonlyMap<string, string>,
  now: Date,
): ItemContent {
  const payload = { ...withAttachments(item.payload, ids) };
  if (item.runTimeField !== null) {
    payload[item.runTimeField] ??= new Date(item.recordedAt ?? now).toISOString();
  }
  const [first] = ids.values();
  const next = item.rhythm === undefined ? null : nextDate(item.rhythm, now);
  if (next !== null) payload.nextDueAt = formatTimestamp(next);
  if (fileField?.isList && first !== undefined) {
    const before = payload[fileField.name];
    payload[fileField.name] = [...Array.isArray(before) ? before : [], ...ids.values()];
  } else if (fileField !== null && first !== undefined) {
    payload[fileField.name] = first;
  }
  return { title: item.title, summary: item.summary, payload };
}
