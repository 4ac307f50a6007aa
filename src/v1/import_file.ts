/** Reads a file of version 1 records with any content line by line, in bounded memory. */

import type { Hash } from "node:crypto";
import { LineTooLongError, readChunks, splitLines } from "../core/lines.ts";
import { OperatorError } from "../errors/operator_error.ts";
import { MAX_BODY_BYTES } from "../http/request.ts";

const MAX_BYTES = 64 * 1024 * 1024;
const MAX_LINES = 10_000;
/** Bytes per read. Between two reads, other requests are served. */
const CHUNK_BYTES = 64 * 1024;

/** Without its line feed. */
export interface NumberedLine {
  /** From 1. */
  readonly number: number;
  readonly bytes: Uint8Array;
}

export function refuseLine(number: number, rules: readonly string[]): never {
  throw new OperatorError(`Nothing was imported: line ${number} breaks ${rules.join(", ")}`);
}

/**
 * Reads a file's lines; `hash` receives all bytes.
 *
 * @throws OperatorError if the file cannot be read, or the file or a line is too long.
 */
export async function* readImportLines(path: string, hash: Hash): AsyncGenerator<NumberedLine> {
  let number = 0;
  try {
    for await (const { bytes } of splitLines(readFile(path, hash), MAX_BODY_BYTES)) {
      number++;
      if (number > MAX_LINES) refuseLine(number, ["file.lines"]);
      yield { number, bytes };
    }
  } catch (error) {
    if (error instanceof LineTooLongError) refuseLine(number + 1, ["line.bytes"]);
    throw error;
  }
}

async function* readFile(path: string, hash: Hash): AsyncGenerator<Uint8Array> {
  using file = await open(path);
  let size = 0;
  for await (const chunk of readChunks(file, CHUNK_BYTES)) {
    size += chunk.length;
    if (size > MAX_BYTES) {
      throw new OperatorError("Nothing was imported: the file is larger than 64 MiB");
    }
    hash.update(chunk);
    yield chunk;
  }
}

async function open(path: string): Promise<Deno.FsFile> {
  try {
    return await Deno.open(path);
  } catch {
    throw new OperatorError("The file cannot be read");
  }
}
