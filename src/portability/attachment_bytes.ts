import { Buffer } from "node:buffer";
import { createHash } from "node:crypto";
import type { JsonObject } from "../core/json.ts";
import { refuseImport } from "./import_rules.ts";
import { BYTES_LINE } from "./object_forms.ts";

const LINE_BYTES = 1024 * 1024;

/** Decodes all lines into the same memory. */
export class BytesLines {
  readonly #memory = new Uint8Array(LINE_BYTES * 3 / 4);

  /**
   * Reads the bytes of a line, valid until the next one is read; null for a line of another type.
   * Most of a large file is base64, so the text around it is compared, not parsed.
   *
   * @throws ServiceError `PAYLOAD_INVALID` if the text is not the base64 of its bytes.
   */
  read(line: Uint8Array): Uint8Array | null {
    const { before, after } = BYTES_LINE;
    const text = Buffer.from(line.buffer, line.byteOffset, line.length);
    const end = text.length - after.length;
    if (text.toString("latin1", 0, before.length) !== before) return null;
    if (end < before.length || text.toString("latin1", end) !== after) return null;
    if (line.length > LINE_BYTES) refuseImport("import.line_length");
    return this.#decode(text.toString("latin1", before.length, end));
  }

  #decode(base64: string): Uint8Array {
    const written = decodeBase64(base64, this.#memory);
    // The decoder ignores white space.
    if (written === 0 || base64.length !== 4 * Math.ceil(written / 3)) refuseImport("import.bytes");
    return this.#memory.subarray(0, written);
  }
}

function decodeBase64(base64: string, memory: Uint8Array): number {
  try {
    return memory.setFromBase64(base64, { lastChunkHandling: "strict" }).written;
  } catch {
    return refuseImport("import.bytes");
  }
}

/** Checks the bytes of an attachment as they arrive. */
export class AttachmentBytes {
  readonly #sha256: string;
  readonly #hash = createHash("sha256");
  #left: number;

  private constructor(size: number, sha256: string) {
    this.#left = size;
    this.#sha256 = sha256;
  }

  /** Counts for a row of the table of attachments. */
  static of({ size, sha256 }: JsonObject): AttachmentBytes {
    return new AttachmentBytes(Number(size), String(sha256));
  }

  add(bytes: Uint8Array): void {
    this.#left -= bytes.length;
    if (this.#left < 0) refuseImport("import.bytes");
    this.#hash.update(bytes);
  }

  /** @throws ServiceError `PAYLOAD_INVALID` if bytes are missing, or differ. */
  end(): void {
    if (this.#left > 0 || this.#hash.digest("hex") !== this.#sha256) refuseImport("import.bytes");
  }
}
