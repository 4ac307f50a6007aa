import { writeAll } from "../core/files.ts";
import type { JsonValue } from "../core/json.ts";

const LINE_FEED = 0x0a;
const CHUNK_BYTES = 4096;

/**
 * Reads one line, without its line feed. What follows it is not looked at.
 *
 * @returns null when the stream ends before the line does, or the line is longer than
 * `maximumBytes`.
 */
export async function readLine(
  source: { read(into: Uint8Array): Promise<number | null> },
  maximumBytes: number,
): Promise<Uint8Array | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  while (length <= maximumBytes) {
    const chunk = new Uint8Array(CHUNK_BYTES);
    const count = await source.read(chunk);
    if (count === null) return null;
    const end = chunk.subarray(0, count).indexOf(LINE_FEED);
    chunks.push(chunk.subarray(0, end === -1 ? count : end));
    length += end === -1 ? count : end;
    if (end !== -1) return length > maximumBytes ? null : joined(chunks, length);
  }
  return null;
}

function joined(chunks: readonly Uint8Array[], length: number): Uint8Array {
  const line = new Uint8Array(length);
  let offset = 0;
  for (const chunk of chunks) {
    line.set(chunk, offset);
    offset += chunk.length;
  }
  return line;
}

/** Writes a value as one line of JSON. */
export async function writeLine(
  target: { write(bytes: Uint8Array): Promise<number> },
  value: JsonValue,
): Promise<void> {
  await writeAll(target, new TextEncoder().encode(`${JSON.stringify(value)}\n`));
}
