export class LineTooLongError extends Error {
  override readonly name = "LineTooLongError";
}

/** A line without its line feed. Its memory may be reused for the next one. */
export interface Line {
  readonly bytes: Uint8Array;
  /** False only for a last line that has no line feed. */
  readonly isEnded: boolean;
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
  let line = new Uint8Array(FIRST_LINE_BYTES);
  let length = 0;
  const add = (part: Uint8Array) => {
    const needed = length + part.length;
    if (needed > maximumBytes) throw new LineTooLongError();
    if (needed > line.length) {
      const longer = new Uint8Array(Math.max(needed, 2 * line.length));
      longer.set(line.subarray(0, length));
      line = longer;
    }
    line.set(part, length);
    length = needed;
  };
  const take = (isEnded: boolean): Line => {
    const bytes = line.subarray(0, length);
    length = 0;
    return { bytes, isEnded };
  };
  for await (const chunk of chunks) {
    let rest = chunk;
    for (let end = rest.indexOf(LINE_FEED); end !== -1; end = rest.indexOf(LINE_FEED)) {
      add(rest.subarray(0, end));
      yield take(true);
      rest = rest.subarray(end + 1);
    }
    add(rest);
  }
  if (length > 0) yield take(false);
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
