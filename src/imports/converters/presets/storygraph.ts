/** `storygraph`: the library of The StoryGraph, a row a book. */

import { bookItem, titleKey } from "./books.ts";
import { rowPreset } from "./preset.ts";
import { writtenText } from "./written_text.ts";

export const STORYGRAPH = rowPreset({
  name: "storygraph",
  knows: (head) => head.has("Read Status", "Star Rating"),
  target: "knowledge",
  async convertRow(row, context) {
    const [title, uid] = [row.text("Title"), row.text("ISBN/UID")];
    return [bookItem({
      key: uid || titleKey(title, row.text("Authors")),
      title,
      authors: row.list("Authors", ","),
      isbns: [uid],
      shelf: row.text("Read Status"),
      words: [await writtenText(row.text("Review"), context)],
      details: [["Rating", row.text("Star Rating")], ["Read", row.text("Last Date Read")]],
      tags: row.list("Tags", ","),
      created: row.text("Date Added"),
    }, context)];
  },
});
