/**
 * Zip archives (APPNOTE 6.3.9): stored and deflated entries, data descriptors, zip64.
 *
 * The directory at the end lists the entries. Each is compared with its local header, no two may
 * share bytes, and every byte is unpacked and checked before any content is read. Archives that two
 * programs read differently are the classic way past a check. An entry that breaks a rule is
 * refused alone; a wrong directory refuses the file.
 */

import { Buffer } from "node:buffer";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { errorCode } from "../../core/error_code.ts";
import { type EntryRule, FileRefusal, refuseFile } from "../refusal.ts";
import { entryBytes } from "../reading_budget.ts";
import {
  Archive,
  ARCHIVE_LIMITS,
  type Entry,
  entryName,
  type EntryTime,
  HELD_BYTES,
} from "./archive.ts";
import { type ArchiveSource, copies, inTurns, READ_BYTES, ReadAhead } from "./file_source.ts";
import { decodeName, modifiedOf, viewOf, widen, wideNumber } from "./zip_fields.ts";

const END = 0x06054b50;
const END_BYTES = 22;
const LOCATOR_64 = 0x07064b50;
const LOCATOR_64_BYTES = 20;
const END_64 = 0x06064b50;
const END_64_BYTES = 56;
const CENTRAL = 0x02014b50;
const CENTRAL_BYTES = 46;
const LOCAL = 0x04034b50;
const LOCAL_BYTES = 30;
const MAX_COMMENT = 0xffff;
const ENCRYPTED = 1 | 1 << 6 | 1 << 13;
const UNIX = 3;
const LINK_MODE = 0o120000;
const KIND_MASK = 0o170000;
const DIRECTORY_AHEAD_BYTES = 64 * 1024;
const LOCAL_AHEAD_BYTES = 4 * 1024;

interface Directory {
  readonly start: number;
  readonly size: number;
  readonly count: number;
  /** Offset of the records after the directory, which no entry may overlap. */
  readonly end: number;
}

interface ZipEntry extends PackedEntry {
  /** Only shown if the entry breaks a rule. */
  readonly name: string;
  readonly offset: number;
  readonly isLink: boolean;
  readonly modified: EntryTime | null;
  /** The rule by which the entry is refused alone; null if it can be read. */
  readonly rule: EntryRule | null;
}

export function beginsLikeZip(head: Uint8Array): boolean {
  return head[0] === 0x50 && head[1] === 0x4b &&
    ((head[2] === 3 && head[3] === 4) || (head[2] === 5 && head[3] === 6));
}

/**
 * Reads the directory, and compares each entry with its local header.
 *
 * @throws FileRefusal
 */
export async function readZip(source: ArchiveSource): Promise<Archive> {
  const directory = await findDirectory(source);
  const entries = await readDirectory(source, directory);
  assertApart(entries, directory);
  const readable = entries.filter(({ rule }) => rule === null);
  const files = readable.filter(({ isLink, name }) => !isLink && !isFolderName(name));
  return new Archive(
    files.map(({ place, name, size, modified, start, packedSize, crc, method }): Entry => {
      // Smaller than the entry of the directory, because it stays in memory.
      const packed = { place, start, packedSize, size, crc, method };
      const bytes = () => unpack(source, packed);
      return { place, name, shownName: name, size, modified, bytes };
    }),
    readable.filter(({ isLink }) => isLink).length,
    entries.flatMap(({ place, name, rule }) =>
      rule === null ? [] : [{ place, name, shownName: name, rule }]
    ),
  );
}

function isFolderName(name: string): boolean {
  return name === "" || name.endsWith("/");
}

async function findDirectory(source: ArchiveSource): Promise<Directory> {
  const length = Math.min(source.size, END_BYTES + MAX_COMMENT);
  const start = source.size - length;
  const tail = viewOf(await source.read(start, length));
  for (let at = tail.byteLength - END_BYTES; at >= 0; at--) {
    if (tail.getUint32(at, true) !== END) continue;
    // The comment must end with the file; otherwise the signature is part of other data.
    if (at + END_BYTES + tail.getUint16(at + 20, true) !== tail.byteLength) continue;
    const end = start + at;
    return checkDirectory(await findEnd64(source, end) ?? narrowDirectory(tail, at, end));
  }
  return refuseFile("zip.end", 0);
}

/** The directory of an archive without zip64. */
function narrowDirectory(tail: DataView, at: number, end: number): Directory {
  const [disk, first, here, count] = [4, 6, 8, 10].map((offset) =>
    tail.getUint16(at + offset, true)
  );
  if (disk !== 0 || first !== 0 || here !== count) refuseFile("zip.split", 0);
  const [size, start] = [tail.getUint32(at + 12, true), tail.getUint32(at + 16, true)];
  return { start, size, count: count ?? 0, end };
}

