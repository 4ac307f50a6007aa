/** Splits texts that are longer than a field. */

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
