/** The tags inside the text of a note: `#word`. */

import { MAX_TAGS } from "../fit_members.ts";
import { LINE_PREFIX } from "./note_addresses.ts";

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

/** The text with a backtick for each code span, which ends with as many backticks as it begins. */
function withoutCode(text: string): string {
  const runs = [...text.matchAll(/`+/g)].map(({ 0: { length }, index }) => ({ index, length }));
  const ends = new Map<number, number>();
  const endOf = runs.map(() => -1);
  for (let place = runs.length - 1; place >= 0; place--) {
    const { length = 0 } = runs[place] ?? {};
    endOf[place] = ends.get(length) ?? -1;
    ends.set(length, place);
  }
  const parts: string[] = [];
  let at = 0;
  for (let place = 0; place < runs.length; place++) {
    const { index = 0 } = runs[place] ?? {};
    const closing = text[index - 1] === "\\" ? undefined : runs[endOf[place] ?? -1];
    if (closing === undefined) continue;
    parts.push(text.slice(at, index));
    at = closing.index + closing.length;
    place = endOf[place] ?? place;
  }
  return [...parts, text.slice(at)].join("`");
}
