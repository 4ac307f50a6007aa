/** The folding of content lines, the same in iCalendar (RFC 5545) and vCard (RFC 6350). */

/** Maximum octets of a line, without its end. */
const MAX_LINE_OCTETS = 75;

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder("utf-8", { ignoreBOM: true });

/** Folds a line between code points, so that no part has more than 75 octets, and ends it. */
export function foldLine(line: string): string {
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
