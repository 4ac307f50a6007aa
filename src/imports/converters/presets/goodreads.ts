/** `goodreads`: the library of Goodreads, a row a book. */

import { bookItem, titleKey } from "./books.ts";
import { rowPreset } from "./preset.ts";
import { writtenText } from "./written_text.ts";

export const GOODREADS = rowPreset({
  name: "goodreads",
  knows: (head) => head.has("Book Id", "Exclusive Shelf"),
  target: "knowledge",
  async convertRow(row, context) {
    const [title, author, shelf] = [
      row.text("Title"),
      row.text("Author"),
      row.text("Exclusive Shelf"),
    ];
    const rating = row.text("My Rating");
    row.ignore("Author l-f", "Bookshelves with positions", "Year Published");
    return [bookItem({
      key: row.text("Book Id") || titleKey(title, author),
      title,
      authors: [author, ...row.list("Additional Authors", ",")],
      isbns: [unquoted(row.text("ISBN13")), unquoted(row.text("ISBN"))],
      shelf,
      words: [await writtenText(row.text("My Review"), context), row.text("Private Notes")],
      details: [
        // A book without a rating has 0.
        ["Rating", rating === "0" ? "" : rating],
        ["Read", row.text("Date Read")],
        ["Published", row.firstText("Original Publication Year", "Year Published")],
      ],
      tags: row.list("Bookshelves", ",").filter((name) => name !== shelf),
      created: row.text("Date Added"),
    }, context)];
  },
});

/** The digits of `="9781250313195"`, which keeps spreadsheets from rounding them. */
function unquoted(text: string): string {
  return /^="(.*)"$/.exec(text)?.[1] ?? text;
}
