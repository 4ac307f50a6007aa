export interface ByteRange {
  readonly start: number;
  /** The first byte after the range. */
  readonly end: number;
}

/**
 * Parses a Range header (RFC 9110).
 *
 * @returns "whole" also for one that may be ignored: another unit, several ranges, or a malformed
 *   one; "unsatisfiable" for a range beyond the end.
 */
export function readRange(
  header: string | null,
  size: number,
): ByteRange | "whole" | "unsatisfiable" {
  const parts = header === null ? null : /^bytes=(\d{0,15})-(\d{0,15})$/i.exec(header.trim());
  if (parts === null) return "whole";
  const [, first = "", last = ""] = parts;
  if (first === "" && last === "") return "whole";
  if (first === "") {
    const length = Math.min(Number(last), size);
    return length === 0 ? "unsatisfiable" : { start: size - length, end: size };
  }
  const start = Number(first);
  if (last !== "" && Number(last) < start) return "whole";
  if (start >= size) return "unsatisfiable";
  return { start, end: last === "" ? size : Math.min(Number(last) + 1, size) };
}
