import { readChunks } from "../../core/lines.ts";

const CHUNK_BYTES = 64 * 1024;

/** A file whose bytes can be read from any position. */
export class FileSource implements Disposable {
  readonly size: number;
  readonly #path: string;
  readonly #file: Deno.FsFile;

  private constructor(path: string, file: Deno.FsFile, size: number) {
    this.#path = path;
    this.#file = file;
    this.size = size;
  }

  static async open(path: string): Promise<FileSource> {
    const file = await Deno.open(path);
    return new FileSource(path, file, (await file.stat()).size);
  }

  /** Reads `length` bytes from `start`; fewer at the end. */
  async read(start: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - start)));
    await this.#file.seek(start, Deno.SeekMode.Start);
    let filled = 0;
    while (filled < bytes.length) {
      const count = await this.#file.read(bytes.subarray(filled));
      if (count === null) break;
      filled += count;
    }
    return bytes.subarray(0, filled);
  }

  /** Reads chunk by chunk. A chunk is lent: the next one may be in its memory. */
  async *stream(start = 0, end = this.size): AsyncGenerator<Uint8Array> {
    using file = await Deno.open(this.#path);
    await file.seek(start, Deno.SeekMode.Start);
    let left = end - start;
    if (left <= 0) return;
    for await (const chunk of readChunks(file, CHUNK_BYTES)) {
      yield chunk.length > left ? chunk.subarray(0, left) : chunk;
      left -= chunk.length;
      if (left <= 0) return;
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

/** Bytes that can be read from any position. */
export type ByteSource = Pick<FileSource, "size" | "read" | "stream">;
