import { GrowingBytes } from "./growing_bytes.ts";

export class LineTooLongError extends Error {
  override readonly name = "LineTooLongError";
}

/** A line without its line end. Its memory may be reused for the next one. */
interface Line {
  readonly bytes: Uint8Array;
  /** False only for a last line without a line end. */
  readonly isEnded: boolean;
}

/** A line, or a part of one, without the line end. The next one may reuse its memory. */
export interface LinePart extends Line {
  /** Whether the line begins with it. */
  readonly isFirst: boolean;
  /** Whether the line ends with it. */
  readonly isLast: boolean;
}

const LINE_FEED = 0x0a;
const FIRST_LINE_BYTES = 4096;
const EMPTY_LINE: LinePart = {
  bytes: new Uint8Array(),
  isEnded: true,
  isFirst: true,
  isLast: true,
};

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

/**
 * Splits a stream into lines; one of more than `maximumBytes` comes in parts of at most that many.
 *
 * @param lineEnd The byte that ends a line.
 */
export async function* splitLongLines(
  chunks: AsyncIterable<Uint8Array>,
  maximumBytes: number,
  lineEnd = LINE_FEED,
): AsyncGenerator<LinePart> {
  for await (const parts of splitLinesByChunk(chunks, maximumBytes, lineEnd)) yield* parts;
}

/**
 * Like `splitLongLines`, but waits only for chunks, not for each of millions of short lines. The
 * parts of a chunk must be read before the next ones are asked for.
 */
export async function* splitLinesByChunk(
  chunks: AsyncIterable<Uint8Array>,
  maximumBytes: number,
  lineEnd = LINE_FEED,
): AsyncGenerator<Iterable<LinePart>> {
  const line = new OpenLine(maximumBytes);
  for await (const chunk of chunks) yield splitChunk(chunk, line, lineEnd);
  if (!line.isEmpty) yield [line.take(false, true)];
}

function* splitChunk(chunk: Uint8Array, line: OpenLine, lineEnd: number): Generator<LinePart> {
  for (let at = 0; at < chunk.length;) {
    if (chunk[at] === lineEnd && line.isEmpty) {
      yield EMPTY_LINE;
      at++;
      continue;
    }
    const found = chunk.indexOf(lineEnd, at);
    const end = found === -1 ? chunk.length : found;
    at += line.add(chunk.subarray(at, end));
    if (at < end) yield line.take(false, false);
    else if (found !== -1) {
      yield line.take(true, true);
      at++;
    }
  }
}

class OpenLine {
  readonly #maximumBytes: number;
  readonly #bytes = new GrowingBytes(FIRST_LINE_BYTES);
  #isFirst = true;

  constructor(maximumBytes: number) {
    this.#maximumBytes = maximumBytes;
  }

  get isEmpty(): boolean {
    return this.#bytes.length === 0 && this.#isFirst;
  }

  /** Adds the bytes that it has room for, and returns how many. */
  add(bytes: Uint8Array): number {
    const added = bytes.subarray(0, this.#maximumBytes - this.#bytes.length);
    this.#bytes.add(added);
    return added.length;
  }

  take(isEnded: boolean, isLast: boolean): LinePart {
    const bytes = this.#bytes.view;
    const isFirst = this.#isFirst;
    this.#bytes.cut(0);
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
