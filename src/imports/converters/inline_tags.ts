/** The tags inside the text of a note: `#word`. */

import { MAX_TAGS } from "../fit_members.ts";
import { fencedLines } from "./fenced_lines.ts";
import { codeEndsOf } from "./plain_words.ts";

/** A heading or an item of a list. */
const BLOCK = /^[ \t>]*(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]/;
/** After a blank, a bracket or the beginning, except for addresses such as `](#part)`. */
const TAG = /(?<=^|\s|(?<!\])\()#([\p{L}\p{M}\p{N}_/-]+)/gu;

/** The distinct tags without `#`; at most one more than an item may have. Code has none. */
export function inlineTags(text: string): string[] {
  const tags = new Map<string, string>();
  for (const words of textsWithoutCode(text)) {
    for (const [, tag = ""] of words.matchAll(TAG)) {
      const compared = tag.toLowerCase();
      if (/\P{Nd}/u.test(tag) && !tags.has(compared)) tags.set(compared, tag);
      if (tags.size > MAX_TAGS) return [...tags.values()];
    }
  }
  return [...tags.values()];
}

/** The paragraphs of a text, without fenced code, and with a backtick for each code span. */
export function* textsWithoutCode(text: string): Generator<string> {
  for (const paragraph of paragraphs(text)) yield withoutCode(paragraph);
}

/** The lines between blank lines, fenced code, headings and items of lists. */
function* paragraphs(text: string): Generator<string> {
  let from = 0;
  for (const { start, end, text: line, kind } of fencedLines(text)) {
    const isText = kind === "text" && line !== "";
    if (isText && !BLOCK.test(line)) continue;
    yield text.slice(from, start);
    from = isText ? start : end;
  }
  yield text.slice(from);
}

/** The text with a backtick for each code span. */
function withoutCode(text: string): string {
  const ends = codeEndsOf(text);
  const parts: string[] = [];
  let at = 0;
  for (const { 0: run, index } of text.matchAll(/`+/g)) {
    const end = ends.get(index);
    if (end === undefined || index < at || text[index - 1] === "\\") continue;
    parts.push(text.slice(at, index));
    at = end + run.length;
  }
  return [...parts, text.slice(at)].join("`");
}
