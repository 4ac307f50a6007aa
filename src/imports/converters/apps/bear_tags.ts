/** The tags in a text of Bear: `#tag`, `#tag/sub` and `#two words#`. */

import { MAX_TAGS } from "../../fit_members.ts";
import { textsWithoutCode } from "../inline_tags.ts";

const START = /(?<=^|\s)#(?=[\p{L}\p{M}\p{N}_/-])/gu;
/** The characters of a tag, and the blanks between its words. */
const RUN = /[\p{L}\p{M}\p{N}_/ -]+/uy;
const LETTER = /\p{L}/u;
/** A colour in hex has at least one decimal digit. */
const COLOUR = /^(?=.*\d)(?:[0-9a-f]{3,4}|[0-9a-f]{6}|[0-9a-f]{8})$/i;

/** The distinct tags without `#`; at most one more than an item may have. Code has none. */
export function bearTags(text: string): string[] {
  const tags = new Map<string, string>();
  for (const words of textsWithoutCode(text)) {
    for (const { index } of words.matchAll(START)) {
      const tag = tagAt(words, index + 1);
      const compared = tag.toLowerCase();
      if (tag !== "" && !tags.has(compared)) tags.set(compared, tag);
      if (tags.size > MAX_TAGS) return [...tags.values()];
    }
  }
  return [...tags.values()];
}

/** Empty for a number, a colour, and a mark without a tag. */
function tagAt(text: string, start: number): string {
  RUN.lastIndex = start;
  const run = RUN.exec(text)?.[0] ?? "";
  const end = start + run.length;
  const isClosed = text[end] === "#" && !run.endsWith(" ") && !isTagCharacter(text, end + 1);
  const [single = ""] = run.split(" ", 1);
  const tag = (isClosed ? run : single).replace(/\/{1,100}$/, "");
  const isColour = !tag.includes(" ") && COLOUR.test(tag);
  return LETTER.test(tag) && !isColour ? tag : "";
}

function isTagCharacter(text: string, at: number): boolean {
  RUN.lastIndex = at;
  return text[at] !== " " && RUN.test(text);
}
