/** Unpacking of gzip (RFC 1952): one or more members in a row, and zeros after the last. */

import { Buffer } from "node:buffer";
import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { errorCode } from "../../core/error_code.ts";
import { BackupError } from "./backup_error.ts";

/** Maximum packed bytes that are unpacked at once; they become at most a thousand times as many. */
const PACKED_BYTES = 16 * 1024;
/** Maximum bytes of a returned piece. */
const PIECE_BYTES = 64 * 1024;

/**
 * Unpacks a stream in small pieces, however much it was compressed.
 *
 * @throws BackupError if it is damaged, or anything but zeros follows; errors of the stream.
 */
export async function* unpack(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  const input = new Input(packed);
  const unpacker = pipeline(input.stream, createGunzip({ chunkSize: PIECE_BYTES }), () => {});
  try {
    yield* unpacker;
    await input.finish();
  } catch (error) {
    throw isDamage(error) ? damaged() : error;
  } finally {
    await input.close();
  }
  // The unpacker ends at the first zero, and does not look at the bytes after it.
  if (input.contentBytes > unpacker.bytesWritten) throw damaged();
}

/** True for errors of the unpacker, also for the one of bytes after its end. */
function isDamage(error: unknown): boolean {
  const code = errorCode(error);
  return code.startsWith("Z_") || code === "ERR_STREAM_PUSH_AFTER_EOF";
}

/** Cuts a stream into pieces, which the unpacker may stop reading before their end. */
class Input {
  /** Number of bytes up to the last one that is not zero. */
  contentBytes = 0;
  readonly #pieces: AsyncGenerator<Buffer>;
  #reading: Promise<unknown> = Promise.resolve();

  constructor(packed: AsyncIterable<Uint8Array>) {
    this.#pieces = this.#cut(packed);
  }

  /** The pieces. If the stream is destroyed, the source stays open until `finish` or `close`. */
  get stream(): Readable {
    const next = () => {
      const reading = this.#pieces.next();
      this.#reading = reading;
      return reading;
    };
    return Readable.from({ [Symbol.asyncIterator]: () => ({ next }) });
  }

  /** @throws the error of a piece that the stream no longer delivered, and of those after it. */
  async finish(): Promise<void> {
    await this.#reading;
    for await (const _piece of this.#pieces);
  }

  async close(): Promise<void> {
    await this.#pieces.return(undefined);
  }

  async *#cut(packed: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
    let start = 0;
    for await (const chunk of packed) {
      for (let at = 0; at < chunk.length; at += PACKED_BYTES) {
        const piece = Buffer.from(chunk.subarray(at, at + PACKED_BYTES));
        const length = piece.findLastIndex((byte) => byte !== 0) + 1;
        if (length > 0) this.contentBytes = start + length;
        start += piece.length;
        yield piece;
      }
    }
  }
}

function damaged(): BackupError {
  return new BackupError("The file is damaged or not a backup");
}
