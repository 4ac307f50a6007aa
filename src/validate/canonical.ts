/** One spelling for equal values, and the size of a text on the wire. */
import type { JsonValue } from "../core/json.ts";

/**
 * RFC 8785: object keys sorted by UTF-16 code units, no white space, numbers and strings as in
 * `JSON.stringify`. Two values have the same form exactly if they are equal as JSON (specification,
 * Limits; Idempotency).
 *
 * @param value Accepted by the parser, or no deeper: the recursion has no limit of its own.
 */
export function canonicalJson(value: JsonValue): string {
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(",")}]`;
  let text = "{";
  for (const key of Object.keys(value).sort()) {
    const member = value[key];
    if (member === undefined) continue;
    if (text.length > 1) text += ",";
    text += `${JSON.stringify(key)}:${canonicalJson(member)}`;
  }
  return text + "}";
}

/**
 * The length in UTF-8. A lone surrogate counts three bytes, as the replacement character that an
 * encoder would write.
 */
export function utf8Length(text: string): number {
  let bytes = text.length;
  for (let index = 0; index < text.length; index++) {
    const unit = text.charCodeAt(index);
    if (unit < 0x80) continue;
    bytes += unit < 0x800 ? 1 : 2;
    // A surrogate pair has four bytes; its units were counted as three each.
    if (isLowSurrogate(unit) && isHighSurrogate(text.charCodeAt(index - 1))) bytes -= 2;
  }
  return bytes;
}

function isHighSurrogate(unit: number): boolean {
  return unit >= 0xd800 && unit <= 0xdbff;
}

function isLowSurrogate(unit: number): boolean {
  return unit >= 0xdc00 && unit <= 0xdfff;
}
