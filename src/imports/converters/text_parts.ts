/** Splits texts that are longer than a field. */

import { isJsonObject } from "../../core/json.ts";
import { countCodePoints, firstCodePoints, isLongerThan } from "../../validate/text.ts";
import { namedFiles } from "../attachment_names.ts";
import { linkFiles } from "../file_lines.ts";
import { MAX_TITLE } from "../fit_members.ts";
import type { SourceItem } from "./converter.ts";
import { HEAD_LENGTH } from "./text_head.ts";

/** Code points of a part. */
const PART_LENGTH = 100_000;
const SCHEME = "attachment:";
const ID_LENGTH = 26;
const SURROGATE = /[\ud800-\udfff]/;
/** Ends of a line and of a blank one after it. */
const BLANK_LINES = { "\n": ["\n\n", "\n\r\n"], "\r": ["\r\r"] };

/**
 * Splits a text into parts of at most so many code points, each after the last blank line of its
 * second half, else after the last line end there. Together they are the text.
 */
export function textParts(text: string, length = PART_LENGTH): readonly string[] {
  // CR alone ends a line if the beginning of a text has no LF.
  const lineEnd = text.slice(0, HEAD_LENGTH).includes("\n") ? "\n" : "\r";
  const parts: string[] = [];
  let start = 0;
  for (let end = endOf(text, start, length); end < text.length; end = endOf(text, start, length)) {
    const cut = cutOf(text, start + Math.floor((end - start) / 2), end, lineEnd);
    parts.push(text.slice(start, cut));
    start = cut;
  }
  return [...parts, text.slice(start)];
}

/** The position after so many code points. */
function endOf(text: string, start: number, length: number): number {
  const units = text.slice(start, start + length);
  // Most texts need no counting.
  if (!SURROGATE.test(units)) return start + units.length;
  let at = start;
  for (let count = 0; count < length && at < text.length; count++) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

/** The position after the last blank line, else the last line end, between two positions. */
function cutOf(text: string, from: number, end: number, lineEnd: "\n" | "\r"): number {
  // A blank line may begin before the half.
  const start = Math.max(0, from - 2);
  const half = text.slice(start, end);
  const afterLast = (lines: string) => {
    const at = half.lastIndexOf(lines);
    return at === -1 ? from : start + at + lines.length;
  };
  const blank = Math.max(...BLANK_LINES[lineEnd].map(afterLast));
  if (blank > from) return blank;
  const line = afterLast(lineEnd);
  return line > from ? line : beforeLink(text, from, end);
}

/** A position, or that of the link around it. */
function beforeLink(text: string, from: number, end: number): number {
  const first = Math.max(from + 1, end - SCHEME.length - ID_LENGTH + 1);
  const link = text.slice(first, end + SCHEME.length - 1).lastIndexOf(SCHEME);
  return link === -1 ? end : first + link;
}

/**
 * An item whose text is too long becomes several, with the rule `text.parts`. Each has the files
 * that its part names, and the last one also those that none names.
 *
 * @param field The field of the payload with the text.
 * @param after Follows the text, in the last part.
 */
export function* itemParts(item: SourceItem, field: string, after = ""): Generator<SourceItem> {
  const { payload } = item.members;
  const text = isJsonObject(payload) ? payload[field] : null;
  if (!isJsonObject(payload) || typeof text !== "string") return yield item;
  const names = (item.members.attachments ?? []) as readonly string[];
  const parts = partsOf(text, after, names);
  const withPart = (part: string) => ({ ...item.members, payload: { ...payload, [field]: part } });
  if (parts.length === 1) return yield { ...item, members: withPart(text + after) };
  const { earlier: _earlier, ...own } = item;
  const left = new Set(names);
  for (const [index, part] of parts.entries()) {
    const named = namedFiles({ part }, names);
    const isLast = index === parts.length - 1;
    const attachments = names.filter((name) => named.has(name) || (isLast && left.has(name)));
    for (const name of named) left.delete(name);
    const members = { ...withPart(part), attachments };
    const rules = [...item.rules ?? [], "text.parts"];
    const whole = { ...own, members, rules };
    yield index === 0 ? whole : numbered(whole, index + 1, parts.length);
  }
}

/** A part from the second on, with a title and a key of its own. No release knew it before. */
function numbered(item: SourceItem, part: number, count: number): SourceItem {
  const { former: _members, formerKey: _key, ...own } = item;
  const { title, key } = item.members;
  const number = ` (${part} of ${count})`;
  const length = MAX_TITLE - number.length;
  const isLong = isLongerThan(String(title), length);
  return {
    ...own,
    members: {
      ...item.members,
      title: `${isLong ? firstCodePoints(String(title), length).trim() : title}${number}`,
      ...(typeof key === "string" && { key: `${key}#part${part}` }),
    },
    rules: [...item.rules ?? [], ...isLong ? ["title.cut"] : []],
  };
}

/** The parts of a text, with `after` in the last one. */
function partsOf(text: string, after: string, names: readonly string[]): readonly string[] {
  const named = namedFiles({ text, after }, names);
  const lines = linkFiles("", names.filter((name) => !named.has(name)).map((name) => ({ name })));
  // The lines of the other files come later. Missing files have none, but may have long names.
  const end = lines === "" ? after : `${after}\n\n${lines}`;
  const room = Math.min(PART_LENGTH / 2, countCodePoints(end));
  if (!isLongerThan(text, PART_LENGTH - room)) return [text + after];
  const parts = textParts(text);
  const ends = textParts(parts.at(-1) ?? "", PART_LENGTH - room);
  return [...parts.slice(0, -1), ...ends.slice(0, -1), `${ends.at(-1)}${after}`];
}
