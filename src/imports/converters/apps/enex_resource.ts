/** The files of notes in `.enex`. */

import { createHash } from "node:crypto";
import { Base64File } from "../base64_file.ts";
import type { FileSink, StoredFile } from "../converter.ts";

const ENCODER = new TextEncoder();

export interface StoredData extends StoredFile {
  /** The MD5 of the bytes in hex, by which `en-media` names a file. */
  readonly md5: string;
}

/** Decodes and stores the `data` of a resource in pieces. */
export class ResourceData {
  readonly #md5 = createHash("md5");
  readonly #file: Base64File;

  constructor(sink: FileSink) {
    this.#file = new Base64File({
      write: (bytes) => {
        this.#md5.update(bytes);
        return sink.write(bytes);
      },
      end: () => sink.end(),
    });
  }

  async add(text: string): Promise<void> {
    await this.#file.add(ENCODER.encode(text));
  }

  /** Null if the text is empty or not base64. */
  async end(): Promise<StoredData | null> {
    const stored = await this.#file.end();
    return stored === null ? null : { ...stored, md5: this.#md5.digest("hex") };
  }
}
