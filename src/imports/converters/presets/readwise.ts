/** `readwise`: the highlights of Readwise. All of one book become one record. */

import { entryBytes } from "../../reading_budget.ts";
import { cleanLine } from "../apps/clean_text.ts";
import type { Converted } from "../converter.ts";
import { PARSED_LIMITS } from "../json_walk.ts";
import { itemParts } from "../text_parts.ts";
import { titleKey } from "./books.ts";
import { knowledgeItem } from "./knowledge.ts";
import { itemsOf, type Preset, type PresetContext } from "./preset.ts";
import type { PresetRow } from "./preset_row.ts";
import { creationTime } from "./preset_times.ts";

export const READWISE: Preset = {
  name: "readwise",
  knows: (head) => head.has("Highlight", "Book Title", "Book Author"),
  async *convert(table, context) {
    const books = new Map<string, Book>();
    for await (const row of table.rows()) {
      if (row.fault === null) addRow(books, row, context);
      else yield* itemsOf(row, "knowledge", () => []);
    }
    for (const [key, book] of books) yield* bookItems(key, book, table.entry, context);
  },
};

/** Bytes in memory of a book, in addition to its texts. */
const BOOK_BYTES = 1_000;

interface Book {
  readonly title: string;
  readonly author: string;
  readonly isOfAmazon: boolean;
  readonly blocks: string[];
  readonly tags: Set<string>;
  readonly rules: Set<string>;
  readonly unmapped: Set<string>;
  /** Characters of all blocks. */
  length: number;
  /** The earliest time in UTC; empty for none. */
  created: string;
}

function addRow(books: Map<string, Book>, row: PresetRow, context: PresetContext): void {
  const { budget, mapping } = context;
  const [title, author, id] = ["Book Title", "Book Author", "Amazon Book ID"]
    .map((name) => cleanLine(row.text(name)));
  const key = id || titleKey(title ?? "", author ?? "");
  const known = books.get(key);
  const book = known ?? newBook(title, author, id);
  if (known === undefined) budget.hold(BOOK_BYTES + entryBytes(`${key}${title}${author}`), 0);
  books.set(key, book);
  const block = highlightText(row);
  book.length += block.length;
  if (book.length <= PARSED_LIMITS.bytes) {
    budget.hold(entryBytes(block), 0);
    book.blocks.push(block);
  }
  const { recordedAt, rules } = creationTime(row.text("Highlighted at"), mapping);
  if (recordedAt !== null && (book.created === "" || recordedAt < book.created)) {
    book.created = recordedAt;
  }
  for (const tag of row.list("Document tags", ",")) {
    if (book.tags.has(tag)) continue;
    budget.hold(entryBytes(tag), 0);
    book.tags.add(tag);
  }
  for (const rule of rules) book.rules.add(rule);
  for (const name of row.unmapped) book.unmapped.add(name);
}

function newBook(title = "", author = "", id = ""): Book {
  return {
    title,
    author,
    isOfAmazon: id !== "",
    blocks: [],
    tags: new Set(),
    rules: new Set(),
    unmapped: new Set(),
    length: 0,
    created: "",
  };
}

/** The quoted highlight, the note and the place in the book, with blank lines between them. */
function highlightText(row: PresetRow): string {
  const highlight = row.text("Highlight");
  const place = `${row.text("Location Type") || "location"} ${row.text("Location")}`;
  const quote = highlight === "" ? "" : highlight.replaceAll(/^/gm, "> ");
  return [quote, row.text("Note"), row.text("Location") === "" ? "" : place]
    .filter((part) => part !== "").join("\n\n");
}

function* bookItems(
  key: string,
  book: Book,
  entry: string | null,
  context: PresetContext,
): Generator<Converted> {
  const { blocks, isOfAmazon, tags, rules, unmapped, length, ...own } = book;
  if (length > PARSED_LIMITS.bytes) {
    const members = { key, target: "knowledge" };
    return yield { kind: "item", item: { entry, members, refused: ["import.item_size"] } };
  }
  const item = knowledgeItem({
    ...own,
    key,
    sourceType: isOfAmazon ? "BOOK" : "OTHER",
    url: null,
    readingStatus: "REFERENCE",
    snapshot: blocks.filter((block) => block !== "").join("\n\n"),
    tags: [...tags],
  }, context);
  const whole = {
    ...item,
    entry,
    rules: [...rules],
    unmapped: [...item.unmapped ?? [], ...unmapped],
    futureRule: "import.date" as const,
  };
  for (const part of itemParts(whole, "snapshot")) yield { kind: "item", item: part };
}
