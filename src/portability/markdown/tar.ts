/**
 * Tar archives of POSIX.1-2001: `ustar` headers, preceded by a `pax` header with the UTF-8 path if
 * the path does not fit. Headers are ASCII, so they are strings here.
 */

import { Buffer } from "node:buffer";

const BLOCK_BYTES = 512;
const PATH_BYTES = 100;
/** Maximum of eleven octal digits: a time in the year 2242. */
const LATEST_SECONDS = 8 ** 11 - 1;

interface TarFile {
  /** Folders and name, separated by slashes, without control characters. */
  readonly path: string;
  /** Bytes. */
  readonly size: number;
  readonly modified: Date;
}

export const TAR_END = "\0".repeat(2 * BLOCK_BYTES);

export function tarHeader({ path, size, modified }: TarFile): string {
  const seconds = Math.floor(modified.getTime() / 1000);
  const time = Math.min(Math.max(seconds, 0), LATEST_SECONDS);
  if (/^[ -~]*$/.test(path) && path.length <= PATH_BYTES) return header("0", path, size, time);
  const record = paxRecord("path", path);
  const bytes = Buffer.byteLength(record);
  // For programs without pax support: as much of the path as fits.
  const plain = path.replaceAll(/[^ -~]/gu, "_").slice(0, PATH_BYTES);
  return header("x", "pax_header", bytes, time) + record + tarPadding(bytes) +
    header("0", plain, size, time);
}

export function tarPadding(size: number): string {
  return "\0".repeat((BLOCK_BYTES - size % BLOCK_BYTES) % BLOCK_BYTES);
}

/** Writes a header; `kind` is `0` for a file, `x` for a description of the next header. */
function header(kind: "0" | "x", path: string, size: number, time: number): string {
  const [mode, owner, group] = [octal(0o600, 8), octal(0, 8), octal(0, 8)];
  const before = path.padEnd(PATH_BYTES, "\0") + mode + owner + group + octal(size, 12) +
    octal(time, 12);
  // Link, magic and version; owner and group names, device numbers and prefix are empty.
  const after = `${kind}${"\0".repeat(100)}ustar\x0000`.padEnd(
    BLOCK_BYTES - before.length - 8,
    "\0",
  );
  // The checksum is computed with its own field blank.
  const sum = Buffer.from(`${before}        ${after}`).reduce((total, byte) => total + byte, 0);
  return `${before}${octal(sum, 7)} ${after}`;
}

function octal(value: number, width: number): string {
  return `${value.toString(8).padStart(width - 1, "0")}\0`;
}

/** `LENGTH NAME=VALUE` and a line feed; the length counts its own digits. */
function paxRecord(name: string, value: string): string {
  const rest = ` ${name}=${value}\n`;
  const bytes = Buffer.byteLength(rest);
  const digits = String(bytes + String(bytes).length).length;
  return `${bytes + digits}${rest}`;
}
