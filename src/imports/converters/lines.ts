/** Text of an imported file, decoded line by line. */

import { splitLongLines } from "../../core/lines.ts";
import type { ByteSource } from "../archive/file_source.ts";
import { refuseFile } from "../refusal.ts";
import { PARSED_LIMITS } from "./json_walk.ts";
import { decodeUtf8 } from "./text_encoding.ts";

/** Bytes that are examined to recognize text. */
const HEAD_BYTES = 64 * 1024;

/** @throws FileRefusal `import.format` for a file with NUL in its first bytes: it is not a text. */
export async function refuseNul(file: ByteSource): Promise<void> {
  if ((await file.read(0, HEAD_BYTES)).includes(0)) refuseFile("import.format", 1);
}

export interface TextLine {
  readonly place: number;
  /** With its line feed. */
  readonly text: string;
  /** True for a part of a line above 4 MiB. It is decoded as Latin-1: only its ASCII is correct. */
  readonly isLong?: boolean;
  /** True if another part of the line follows. */
  readonly isOpen?: boolean;
  /** True for a line that is not UTF-8. It is decoded as Latin-1: only its ASCII is correct. */
  readonly isBroken?: boolean;
}

const LATIN1 = new TextDecoder("latin1");

/**
 * The lines of a file with numbers and line feeds, without its byte order mark. A line above 4 MiB
 * comes in parts.
 */
export async function* textLines(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<TextLine> {
  let place = 0;
  for await (const part of splitLongLines(chunks, PARSED_LIMITS.bytes)) {
    const { bytes, isEnded, isFirst, isLast } = part;
    if (isFirst) place++;
    const isLong = !isFirst || !isLast;
    const decoded = isLong ? null : decodeUtf8(bytes);
    const text = decoded ?? LATIN1.decode(bytes);
    const plain = place === 1 && text.startsWith("\ufeff") ? text.slice(1) : text;
    const line = { place, text: isEnded ? `${plain}\n` : plain };
    if (isLong) yield { ...line, isLong, isOpen: !isLast };
    else yield decoded === null ? { ...line, isBroken: true } : line;
  }
}
