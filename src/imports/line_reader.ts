import { Buffer } from "node:buffer";
import { readChunks, splitLines } from "../core/lines.ts";

const CHUNK_BYTES = 64 * 1024;
/** More than any item has. */
const LINE_BYTES = 64 * 1024 * 1024;

/** The most items of a transaction or a query. */
export const BATCH_ITEMS = 100;

/** A value, and where the line after it begins. */
export interface ReadLine<T> {
  readonly value: T;
  readonly end: number;
}

/** The values of a file from an offset that an earlier line ended at. */
export async function* readValues<T>(path: string, offset = 0): AsyncGenerator<ReadLine<T>> {
  using file = await Deno.open(path);
  await file.seek(offset, Deno.SeekMode.Start);
  let end = offset;
  for await (const { bytes } of splitLines(readChunks(file, CHUNK_BYTES), LINE_BYTES)) {
    end += bytes.length + 1;
    const text = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString();
    yield { value: JSON.parse(text), end };
  }
}

/** Groups values, a hundred at a time. */
export async function* inBatches<T>(values: AsyncIterable<ReadLine<T>>): AsyncGenerator<T[]> {
  let batch: T[] = [];
  for await (const { value } of values) {
    batch.push(value);
    if (batch.length < BATCH_ITEMS) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
}
