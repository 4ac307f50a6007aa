/** Splits texts that are longer than a field. */

import { isJsonObject, type JsonObject } from "../../core/json.ts";
import { countCodePoints, isLongerThan } from "../../validate/text.ts";
import { namedFiles } from "../attachment_names.ts";
import type { SourceItem } from "./converter.ts";

/** Code points of a part. */
const PART_LENGTH = 100_000;

/**
 * Splits a text into parts of at most 100,000 code points, each after the last blank line of its
 * second half, else after the last line end there. Together they are the text.
 */
export function textParts(text: string, length = PART_LENGTH): readonly string[] {
  const parts: string[] = [];
  let start = 0;
  for (let end = endOf(text, start, length); end < text.length; end = endOf(text, start, length)) {
    const cut = cutOf(text, start + Math.floor((end - start) / 2), end);
    parts.push(text.slice(start, cut));
    start = cut;
  }
  return [...parts, text.slice(start)];
}

/** The position after so many code points. */
function endOf(text: string, start: number, length: number): number {
  let at = start;
  for (let count = 0; count < length && at < text.length; count++) {
    at += (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1;
  }
  return at;
}

/** The position after the last blank line, else the last line end, between two positions. */
function cutOf(text: string, from: number, end: number): number {
  let lineEnd = -1;
  for (let at = text.lastIndexOf("\n", end - 1); at >= from; at = text.lastIndexOf("\n", at - 1)) {
    if (lineEnd === -1) lineEnd = at + 1;
    if (text[at - 1] === "\n" || text.slice(at - 2, at) === "\n\r") return at + 1;
    if (at === 0) break;
  }
  return lineEnd === -1 ? end : lineEnd;
}

/**
 * An item whose text is too long becomes several, with the rule `text.parts`. Each has the files
 * that its part names.
 *
 * @param field The field of the payload with the text.
 * @param after Follows the text, in the last part.
 */
export function itemParts(item: SourceItem, field: string, after = ""): readonly SourceItem[] {
  const { payload } = item.members;
  const text = isJsonObject(payload) ? payload[field] : null;
  if (!isJsonObject(payload) || typeof text !== "string") return [item];
  const parts = textsWith(text, after);
  if (parts.length === 1) return [partOf(item, { ...payload, [field]: text + after })];
  const { title, key } = item.members;
  return parts.map((part, index) => {
    const named = partOf(item, { ...payload, [field]: part });
    const attachments = (item.members.attachments ?? []) as readonly string[];
    const own = namedFiles({ part }, attachments);
    const members = {
      ...named.members,
      attachments: attachments.filter((name) => own.has(name)),
      ...(index > 0 && {
        title: `${title} (${index + 1} of ${parts.length})`,
        ...(typeof key === "string" && { key: `${key}#part${index + 1}` }),
      }),
    };
    return { ...named, members, rules: [...item.rules ?? [], "text.parts"] };
  });
}

function partOf(item: SourceItem, payload: JsonObject): SourceItem {
  return { ...item, members: { ...item.members, payload } };
}

function textsWith(text: string, after: string): readonly string[] {
  if (!isLongerThan(text + after, PART_LENGTH)) return [text + after];
  const parts = textParts(text);
  const last = parts.at(-1) ?? "";
  const whole = isLongerThan(last + after, PART_LENGTH)
    ? textParts(last, PART_LENGTH - countCodePoints(after))
    : [last];
  return [...parts.slice(0, -1), ...whole.slice(0, -1), `${whole.at(-1)}${after}`];
}
