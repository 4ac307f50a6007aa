/** A line is longer than it may be. */
export class LineTooLongError extends Error {
  override readonly name = "LineTooLongError";
}

/** A line of a stream, without its line feed. */
export interface Line {
  readonly bytes: Uint8Array;
  /** Whether a line feed ended it; the last line of a stream may do without. */
  readonly isEnded: boolean;
}

const LINE_FEED = 0x0a;

/**
 * Cuts a stream of bytes into lines. It holds one line and one chunk at most, and a chunk's memory may be
 * used again for the next one.
 *
 * @throws LineTooLongError for a line of more than `maximumBytes`, before the rest of it is read.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maximumBytes: number,
): AsyncGenerator<Line> {
  let parts: Uint8Array[] = [];
  let length = 0;
  const add = (part: Uint8Array) => {
    length += part.length;
    if (length > maximumBytes) throw new LineTooLongError();
    parts.push(part.slice());
  };
  const take = (isEnded: boolean): Line => {
    const bytes = join(parts, length);
    [parts, length] = [[], 0];
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

/** Reads a stream chunk by chunk, all into the same memory. */
export async function* readChunks(
  source: { read(into: Uint8Array): Promise<number | null> },
  chunkBytes: number,
): AsyncGenerator<Uint8Array> {
  const buffer = new Uint8Array(chunkBytes);
  for (let count = await source.read(buffer); count !== null; count = await source.read(buffer)) {
    yield buffer.subarray(0, count);
  }
}

function join(parts: readonly Uint8Array[], length: number): Uint8Array {
  if (parts.length === 1 && parts[0] !== undefined) return parts[0];
  const joined = new Uint8Array(length);
  let offset = 0;
  for (const part of parts) {
    joined.set(part, offset);
    offset += part.length;
  }
  return joined;
}
