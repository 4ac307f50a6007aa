/** The member `attachmentIds` of answers: the attachments that an object's content names. */

import { isUlid } from "../core/ids.ts";
import { type JsonSchema, listOf, ULID } from "./json_schema.ts";

const MAX_ATTACHMENT_IDS = 100;

const LINK = /attachment:([0-7][0-9A-HJKMNP-TV-Z]{25})(?![\p{L}\p{Nd}])/gu;

export const ATTACHMENT_IDS: JsonSchema = {
  ...listOf(ULID),
  maxItems: MAX_ATTACHMENT_IDS,
  uniqueItems: true,
  description: "The attachments that the content shown names, in order of appearance. They are " +
    "not looked up, so one may not exist.",
};

/** `attachmentIds` of an object whose content is hidden. */
export const NO_ATTACHMENT_IDS: JsonSchema = { ...listOf(ULID), maxItems: 0 };

/**
 * Returns identifiers in order, each once, at most 100, in linear time.
 *
 * @param named Values of fields for files, which come first.
 * @param texts Contain links `attachment:<identifier>`; null for an absent text.
 */
export function attachmentIds(
  named: readonly string[],
  texts: readonly (string | null)[],
): readonly string[] {
  const found = new Set<string>();
  for (const id of occurrences(named, texts)) {
    if (found.size === MAX_ATTACHMENT_IDS) break;
    found.add(id);
  }
  return [...found];
}

function* occurrences(
  named: readonly string[],
  texts: readonly (string | null)[],
): Generator<string> {
  yield* named.filter(isUlid);
  for (const text of texts) {
    for (const [, id = ""] of text?.matchAll(LINK) ?? []) yield id;
  }
}
