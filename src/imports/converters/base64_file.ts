/** A file in base64 inside a text, stored while it is decoded. */

import { GrowingBytes } from "../../core/growing_bytes.ts";
import { Base64Decoder, MAGIC_BYTES } from "./base64.ts";
import type { FileSink, StoredFile } from "./converter.ts";

/** Bytes of base64 that are decoded at once. */
const DECODED_BYTES = 64 * 1024;

export class Base64File {
  readonly #sink: FileSink;
  readonly #decoder = new Base64Decoder();
  readonly #text = new GrowingBytes(DECODED_BYTES);
  #firstBytes: Uint8Array = new Uint8Array();

  constructor(sink: FileSink) {
    this.#sink = sink;
  }

  /** Enough for `pictureType`, once the file is stored. */
  get firstBytes(): Uint8Array {
    return this.#firstBytes;
  }

  /** Adds a part of the text. Wait for the result unless it is null. */
  add(text: Uint8Array): Promise<void> | null {
    this.#text.add(text);
    return this.#text.length < DECODED_BYTES ? null : this.#write();
  }

  async #write(): Promise<void> {
    const bytes = this.#decoder.decode(this.#text.view);
    this.#text.cut(0);
    if (this.#firstBytes.length < MAGIC_BYTES) this.#firstBytes = bytes.slice(0, MAGIC_BYTES);
    await this.#sink.write(bytes);
  }

  /** Null if the text is empty or not base64. */
  async end(): Promise<StoredFile | null> {
    await this.#write();
    return this.#decoder.isWhole ? await this.#sink.end() : null;
  }
}
