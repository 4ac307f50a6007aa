/** Tar archives: `ustar` with prefixes, `pax` paths and sizes, and the long names of GNU tar. */

import { Buffer } from "node:buffer";
import { decodeBytes, decodeUtf8 } from "../converters/text_encoding.ts";
import { entryBytes } from "../reading_budget.ts";
import { refuseFile } from "../refusal.ts";
import {
  Archive,
  ARCHIVE_LIMITS,
  type Entry,
  type EntryFault,
  entryName,
  type EntryTime,
  HELD_BYTES,
  realTime,
} from "./archive.ts";
import { type ArchiveSource, ReadAhead } from "./file_source.ts";

const BLOCK_BYTES = 512;
/** Larger than the records of any path. */
const MAX_RECORD_BYTES = 64 * 1024;
const AHEAD_BYTES = 8 * 1024;

export function beginsLikeTar(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(257, 262)).toString("latin1") === "ustar";
}

/** @throws FileRefusal */
export async function readTar(source: ArchiveSource): Promise<Archive> {
  const entries: Entry[] = [];
  const faults: EntryFault[] = [];
  let links = 0;
  for await (const { place, name, isValid, start, size, kind, modified } of readHeaders(source)) {
    source.budget.hold(HELD_BYTES + entryBytes(name), place);
    const listed = { place, name, shownName: name };
    if (!isValid) faults.push({ ...listed, rule: "zip.name" });
    else if (kind === "link") links++;
    else if (kind === "file" && !name.endsWith("/")) {
      const bytes = () => source.stream(start, start + size);
      entries.push({ ...listed, size, modified, bytes });
    }
  }
  return new Archive(entries, links, faults);
}

/** A header with the values of preceding extended headers. */
interface Header {
  readonly place: number;
  readonly name: string;
  readonly isValid: boolean;
  readonly kind: "file" | "link" | "other";
  readonly start: number;
  readonly size: number;
  readonly modified: EntryTime | null;
}

interface Extended {
  readonly name?: Uint8Array;
  readonly size?: number;
  /** Seconds since 1970. */
  readonly modified?: number;
  /** True if the name may be missing. */
  readonly isTooLong?: boolean;
}

async function* readHeaders(source: ArchiveSource): AsyncGenerator<Header> {
  let [at, place] = [0, 0];
  let extended: Extended = {};
  const ahead = new ReadAhead(source, AHEAD_BYTES);
  while (true) {
    await source.budget.turn(place + 1);
    const block = await ahead.read(at, BLOCK_BYTES);
    if (block.length === 0 || block.every((byte) => byte === 0)) return;
    if (block.length < BLOCK_BYTES) refuseFile("tar.header", place + 1);
    if (!hasValidChecksum(block)) refuseFile("tar.header", place + 1);
    const type = String.fromCharCode(block[156] ?? 0);
    const isRecord = type === "x" || type === "L";
    const size = (isRecord ? null : extended.size) ?? numberOf(block.subarray(124, 136), place + 1);
    const start = at + BLOCK_BYTES;
    at = start + Math.ceil(size / BLOCK_BYTES) * BLOCK_BYTES;
    if (start + size > source.size) refuseFile("tar.header", place + 1);
    if (isRecord) {
      // Applies to the next header.
      extended = { ...extended, ...await readRecord(source, type, { start, size, place }) };
      continue;
    }
    if (type === "g" || type === "K") continue;
    place++;
    if (place > ARCHIVE_LIMITS.entries) refuseFile("zip.entries", place);
    const modified = modifiedOf(block, extended);
    yield { place, ...nameOf(block, extended), kind: kindOf(type), start, size, modified };
    extended = {};
  }
}

async function readRecord(
  source: ArchiveSource,
  type: string,
  { start, size, place }: Readonly<Record<"start" | "size" | "place", number>>,
): Promise<Extended> {
  if (size > MAX_RECORD_BYTES) return { isTooLong: true };
  const bytes = await source.read(start, size);
  return type === "L" ? { name: untilNul(bytes) } : readPax(bytes, place + 1);
}

function kindOf(type: string): Header["kind"] {
  if (type === "0" || type === "\0" || type === "7") return "file";
  // Pipes and devices have no content either.
  return /^[12346]$/.test(type) ? "link" : "other";
}

function nameOf(block: Uint8Array, extended: Extended) {
  const bytes = extended.name ?? pathOf(block);
  const decoded = decodeUtf8(bytes) ?? decodeBytes(bytes, "windows-1252");
  const { name, isValid } = entryName(decoded, bytes.length);
  return { name, isValid: isValid && extended.isTooLong !== true };
}

function modifiedOf(block: Uint8Array, { modified }: Extended): EntryTime | null {
  const digits = Buffer.from(untilNul(block.subarray(136, 148))).toString("latin1").trim();
  const seconds = modified ?? (/^[0-7]+$/.test(digits) ? Number.parseInt(digits, 8) : 0);
  return realTime(Math.floor(seconds * 1000));
}

/** The path in the header: `prefix/name`. */
function pathOf(block: Uint8Array): Uint8Array {
  const name = untilNul(block.subarray(0, 100));
  const prefix = untilNul(block.subarray(345, 500));
  const isPosix = Buffer.from(block.subarray(257, 263)).toString("latin1") === "ustar\0";
  return isPosix && prefix.length > 0 ? Buffer.concat([prefix, Buffer.from("/"), name]) : name;
}

/** Reads the records `path`, `size` and `mtime`, and ignores all others. */
function readPax(bytes: Uint8Array, place: number): Extended {
  const extended: { -readonly [name in keyof Extended]: Extended[name] } = {};
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
    if (keyword === "mtime") extended.modified = secondsOf(value.toString("latin1"));
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

/** 0 for a time before 1970, and for any other text. */
function secondsOf(text: string): number {
  return /^\d{1,12}(?:\.\d{1,9})?$/.test(text) ? Number(text) : 0;
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
