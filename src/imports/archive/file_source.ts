import { Buffer } from "node:buffer";
import { readChunks } from "../../core/lines.ts";
import { ReadingBudget } from "../reading_budget.ts";

export const READ_BYTES = 64 * 1024;
/** Maximum bytes of a chunk: the work on the shortest lines of one is about 10 ms. */
const CHUNK_BYTES = 8 * 1024;

/** Splits bytes into chunks. The budget's turn comes before each. */
export async function* inTurns(
  bytes: Uint8Array,
  budget: ReadingBudget,
  place: number,
): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += CHUNK_BYTES) {
    await budget.turn(place);
    yield bytes.subarray(at, at + CHUNK_BYTES);
  }
}

/** Copies borrowed chunks for a reader that keeps them, such as an inflater. */
export async function* copies(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) yield Buffer.from(chunk);
}

/** A file that can be read from any position. The budget's turn comes before each chunk. */
export class FileSource implements Disposable {
  readonly size: number;
  readonly budget: ReadingBudget;
  readonly #path: string;
  readonly #file: Deno.FsFile;

  private constructor(path: string, file: Deno.FsFile, size: number, budget: ReadingBudget) {
    this.#path = path;
    this.#file = file;
    this.size = size;
    this.budget = budget;
  }

  /** @param budget By default a new one for the size of the file. */
  static async open(path: string, budget?: ReadingBudget): Promise<FileSource> {
    const file = await Deno.open(path);
    const { size } = await file.stat();
    return new FileSource(path, file, size, budget ?? new ReadingBudget({ fileBytes: size }));
  }

  /** Reads `length` bytes from `start`; fewer at the end. */
  async read(start: number, length: number): Promise<Uint8Array> {
    const bytes = new Uint8Array(Math.max(0, Math.min(length, this.size - start)));
    return await this.budget.wait(async () => {
      await this.#file.seek(start, Deno.SeekMode.Start);
      let filled = 0;
      while (filled < bytes.length) {
        const count = await this.#file.read(bytes.subarray(filled));
        if (count === null) break;
        filled += count;
      }
      return bytes.subarray(0, filled);
    });
  }

  /** Reads chunk by chunk. A chunk is borrowed: the next one may overwrite it. */
  async *stream(start = 0, end = this.size): AsyncGenerator<Uint8Array> {
    const { budget } = this;
    let left = end - start;
    if (left <= READ_BYTES) {
      // A file of its own, with a buffer, would cost more than the bytes of a small entry.
      return yield* inTurns(await this.read(start, left), budget, 0);
    }
    using file = await budget.wait(() => Deno.open(this.#path));
    await budget.wait(() => file.seek(start, Deno.SeekMode.Start));
    const source = { read: (into: Uint8Array) => budget.wait(() => file.read(into)) };
    for await (const bytes of readChunks(source, READ_BYTES)) {
      for await (const chunk of inTurns(bytes.subarray(0, left), budget, 0)) yield chunk;
      left -= bytes.length;
      if (left <= 0) return;
    }
  }

  [Symbol.dispose](): void {
    this.#file.close();
  }
}

export type ByteSource = Pick<FileSource, "size" | "read" | "stream">;
/** The bytes of an archive. */
export type ArchiveSource = ByteSource & Pick<FileSource, "budget">;

/** Reads ahead, so that small neighbouring reads cost one read of the source. */
export class ReadAhead {
  readonly #source: ByteSource;
  readonly #aheadBytes: number;
  #start = 0;
  #bytes: Uint8Array = new Uint8Array();

  constructor(source: ByteSource, aheadBytes: number) {
    this.#source = source;
    this.#aheadBytes = aheadBytes;
  }

  /** Reads `length` bytes from `start`; fewer at the end. They are borrowed until the next call. */
  async read(start: number, length: number): Promise<Uint8Array> {
    const isBuffered = start >= this.#start && start + length <= this.#start + this.#bytes.length;
    if (!isBuffered) {
      this.#bytes = await this.#source.read(start, Math.max(length, this.#aheadBytes));
      this.#start = start;
    }
    return this.#bytes.subarray(start - this.#start, start - this.#start + length);
  }
}
