/** Tar archives: `ustar` with prefixes, `pax` paths and sizes, and the long names of GNU tar. */

import { Buffer } from "node:buffer";
import { refuseFile } from "../refusal.ts";
import { Archive, ARCHIVE_LIMITS, type Entry, entryName, HELD_BYTES } from "./archive.ts";
import { entryBytes } from "../reading_budget.ts";
import { type FileSource, ReadAhead } from "./file_source.ts";

const BLOCK_BYTES = 512;
/** Larger than the records of any path. */
const MAX_RECORD_BYTES = 64 * 1024;
const AHEAD_BYTES = 8 * 1024;

export function beginsLikeTar(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(257, 262)).toString("latin1") === "ustar";
}

/** @throws FileRefusal */
export async function readTar(source: FileSource): Promise<Archive> {
  const entries: Entry[] = [];
  let links = 0;
  for await (const { place, name, start, size, kind } of readHeaders(source)) {
    if (kind === "link") links++;
    if (kind !== "file" || name.endsWith("/")) continue;
    source.budget.hold(HELD_BYTES + entryBytes(name), place);
    const bytes = () => source.stream(start, start + size);
    entries.push({ place, name, size, modified: null, bytes });
  }
  return new Archive(entries, links);
}

/** A header with the values of preceding extended headers. */
interface Header {
  readonly place: number;
  readonly name: string;
  readonly kind: "file" | "link" | "other";
  readonly start: number;
  readonly size: number;
}

async function* readHeaders(source: FileSource): AsyncGenerator<Header> {
  let [at, place] = [0, 0];
  let extended: { name?: Uint8Array; size?: number } = {};
  const ahead = new ReadAhead(source, AHEAD_BYTES);
  while (at < source.size) {
    await source.budget.turn(place + 1);
    const block = await ahead.read(at, BLOCK_BYTES);
    if (block.length < BLOCK_BYTES) refuseFile("tar.header", place + 1);
    if (block.every((byte) => byte === 0)) return;
    if (!hasValidChecksum(block)) refuseFile("tar.header", place + 1);
    const type = String.fromCharCode(block[156] ?? 0);
    const isRecord = type === "x" || type === "L";
    const size = (isRecord ? null : extended.size) ?? numberOf(block.subarray(124, 136), place + 1);
    const start = at + BLOCK_BYTES;
    at = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    if (start + size > source.size) refuseFile("tar.header", place + 1);
    if (isRecord) {
      if (size > MAX_RECORD_BYTES) refuseFile("zip.name", place + 1);
      // Applies to the next header.
      const bytes = await source.read(start, size);
      extended = type === "L"
        ? { ...extended, name: untilNul(bytes) }
        : { ...extended, ...readPax(bytes, place + 1) };
      continue;
    }
    if (type === "g" || type === "K") continue;
    place++;
    if (place > ARCHIVE_LIMITS.entries) refuseFile("zip.entries", place);
    const name = entryName(extended.name ?? nameOf(block), place);
    extended = {};
    yield { place, name, kind: kindOf(type), start, size };
  }
}

function kindOf(type: string): Header["kind"] {
  if (type === "0" || type === "\0" || type === "7") return "file";
  return type === "1" || type === "2" ? "link" : "other";
}

/** The path in the header: `prefix/name`. */
function nameOf(block: Uint8Array): Uint8Array {
  const name = untilNul(block.subarray(0, 100));
  const prefix = untilNul(block.subarray(345, 500));
  const isPosix = Buffer.from(block.subarray(257, 263)).toString("latin1") === "ustar\0";
  return isPosix && prefix.length > 0 ? Buffer.concat([prefix, Buffer.from("/"), name]) : name;
}

/** Reads the records `path` and `size`, and ignores all others. */
function readPax(bytes: Uint8Array, place: number): { name?: Uint8Array; size?: number } {
  const extended: { name?: Uint8Array; size?: number } = {};
  const buffer = Buffer.from(bytes);
  for (let at = 0; at < buffer.length;) {
    const space = buffer.indexOf(" ", at);
    const length = Number(buffer.toString("latin1", at, space));
    const end = at + length;
    if (space === -1 || !Number.isInteger(length) || length <= 0 || end > buffer.length) {
      refuseFile("tar.header", place);
    }
    const record = buffer.subarray(space + 1, end - 1);
    const equals = record.indexOf("=");
    const keyword = record.toString("latin1", 0, Math.max(0, equals));
    const value = record.subarray(equals + 1);
    if (keyword === "path") extended.name = value;
    if (keyword === "size") extended.size = digitsOf(value.toString("latin1"), place);
    at = end;
  }
  return extended;
}

function numberOf(field: Uint8Array, place: number): number {
  // GNU tar's binary form of sizes beyond 8 GiB is refused.
  const text = Buffer.from(untilNul(field)).toString("latin1").trim();
  if (!/^[0-7]+$/.test(text)) refuseFile("tar.header", place);
  return Number.parseInt(text, 8);
}

function digitsOf(text: string, place: number): number {
  return /^\d{1,15}$/.test(text) ? Number(text) : refuseFile("tar.header", place);
}

/** The checksum adds all bytes; those of its own field count as spaces. */
function hasValidChecksum(block: Uint8Array): boolean {
  const stated = Buffer.from(untilNul(block.subarray(148, 156))).toString("latin1").trim();
  const sum = block.reduce(
    (total, byte, index) => total + (index >= 148 && index < 156 ? 0x20 : byte),
    0,
  );
  return /^[0-7]+$/.test(stated) && Number.parseInt(stated, 8) === sum;
}

function untilNul(bytes: Uint8Array): Uint8Array {
  const end = bytes.indexOf(0);
  return end === -1 ? bytes : bytes.subarray(0, end);
}
