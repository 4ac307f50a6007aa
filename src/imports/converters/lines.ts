/** Text of an imported file, decoded line by line. */

import { Buffer } from "node:buffer";
import { type LinePart, splitLinesByChunk } from "../../core/lines.ts";
import type { ByteSource } from "../archive/file_source.ts";
import { refuseFile } from "../refusal.ts";
import { PARSED_LIMITS } from "./json_walk.ts";
import { decodeBytes, decodeUtf8, type Encoding, utf16Of } from "./text_encoding.ts";

/** Bytes that are examined to recognize a text and its line ends. */
const HEAD_BYTES = 64 * 1024;
const CARRIAGE_RETURN = 0x0d;
const LINE_FEED = 0x0a;

/** @throws FileRefusal `import.format` for a file with NUL in its first bytes: it is not a text. */
export async function refuseNul(file: ByteSource): Promise<void> {
  const head = await file.read(0, HEAD_BYTES);
  const isText = utf16Of(head) === null
    ? !head.includes(0)
    : !(await headOf(utf8Chunks([head]))).includes(0);
  if (!isText) refuseFile("import.format", 1);
}

export interface TextLine {
  readonly place: number;
  /** With its line end. */
  readonly text: string;
  /** True for a part of a line above 4 MiB. It is decoded as Latin-1: only its ASCII is correct. */
  readonly isLong?: boolean;
  /** True if another part of the line follows. */
  readonly isOpen?: boolean;
  /** True for a line of an unknown encoding, decoded as Windows-1252. Its ASCII is correct. */
  readonly isBroken?: boolean;
}

/** Reads the lines of a text from its beginning. Waiting for each of millions would take long. */
export type ReadLines = () => AsyncIterable<readonly TextLine[]>;

const LATIN1 = new TextDecoder("latin1");

export interface LineOptions {
  /** The byte that ends a line; default: a line feed. */
  readonly lineEnd?: number;
  /** The encoding of lines that are not UTF-8; default: unknown. */
  readonly encoding?: Encoding | undefined;
}

/**
 * The lines of a text in UTF-8 with numbers and line ends, without its byte order mark: those that
 * end in a chunk together. A line above 4 MiB comes in parts.
 */
export async function* textLines(
  chunks: AsyncIterable<Uint8Array>,
  { lineEnd = LINE_FEED, encoding }: LineOptions = {},
): AsyncGenerator<readonly TextLine[]> {
  const end = String.fromCharCode(lineEnd);
  let place = 0;
  const lineOf = ({ bytes, isEnded, isFirst, isLast }: LinePart): TextLine => {
    if (isFirst) place++;
    const isLong = !isFirst || !isLast;
    const decoded = isLong ? null : decodeLine(bytes, encoding);
    const text = decoded ?? LATIN1.decode(bytes);
    const plain = place === 1 && text.startsWith("\ufeff") ? text.slice(1) : text;
    const line = { place, text: isEnded ? `${plain}${end}` : plain };
    if (isLong) return { ...line, isLong, isOpen: !isLast };
    return decoded === null ? { ...line, isBroken: true } : line;
  };
  for await (const parts of splitLinesByChunk(chunks, PARSED_LIMITS.bytes, lineEnd)) {
    yield Array.from(parts, lineOf);
  }
}

function decodeLine(bytes: Uint8Array, encoding: Encoding | undefined): string | null {
  if (bytes.length === 0) return "";
  return decodeUtf8(bytes) ?? (encoding === undefined ? null : decodeBytes(bytes, encoding));
}

/** Bytes that can be read from their beginning more than once. */
export type ReadBytes = () => AsyncIterable<Uint8Array>;

/**
 * Opens a text in UTF-8, or in UTF-16 with its mark. CR alone ends lines if the first 64 KiB have
 * no LF.
 */
export async function openText(
  chunks: ReadBytes,
  encoding?: Encoding,
): Promise<{ readonly lines: ReadLines; readonly isUtf16: boolean }> {
  const { isUtf16, lineEnd } = await textFormOf(chunks());
  const lines = () =>
    isUtf16
      ? textLines(utf8Chunks(chunks()), { lineEnd })
      : textLines(chunks(), { lineEnd, encoding });
  return { lines, isUtf16 };
}

/** The lines of a text in memory. */
export async function linesOf(text: string): Promise<ReadLines> {
  async function* chunks() {
    yield await Promise.resolve(new TextEncoder().encode(text));
  }
  return (await openText(chunks)).lines;
}

/** The form of a text, by its first 64 KiB. */
export async function textFormOf(
  chunks: AsyncIterable<Uint8Array>,
): Promise<{ readonly isUtf16: boolean; readonly lineEnd: number }> {
  // A damaged entry fails at its end: its lines before the fault can be read.
  const head = await headOf(chunks, (part) => utf16Of(part) === null && part.includes(LINE_FEED));
  const isUtf16 = utf16Of(head) !== null;
  const text = isUtf16 ? await headOf(utf8Chunks([head])) : head;
  const isClassic = text.includes(CARRIAGE_RETURN) && !text.includes(LINE_FEED);
  return { isUtf16, lineEnd: isClassic ? CARRIAGE_RETURN : LINE_FEED };
}

/** The first 64 KiB, or fewer if they are enough. */
export async function headOf(
  chunks: AsyncIterable<Uint8Array>,
  isEnough: (head: Uint8Array) => boolean = () => false,
): Promise<Uint8Array> {
  const head = new Uint8Array(HEAD_BYTES);
  let filled = 0;
  for await (const chunk of chunks) {
    const part = chunk.subarray(0, HEAD_BYTES - filled);
    head.set(part, filled);
    filled += part.length;
    if (filled === HEAD_BYTES || isEnough(head.subarray(0, filled))) break;
  }
  return head.subarray(0, filled);
}

/** A byte that UTF-8 never has, for half of a character in UTF-16. */
const NO_CHARACTER = Uint8Array.of(0xff);

/** Converts UTF-16 with a byte order mark to UTF-8. Broken characters stay broken. */
export async function* utf8Chunks(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder();
  let isBigEndian: boolean | null = null;
  let left: Uint8Array = new Uint8Array();
  let half = "";
  for await (const chunk of chunks) {
    const bytes = Buffer.concat([left, chunk]);
    const even = bytes.subarray(0, bytes.length & ~1);
    left = Uint8Array.from(bytes.subarray(even.length));
    if (even.length > 0) isBigEndian ??= utf16Of(even) === "utf-16be";
    const text = half + (isBigEndian ? even.swap16() : even).toString("utf16le");
    half = /[\ud800-\udbff]$/.exec(text)?.[0] ?? "";
    const [first = "", ...others] = text.slice(0, text.length - half.length).split(/\p{Cs}/u);
    yield encoder.encode(first);
    for (const other of others) {
      yield NO_CHARACTER;
      yield encoder.encode(other);
    }
  }
  if (half !== "" || left.length > 0) yield NO_CHARACTER;
}

/** Whether a text is UTF-8 from its first to its last byte. */
export async function isUtf8(chunks: AsyncIterable<Uint8Array>): Promise<boolean> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  try {
    for await (const chunk of chunks) decoder.decode(chunk, { stream: true });
    decoder.decode();
    return true;
  } catch (error) {
    if (error instanceof TypeError) return false;
    throw error;
  }
}
