import { writeAll } from "../../core/files.ts";
import type { JsonValue } from "../../core/json.ts";
import { LineTooLongError, readChunks, splitLines } from "../../core/lines.ts";

const CHUNK_BYTES = 4096;

/** A source that can be read into given memory. */
type Source = Parameters<typeof readChunks>[0];

/**
 * Reads one line, without its line feed.
 *
 * @returns null if the stream ends before the line does, or the line is longer than `maximumBytes`.
 */
export async function readLine(source: Source, maximumBytes: number): Promise<Uint8Array | null> {
  for await (const line of readLines(source, maximumBytes)) return line;
  return null;
}

/**
 * Reads lines, without their line feeds, until the stream ends or a line is longer than
 * `maximumBytes`. Drops an unterminated last line.
 */
export async function* readLines(
  source: Source,
  maximumBytes: number,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const line of splitLines(readChunks(source, CHUNK_BYTES), maximumBytes)) {
      if (line.isEnded) yield line.bytes;
    }
  } catch (error) {
    if (!(error instanceof LineTooLongError)) throw error;
  }
}

export async function writeLine(
  target: { write(bytes: Uint8Array): Promise<number> },
  value: JsonValue,
): Promise<void> {
  await writeAll(target, new TextEncoder().encode(`${JSON.stringify(value)}\n`));
}