async function findEnd64(source: ArchiveSource, endAt: number): Promise<Directory | null> {
  if (endAt < LOCATOR_64_BYTES) return null;
  const locator = viewOf(await source.read(endAt - LOCATOR_64_BYTES, LOCATOR_64_BYTES));
  if (locator.getUint32(0, true) !== LOCATOR_64) return null;
  if (locator.getUint32(4, true) !== 0 || locator.getUint32(16, true) > 1) {
    refuseFile("zip.split", 0);
  }
  const at = wideNumber(locator, 8, 0);
  const bytes = await source.read(at, END_64_BYTES);
  if (bytes.length < END_64_BYTES) refuseFile("zip.end", 0);
  const end = viewOf(bytes);
  if (end.getUint32(0, true) !== END_64) refuseFile("zip.end", 0);
  const isSplit = end.getUint32(16, true) !== 0 || end.getUint32(20, true) !== 0 ||
    wideNumber(end, 24, 0) !== wideNumber(end, 32, 0);
  if (isSplit) refuseFile("zip.split", 0);
  return {
    count: wideNumber(end, 32, 0),
    size: wideNumber(end, 40, 0),
    start: wideNumber(end, 48, 0),
    end: at,
  };
}

function checkDirectory(directory: Directory): Directory {
  const { start, size, count, end } = directory;
  if (start + size !== end || count * CENTRAL_BYTES > size) refuseFile("zip.end", 0);
  if (count > ARCHIVE_LIMITS.entries) refuseFile("zip.entries", count);
  return directory;
}

/** Reads names and numbers of the entries; the rest of their headers is discarded. */
async function readDirectory(source: ArchiveSource, directory: Directory): Promise<ZipEntry[]> {
  const { budget } = source;
  const central = new ReadAhead(source, DIRECTORY_AHEAD_BYTES);
  const local = new ReadAhead(source, LOCAL_AHEAD_BYTES);
  const entries: ZipEntry[] = [];
  let at = directory.start;
  const bytesAt = async (from: number, length: number, place: number): Promise<Uint8Array> => {
    if (from + length > directory.end) refuseFile("zip.end", place);
    const bytes = await central.read(from, length);
    return bytes.length === length ? bytes : refuseFile("zip.end", place);
  };
  for (let place = 1; place <= directory.count; place++) {
    await budget.turn(place);
    const fixed = viewOf(await bytesAt(at, CENTRAL_BYTES, place));
    if (fixed.getUint32(0, true) !== CENTRAL) refuseFile("zip.end", place);
    const named = CENTRAL_BYTES + fixed.getUint16(28, true) + fixed.getUint16(30, true);
    const end = at + named + fixed.getUint16(32, true);
    if (end > directory.end) refuseFile("zip.end", place);
    const entry = await locate(local, readCentral(await bytesAt(at, named, place), place));
    budget.hold(HELD_BYTES + entryBytes(entry.name), place);
    entries.push(entry);
    at = end;
  }
  if (at !== directory.start + directory.size) refuseFile("zip.end", directory.count);
  return entries;
}

/** An entry of the directory, with borrowed bytes of its header. */
interface CentralEntry {
  readonly entry: ZipEntry;
  /** False if its offset is unknown. */
  readonly isPlaced: boolean;
  readonly nameBytes: Uint8Array;
  readonly extra: Uint8Array;
  readonly dos: { readonly date: number; readonly time: number };
}

function readCentral(bytes: Uint8Array, place: number): CentralEntry {
  const view = viewOf(bytes);
  const nameLength = view.getUint16(28, true);
  const nameBytes = bytes.subarray(CENTRAL_BYTES, CENTRAL_BYTES + nameLength);
  const extra = bytes.subarray(CENTRAL_BYTES + nameLength);
  const narrow = {
    size: view.getUint32(24, true),
    packedSize: view.getUint32(20, true),
    offset: view.getUint32(42, true),
    disk: view.getUint16(34, true),
  };
  const { name, isValid } = entryName(decodeName(nameBytes, extra), nameLength);
  const wide = widen(narrow, extra, place);
  const { size, packedSize, offset, disk } = wide ?? narrow;
  if (disk !== 0) refuseFile("zip.split", place, name);
  const method = view.getUint16(10, true);
  const mode = view.getUint32(38, true) >>> 16;
  const isLink = view.getUint8(5) === UNIX && (mode & KIND_MASK) === LINK_MODE;
  const hasWrongSize = wide === null || (method === 0 && size !== packedSize) ||
    (isFolderName(name) && size !== 0);
  const rule = firstBroken({
    "zip.encrypted": isEncrypted(view.getUint16(8, true)),
    "zip.method": method !== 0 && method !== 8,
    "zip.size": hasWrongSize,
    "zip.name": !isValid,
  });
  const crc = view.getUint32(16, true);
  const numbers = { place, offset, size, packedSize, crc, method, start: 0 };
  return {
    entry: { ...numbers, name, isLink, modified: null, rule },
    isPlaced: wide !== null,
    nameBytes,
    extra,
    dos: { time: view.getUint16(12, true), date: view.getUint16(14, true) },
  };
}

function firstBroken(rules: Partial<Record<EntryRule, boolean>>): EntryRule | null {
  const broken = Object.entries(rules).find(([, isBroken]) => isBroken);
  return broken === undefined ? null : broken[0] as EntryRule;
}

function isEncrypted(flags: number): boolean {
  return (flags & ENCRYPTED) !== 0;
}

