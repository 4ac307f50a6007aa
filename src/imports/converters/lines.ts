/** Text of an imported file: UTF-8, decoded line by line or whole. */

import { LineTooLongError, splitLines } from "../../core/lines.ts";
import type { ByteSource } from "../archive/file_source.ts";
import { FileRefusal, refuseFile } from "../refusal.ts";

/** Bytes that are examined to recognize text. */
const HEAD_BYTES = 64 * 1024;

/** @throws FileRefusal `import.format` if the file begins like no text. */
export async function refuseNul(file: ByteSource): Promise<void> {
  if ((await file.read(0, HEAD_BYTES)).includes(0)) refuseFile("import.format", 1);
}

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** More than any item may have. */
const LINE_BYTES = 4 * 1024 * 1024;

/** @throws FileRefusal `text.utf8`. */
export function decodeText(bytes: Uint8Array, place: number): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return refuseFile("text.utf8", place);
  }
}

export interface TextLine {
  readonly place: number;
  readonly text: string;
}

/**
 * The lines of a file with their numbers and line feeds, without its byte order mark.
 *
 * @throws FileRefusal `text.utf8`, and `rule` for a line that is too long.
 */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
  rule: "items.line" | "csv.quote",
): AsyncGenerator<TextLine> {
  let place = 0;
  try {
    for await (const { bytes, isEnded } of splitLines(chunks, LINE_BYTES)) {
      const text = decodeText(bytes, ++place);
      const plain = place === 1 && text.startsWith("\ufeff") ? text.slice(1) : text;
      yield { place, text: isEnded ? `${plain}\n` : plain };
    }
  } catch (error) {
    throw error instanceof LineTooLongError ? new FileRefusal(rule, place + 1) : error;
  }
}
