export class LineTooLongError extends Error {
  override readonly name = "LineTooLongError";
}

/** A line without its line feed. Its memory may be reused for the next one. */
export interface Line {
  readonly bytes: Uint8Array;
  /** False only for a last line that has no line feed. */
  readonly isEnded: boolean;
}

/** A line, or a part of a long one, without the line feed. Its memory may be reused for the next one. */
export interface LinePart extends Line {
  /** Whether the line begins with it. */
  readonly isFirst: boolean;
  /** Whether the line ends with it. */
  readonly isLast: boolean;
}

const LINE_FEED = 0x0a;
const FIRST_LINE_BYTES = 4096;

/**
 * Splits a stream into lines. Holds at most one line and one chunk, and reuses their memory.
 *
 * @throws LineTooLongError for a line of more than `maximumBytes`, before the rest of it is read.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maximumBytes: number,
): AsyncGenerator<Line> {
  for await (const part of splitLongLines(chunks, maximumBytes)) {
    if (!part.isLast) throw new LineTooLongError();
    yield part;
  }
}

/** Splits a stream into lines; one of more than `maximumBytes` comes in parts of at most that many. */
export async function* splitLongLines(
  chunks: AsyncIterable<Uint8Array>,
  maximumBytes: number,
): AsyncGenerator<LinePart> {
  const line = new OpenLine(maximumBytes);
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length;) {
      const feed = chunk.indexOf(LINE_FEED, at);
      const end = feed === -1 ? chunk.length : feed;
      at += line.add(chunk.subarray(at, end));
      if (at < end) yield line.take(false, false);
      else if (feed !== -1) {
        yield line.take(true, true);
        at++;
      }
    }
  }
  if (!line.isEmpty) yield line.take(false, true);
}

class OpenLine {
  readonly #maximumBytes: number;
  #bytes = new Uint8Array(FIRST_LINE_BYTES);
  #length = 0;
  #isFirst = true;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  get isEmpty(): boolean {
    return this.#length === 0 && this.#isFirst;
  }

  /** Adds the bytes that it has room for, and returns how many. */
  add(bytes: Uint8Array): number {
    const added = bytes.subarray(0, this.#maximumBytes - this.#length);
    const needed = this.#length + added.length;
    if (needed > this.#bytes.length) {
      const longer = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
      longer.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = longer;
    }
    this.#bytes.set(added, this.#length);
    this.#length = needed;
    return added.length;
  }

  take(isEnded: boolean, isLast: boolean): LinePart {
    const bytes = this.#bytes.subarray(0, this.#length);
    const isFirst = this.#isFirst;
    this.#length = 0;
    this.#isFirst = isLast;
    return { bytes, isEnded, isFirst, isLast };
  }
}

/** All chunks use the same memory. */
export async function* readChunks(
  source: { read(into: Uint8Array): Promise<number | null> },
  chunkBytes: number,
): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(chunkBytes);
  for (let count = await source.read(buffer); count !== null; count = await source.read(buffer)) {
    yield buffer.subarray(0, count);
  }
}
