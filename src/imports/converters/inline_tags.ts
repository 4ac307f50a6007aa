/** The tags inside the text of a note: `#word`. */

import { MAX_TAGS } from "../fit_members.ts";
import { LINE_PREFIX } from "./note_addresses.ts";
import { codeEndsOf } from "./plain_words.ts";

const FENCE = new RegExp(`^${LINE_PREFIX}(\`{3,}(?=[^\`]*$)|~{3,})`);
const FENCE_END = /^[ \t>]*(`{3,}|~{3,})$/;
/** A heading or an item of a list. */
const BLOCK = /^[ \t>]*(?:#{1,6}|[-*+]|\d{1,9}[.)])[ \t]/;
/** After a blank, a bracket or the beginning, except for addresses such as `](#part)`. */
const TAG = /(?<=^|\s|(?<!\])\()#([\p{L}\p{M}\p{N}_/-]+)/gu;

/** The distinct tags without `#`; at most one more than an item may have. Code has none. */
export function inlineTags(text: string): string[] {
  const tags = new Map<string, string>();
  for (const paragraph of paragraphs(text)) {
    for (const [, tag = ""] of withoutCode(paragraph).matchAll(TAG)) {
      const compared = tag.toLowerCase();
      if (/\P{Nd}/u.test(tag) && !tags.has(compared)) tags.set(compared, tag);
      if (tags.size > MAX_TAGS) return [...tags.values()];
    }
  }
  return [...tags.values()];
}

/** The lines between blank lines, fenced code, headings and items of lists. */
function* paragraphs(text: string): Generator<string> {
  let fence: string | null = null;
  let start = 0;
  for (let at = 0; at < text.length;) {
    const lineEnd = text.indexOf("\n", at);
    const next = lineEnd === -1 ? text.length : lineEnd + 1;
    const line = text.slice(at, next).trimEnd();
    const mark = (fence === null ? FENCE : FENCE_END).exec(line)?.[1];
    if (mark !== undefined || fence !== null || line === "") {
      yield text.slice(start, at);
      start = next;
    } else if (BLOCK.test(line)) {
      yield text.slice(start, at);
      start = at;
    }
    if (fence === null) fence = mark ?? null;
    else if (mark?.startsWith(fence)) fence = null;
    at = next;
  }
  yield text.slice(start);
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
