/** The part of a file that is sent. */
export interface ByteRange {
  readonly start: number;
  /** Exclusive. */
  readonly end: number;
}

/**
 * Reads a Range header against a size (RFC 9110).
 *
 * @returns the range; "whole" where there is none, or one that may be ignored: another unit,
 * several ranges, or one that cannot be read; "unsatisfiable" where it lies beyond the end.
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
