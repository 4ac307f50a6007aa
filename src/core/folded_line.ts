/** Content lines, the same in iCalendar (RFC 5545) and vCard (RFC 6350). */

/** Maximum octets of a line, without its end. */
const MAX_LINE_OCTETS = 75;

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/**
 * Escapes backslash, comma, semicolon and line ends. Addresses of a vCard are escaped too, because
 * some readers end them at a comma.
 */
export function escapeText(text: string): string {
  return text.replaceAll(/[\\,;]/g, "\\$&").replaceAll(/\r\n|[\r\n]/g, "\\n");
}

/**
 * Folds a line between code points, so that no part has more than 75 octets, and ends it. Controls,
 * U+2028 and U+2029 become blanks: the formats do not have them, and some readers end a line at
 * them.
 */
export function foldLine(content: string): string {
  const line = content.replaceAll(/[\p{Cc}\u2028\u2029]/gu, " ");
  if (line.length * 3 <= MAX_LINE_OCTETS) return `${line}\r\n`;
  const bytes = ENCODER.encode(line);
  let [folded, start] = ["", 0];
  // The space at the beginning of a continued line is one of its octets.
  for (let room = MAX_LINE_OCTETS; start < bytes.length; room = MAX_LINE_OCTETS - 1) {
    let end = Math.min(start + room, bytes.length);
    while (end < bytes.length && isContinuation(bytes[end])) end--;
    folded += `${start === 0 ? "" : " "}${DECODER.decode(bytes.subarray(start, end))}\r\n`;
    start = end;
  }
  return folded;
}

function isContinuation(byte = 0): boolean {
  return (byte & 0xc0) === 0x80;
}
