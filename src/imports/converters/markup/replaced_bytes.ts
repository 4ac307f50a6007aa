/** Finds bytes that a decoder of UTF-8 has replaced. */

import { Buffer } from "node:buffer";

const REPLACEMENT = "\ufffd";
const REPLACEMENT_BYTES = Buffer.from(REPLACEMENT);

/** Compares the pieces of a file with their decoded texts. */
export class ReplacedBytes {
  /** A character that began before a piece has at most this part of it there. */
  #last: Uint8Array = new Uint8Array();

  /** True if the text has more replacement characters than the file states. */
  areIn(piece: Uint8Array, text: string): boolean {
    const bytes = Buffer.concat([this.#last, piece.subarray(-2)]);
    const isSuspect = text.includes(REPLACEMENT);
    const stated = isSuspect ? count(Buffer.concat([this.#last, piece]), REPLACEMENT_BYTES) : 0;
    this.#last = bytes.subarray(-2);
    return isSuspect && count(text, REPLACEMENT) > stated;
  }
}

function count<T extends string | Buffer>(
  whole: { indexOf(part: T, from: number): number },
  part: T,
): number {
  let found = 0;
  for (let at = whole.indexOf(part, 0); at !== -1; at = whole.indexOf(part, at + part.length)) {
    found++;
  }
  return found;
}
