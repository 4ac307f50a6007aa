/** Files in gzip (RFC 1952): one or more members in a row, and zeros after the last. */

import { Buffer } from "node:buffer";
import { pipeline, Readable } from "node:stream";
import { constants, createGunzip, gunzipSync } from "node:zlib";
import { errorCode } from "../../core/error_code.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import { refuseFile } from "../refusal.ts";
import type { CountUnpacked } from "./archive.ts";
import { type ArchiveSource, copies, type FileSource, inTurns, READ_BYTES } from "./file_source.ts";

/** Bytes of a head that are unpacked; they become at most a thousand times as many. */
const HEAD_BYTES = 4 * 1024;

export function beginsLikeGzip(head: Uint8Array): boolean {
  return head[0] === 0x1f && head[1] === 0x8b;
}

/**
 * Unpacks a file. A chunk is borrowed until the next one.
 *
 * @throws FileRefusal `gzip.crc` for a cut or damaged stream, and other bytes after it.
 */
export async function* unpackGzip(
  source: FileSource,
  count: CountUnpacked,
): AsyncGenerator<Uint8Array> {
  const packed = Readable.from(copies(source.stream()));
  const unpacker = pipeline(packed, createGunzip({ chunkSize: READ_BYTES }), () => {});
  try {
    for await (const bytes of unpacker) {
      count(bytes.length, null);
      for await (const chunk of inTurns(bytes, source.budget, 0)) yield chunk;
    }
  } catch (error) {
    if (isDamage(error)) refuseFile("gzip.crc", 0);
    throw error;
  }
  // The unpacker ends at the first zero, and does not look at the bytes after it.
  for await (const rest of source.stream(unpacker.bytesWritten)) {
    if (rest.some((byte) => byte !== 0)) refuseFile("gzip.crc", 0);
  }
}

/** True for errors of the unpacker, also for the one of bytes after its end. */
function isDamage(error: unknown): boolean {
  const code = errorCode(error);
  return code.startsWith("Z_") || code === "ERR_STREAM_PUSH_AFTER_EOF";
}

/** The beginning of a file whose packed beginning is given; null if it cannot be unpacked. */
export function unpackHead(packed: Uint8Array): Uint8Array | null {
  try {
    // Accepts an end within the stream.
    const options = { finishFlush: constants.Z_SYNC_FLUSH };
    const head = gunzipSync(packed.subarray(0, HEAD_BYTES), options);
    return head.length === 0 ? null : head;
  } catch (error) {
    if (isDamage(error)) return null;
    throw error;
  }
}

/** The bytes of a file in gzip, unpacked again for each stream and for each read backwards. */
export class UnpackedSource implements ArchiveSource, AsyncDisposable {
  /** Unknown until all of it is unpacked. */
  readonly size = Infinity;
  readonly budget: ReadingBudget;
  readonly #open: () => AsyncGenerator<Uint8Array>;
  #chunks: AsyncGenerator<Uint8Array>;
  /** Bytes that are kept, and where they begin. */
  #kept: Uint8Array = new Uint8Array();
  #start = 0;

  /** @param count Counts the bytes of each time that they are unpacked. */
  constructor(source: FileSource, count: () => CountUnpacked) {
    this.budget = source.budget;
    this.#open = () => unpackGzip(source, count());
    this.#chunks = this.#open();
  }

  /** Reads `length` bytes from `start`; fewer at the end. */
  async read(start: number, length: number): Promise<Uint8Array> {
    if (start < this.#start) {
      await this.#chunks.return(undefined);
      [this.#chunks, this.#kept, this.#start] = [this.#open(), new Uint8Array(), 0];
    }
    while (this.#start + this.#kept.length < start + length) {
      const { value } = await this.#chunks.next();
      if (value === undefined) break;
      const passed = Math.min(start - this.#start, this.#kept.length);
      this.#kept = Buffer.concat([this.#kept.subarray(passed), value]);
      this.#start += passed;
    }
    const from = Math.min(start - this.#start, this.#kept.length);
    return this.#kept.slice(from, from + length);
  }

  async *stream(start = 0, end = Infinity): AsyncGenerator<Uint8Array> {
    let at = 0;
    for await (const chunk of this.#open()) {
      const part = chunk.subarray(Math.max(0, start - at), Math.max(0, end - at));
      if (part.length > 0) yield part;
      at += chunk.length;
      if (at >= end) return;
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#chunks.return(undefined);
  }
}