/** Adds the start of the packed bytes from the local header, which must have the same name. */
async function locate(source: ReadAhead, central: CentralEntry): Promise<ZipEntry> {
  const { entry, isPlaced, nameBytes, extra, dos } = central;
  if (!isPlaced) return entry;
  const { place, name, offset, method } = entry;
  const fixed = viewOf(await source.read(offset, LOCAL_BYTES));
  if (fixed.byteLength < LOCAL_BYTES || fixed.getUint32(0, true) !== LOCAL) {
    refuseFile("zip.end", place, name);
  }
  const flags = fixed.getUint16(6, true);
  const isSameMethod = fixed.getUint16(8, true) === method;
  const [nameLength, extraLength] = [fixed.getUint16(26, true), fixed.getUint16(28, true)];
  const headBytes = LOCAL_BYTES + nameLength + extraLength;
  const head = await source.read(offset, headBytes);
  const localName = head.subarray(LOCAL_BYTES, LOCAL_BYTES + nameLength);
  const rule = entry.rule ?? firstBroken({
    "zip.name": Buffer.compare(localName, nameBytes) !== 0,
    "zip.encrypted": isEncrypted(flags),
    "zip.method": !isSameMethod,
  });
  const modified = modifiedOf([extra, head.subarray(LOCAL_BYTES + nameLength)], dos);
  return { ...entry, start: offset + headBytes, modified, rule };
}

/** @throws FileRefusal `zip.overlap` if two entries, or an entry and the directory, share bytes. */
function assertApart(entries: readonly ZipEntry[], directory: Directory): void {
  const sorted = entries.filter(({ start }) => start > 0)
    .toSorted((one, other) => one.offset - other.offset);
  sorted.forEach(({ start, packedSize, place, name }, index) => {
    const next = sorted[index + 1]?.offset ?? directory.start;
    if (start + packedSize > next) refuseFile("zip.overlap", place, name);
  });
}

/** The bytes of an entry, as stated by the directory. */
interface PackedEntry {
  readonly place: number;
  /** Offset of the packed bytes; 0 if unknown. */
  readonly start: number;
  readonly packedSize: number;
  readonly size: number;
  readonly crc: number;
  /** 0 stored, 8 deflated. */
  readonly method: number;
}

/** Maximum size of an entry that is unpacked at once, ten times faster than as a stream. */
const SMALL_BYTES = 256 * 1024;
/** The inflater stops at this many unread bytes, so its memory does not grow with the archive. */
const INFLATED_BYTES = READ_BYTES;

/**
 * Unpacks an entry. It stops at the first byte beyond its size.
 *
 * @throws FileRefusal `zip.size`, `zip.crc`.
 */
async function* unpack(
  source: ArchiveSource,
  entry: PackedEntry,
): AsyncGenerator<Uint8Array> {
  const { place } = entry;
  let [size, crc] = [0, 0];
  for await (const bytes of unpacked(source, entry)) {
    size += bytes.length;
    if (size > entry.size) refuseFile("zip.size", place);
    crc = crc32(bytes, crc);
    for await (const chunk of inTurns(bytes, source.budget, place)) yield chunk;
  }
  if (size !== entry.size) refuseFile("zip.size", place);
  if (crc !== entry.crc) refuseFile("zip.crc", place);
}

async function* unpacked(source: ArchiveSource, entry: PackedEntry): AsyncGenerator<Uint8Array> {
  const { start, packedSize, size, method } = entry;
  if (method === 0) {
    yield* source.stream(start, start + packedSize);
  } else if (size <= SMALL_BYTES && packedSize <= SMALL_BYTES) {
    yield inflateSmall(await source.read(start, packedSize), entry);
  } else {
    yield* inflateStream(source, entry);
  }
}

/** The result of the inflater with its state; the types of Node do not know the option. */
interface Inflated {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function inflateSmall(packed: Uint8Array, { size, place }: PackedEntry): Uint8Array {
  try {
    const options = { info: true, maxOutputLength: Math.max(size, 1) };
    const { buffer, engine } = inflateRawSync(packed, options) as unknown as Inflated;
    // Bytes after the end of the stream would not be checked.
    if (engine.bytesWritten !== packed.length) refuseFile("zip.crc", place);
    return buffer;
  } catch (error) {
    throw refusalOf(error, place);
  }
}

async function* inflateStream(
  source: ArchiveSource,
  { start, packedSize, place }: PackedEntry,
): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(copies(source.stream(start, start + packedSize)));
  const inflater = pipeline(packed, createInflateRaw({ chunkSize: INFLATED_BYTES }), () => {});
  try {
    for await (const chunk of inflater) yield chunk;
    if (inflater.bytesWritten !== packedSize) refuseFile("zip.crc", place);
  } catch (error) {
    throw refusalOf(error, place);
  }
}

/** Refuses broken deflate like a wrong checksum; returns other errors unchanged. */
function refusalOf(error: unknown, place: number): unknown {
  const code = errorCode(error);
  if (code === "ERR_BUFFER_TOO_LARGE") return new FileRefusal("zip.size", place);
  return code.startsWith("Z_") ? new FileRefusal("zip.crc", place) : error;
}
