/**
 * Encrypted content of a file: a nonce of 16 bytes, then blocks of 64 KiB, each sealed with its
 * number. The last block is marked, so that a file cannot be cut, extended or reordered.
 */

import { AgeError } from "./age_error.ts";
import type { ByteReader } from "./byte_reader.ts";
import { blockNonce, decrypt, deriveKey, seal, TAG_BYTES } from "./primitives.ts";

const NONCE_BYTES = 16;
const BLOCK_BYTES = 64 * 1024;

/** Encrypts content of any length, in the memory of one block. */
export async function* sealPayload(
  fileKey: Uint8Array,
  content: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES));
  yield nonce;
  const key = deriveKey(fileKey, nonce, "payload");
  for await (const { bytes, index, isLast } of cut(content, BLOCK_BYTES)) {
    yield seal(key, blockNonce(index, isLast), bytes);
  }
}

/**
 * Returns each block after its verification, but only the end proves that nothing is missing.
 *
 * @throws AgeError if anything was changed, cut off, added or moved.
 */
export async function* openPayload(
  fileKey: Uint8Array,
  reader: ByteReader,
): AsyncGenerator<Uint8Array> {
  const nonce = await reader.read(NONCE_BYTES);
  const key = deriveKey(fileKey, nonce, "payload");
  for await (const { bytes, index, isLast } of cut(reader.rest(), BLOCK_BYTES + TAG_BYTES)) {
    const block = decrypt(key, blockNonce(index, isLast), bytes);
    // The last block is empty only in an empty file.
    if (block === null || (block.length === 0 && index > 0)) throw damaged();
    yield block;
  }
}

/** A part of a stream. Its bytes are valid until the next one is requested. */
interface Block {
  readonly bytes: Uint8Array;
  readonly index: number;
  readonly isLast: boolean;
}

/** Cuts a stream into blocks of one size; the last may be shorter or empty. */
async function* cut(source: AsyncIterable<Uint8Array>, size: number): AsyncGenerator<Block> {
  const buffer = new Uint8Array(size);
  let [length, index] = [0, 0];
  for await (const chunk of source) {
    for (let rest = chunk; rest.length > 0;) {
      if (length === size) {
        yield { bytes: buffer, index: index++, isLast: false };
        length = 0;
      }
      const part = rest.subarray(0, size - length);
      buffer.set(part, length);
      length += part.length;
      rest = rest.subarray(part.length);
    }
  }
  yield { bytes: buffer.subarray(0, length), index, isLast: true };
}

function damaged(): AgeError {
  return new AgeError("The file is damaged or incomplete");
}
