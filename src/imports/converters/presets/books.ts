/** Books of presets. */

import { sha256Hex } from "../../../core/digest.ts";
import { type Detail, withDetails } from "../apps/item_details.ts";
import type { SourceItem } from "../converter.ts";
import { knowledgeItem } from "./knowledge.ts";
import type { PresetContext } from "./preset.ts";

/** The states of reading by the names of shelves. */
const STATES: ReadonlyMap<string, string> = new Map([
  ["read", "READ"],
  ["currently-reading", "READING"],
  ["to-read", "UNREAD"],
  ["did-not-finish", "ABANDONED"],
  ["abandoned", "ABANDONED"],
  ["dnf", "ABANDONED"],
]);

export interface Book {
  readonly key: string;
  readonly title: string;
  /** The one who is named first, then others. */
  readonly authors: readonly string[];
  /** Possible ISBNs, the preferred one first. */
  readonly isbns: readonly string[];
  readonly shelf: string;
  /** The owner's own texts. */
  readonly words: readonly string[];
  readonly details: readonly Detail[];
  readonly tags: readonly string[];
  readonly created: string;
}

export function bookItem(
  { authors, isbns, shelf, words, details, ...book }: Book,
  context: PresetContext,
): SourceItem {
  const isbn = isbns.map(isbnOf).find((each) => each !== null) ?? null;
  const own = words.filter((text) => text !== "").join("\n\n");
  return knowledgeItem({
    ...book,
    sourceType: "BOOK",
    url: isbn,
    author: authors.filter((name) => name !== "").join(", "),
    readingStatus: STATES.get(shelf.toLowerCase()) ?? "REFERENCE",
    annotation: withDetails(own, details),
  }, context);
}

/** The `isbn:` reference of ten or thirteen digits; null for any other text. */
function isbnOf(text: string): string | null {
  const digits = text.replaceAll("-", "");
  return /^(?:\d{13}|\d{9}[\dXx])$/.test(digits) ? `isbn:${digits.toUpperCase()}` : null;
}

/** The key of a book that has no identifier. */
export function titleKey(title: string, author: string): string {
  return `book:${sha256Hex(`${title}\n${author}`).slice(0, 32)}`;
}
