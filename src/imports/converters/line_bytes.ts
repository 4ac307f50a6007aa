/** Bytes of lines of cards and calendars. */

const SPACE = 0x20;
const CARRIAGE_RETURN = 0x0d;
const MARK_BYTES = 3;

/**
 * Removes carriage returns, which some transports double, and byte order marks, which files that
 * were put together have inside.
 *
 * @param isFirst True for the beginning of a line, and `isLast` for its end.
 */
export function trimLine(bytes: Uint8Array, isFirst: boolean, isLast: boolean): Uint8Array {
  let [start, end] = [0, bytes.length];
  while (isFirst && isMark(bytes, start)) start += MARK_BYTES;
  while (isLast && bytes[end - 1] === CARRIAGE_RETURN) end--;
  return bytes.subarray(start, end);
}

function isMark(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0xef && bytes[at + 1] === 0xbb && bytes[at + 2] === 0xbf;
}

/** True for blanks and control characters alone. */
export function isBlankLine(line: Uint8Array): boolean {
  return line.every((byte) => byte <= SPACE);
}
