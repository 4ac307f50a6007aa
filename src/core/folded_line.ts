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

const UTF16 = new TextDecoder("utf-16le");
const BACKSLASH = 0x5c;

/** Reverses `escapeText`, and the escape of a colon; leaves unknown escapes unchanged. */
export function unescapeText(value: string): string {
  if (!value.includes("\\")) return value.replaceAll("\r\n", "\n");
  const units = new Uint16Array(value.length);
  let length = 0;
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    const escaped = unit === BACKSLASH ? ESCAPES.get(value.charCodeAt(at + 1)) : undefined;
    units[length++] = escaped ?? unit;
    if (escaped !== undefined) at++;
  }
  return UTF16.decode(units.subarray(0, length)).replaceAll("\r\n", "\n");
}

/** Escaped characters by the one after the backslash. */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  [["\\", "\\"], [",", ","], [";", ";"], [":", ":"], ["n", "\n"], ["N", "\n"]]
    .map(([written = "", meant = ""]) => [written.charCodeAt(0), meant.charCodeAt(0)]),
);

/**
 * Folds a line between code points, so that no part has more than 75 octets, and ends it. Controls
 * other than tabs, U+2028 and U+2029 become blanks: the formats do not have them, and some readers
 * end a line at them.
 */
export function foldLine(content: string): string {
  const line = content.replaceAll(/[^\P{Cc}\t]|[\u2028\u2029]/gu, " ");
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
