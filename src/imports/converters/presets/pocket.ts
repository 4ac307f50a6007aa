/** `pocket`: the saved pages of Pocket. */

import { knowledgeItem } from "./knowledge.ts";
import { rowPreset } from "./preset.ts";

export const POCKET = rowPreset({
  name: "pocket",
  knows: (head) => head.has("url", "time_added", "status"),
  target: "knowledge",
  convertRow(row, context) {
    const [url, title] = [row.text("url"), row.text("title")];
    return [knowledgeItem({
      key: url,
      title: title === "" || title === url ? hostOf(url) : title,
      sourceType: "WEBPAGE",
      url,
      readingStatus: row.text("status") === "archive" ? "READ" : "UNREAD",
      tags: row.list("tags", "|"),
      created: row.text("time_added"),
    }, context)];
  },
});

function hostOf(url: string): string {
  return URL.parse(url)?.host || url;
}
