/** The files of notes in `.enex`. */

import { createHash } from "node:crypto";
import { Base64Decoder } from "../base64.ts";
import type { ConverterInput, FileSink, StoredFile } from "../converter.ts";

const ENCODER = new TextEncoder();
/** Characters that are decoded and written together. */
const PIECE_LENGTH = 64 * 1024;

export interface StoredData extends StoredFile {
  /** The MD5 of the bytes in hex, by which `en-media` names a file. */
  readonly md5: string;
}

/** Decodes and stores the `data` of a resource in pieces. */
export class ResourceData {
  readonly #sink: FileSink;
  readonly #decoder = new Base64Decoder();
  readonly #md5 = createHash("md5");
  #waiting = "";

  private constructor(sink: FileSink) {
    this.#sink = sink;
  }

  static async open({ openFile }: Pick<ConverterInput, "openFile">): Promise<ResourceData> {
    return new ResourceData(await openFile());
  }

  async add(text: string): Promise<void> {
    this.#waiting += text;
    if (this.#waiting.length >= PIECE_LENGTH) await this.#write();
  }

  /** Null if the text is empty or not base64. */
  async end(): Promise<StoredData | null> {
    await this.#write();
    if (!this.#decoder.isWhole) return null;
    return { ...await this.#sink.end(), md5: this.#md5.digest("hex") };
  }

  async #write(): Promise<void> {
    const bytes = this.#decoder.decode(ENCODER.encode(this.#waiting));
    this.#waiting = "";
    this.#md5.update(bytes);
    await this.#sink.write(bytes);
  }
}
