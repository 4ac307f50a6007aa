/** The bytes of one entry of a zip archive, compared with its size and its checksum. */

import { Buffer } from "node:buffer";
import { pipeline, Readable } from "node:stream";
import { crc32, createInflateRaw, inflateRawSync } from "node:zlib";
import { FileRefusal, refuseFile } from "../refusal.ts";
import type { ByteSource } from "./byte_source.ts";

/** The directory's statement about the bytes of an entry. */
export interface PackedEntry {
  /** Offset of the packed bytes. */
  readonly start: number;
  readonly packedSize: number;
  readonly size: number;
  readonly crc: number;
  /** 0 stored, 8 deflated. */
  readonly method: number;
}

/** Entries up to this size are unpacked at once, which takes a tenth of the time of a stream. */
const SMALL_BYTES = 256 * 1024;

/**
 * Unpacks an entry. It stops at the first byte beyond its size.
 *
 * @throws FileRefusal `zip.size`, `zip.crc`.
 */
export async function* unpack(
  source: ByteSource,
  entry: PackedEntry,
  place: number,
): AsyncGenerator<Uint8Array> {
  let [size, crc] = [0, 0];
  for await (const chunk of unpacked(source, entry, place)) {
    size += chunk.length;
    if (size > entry.size) refuseFile("zip.size", place);
    crc = crc32(chunk, crc);
    yield chunk;
  }
  if (size !== entry.size) refuseFile("zip.size", place);
  if (crc !== entry.crc) refuseFile("zip.crc", place);
}

async function* unpacked(
  source: ByteSource,
  entry: PackedEntry,
  place: number,
): AsyncGenerator<Uint8Array> {
  const { start, packedSize, size, method } = entry;
  if (method === 0) {
    yield* source.stream(start, start + packedSize);
  } else if (size <= SMALL_BYTES && packedSize <= SMALL_BYTES) {
    yield inflateSmall(await source.read(start, packedSize), entry, place);
  } else {
    yield* inflateStream(source, entry, place);
  }
}

/** The result of the inflater with its state; the types of Node do not know the option. */
interface Inflated {
  readonly buffer: Uint8Array;
  readonly engine: { readonly bytesWritten: number };
}

function inflateSmall(packed: Uint8Array, { size }: PackedEntry, place: number): Uint8Array {
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
  source: ByteSource,
  { start, packedSize }: PackedEntry,
  place: number,
): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(copies(source.stream(start, start + packedSize)));
  const inflater = pipeline(packed, createInflateRaw(), () => {});
  try {
    for await (const chunk of inflater) yield chunk;
    if (inflater.bytesWritten !== packedSize) refuseFile("zip.crc", place);
  } catch (error) {
    throw refusalOf(error, place);
  }
}

/** The chunks of a source are lent, and the inflater reads them later. */
async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

/** Broken deflate is refused like a wrong checksum; other errors stay as they are. */
function refusalOf(error: unknown, place: number): unknown {
  const code = error instanceof Error && "code" in error ? String(error.code) : "";
  if (code === "ERR_BUFFER_TOO_LARGE") return new FileRefusal("zip.size", place);
  return code.startsWith("Z_") ? new FileRefusal("zip.crc", place) : error;
}
