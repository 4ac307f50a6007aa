/** Parses vCard files (2.1, 3.0, 4.0) into cards and lines. */

import { Buffer } from "node:buffer";
import { LineTooLongError, splitLines } from "../../core/lines.ts";
import type { JsonObject } from "../../core/json.ts";
import { refuseFile } from "../refusal.ts";
import type { PeopleFacts, SourceFile } from "./converter.ts";

/** A card without its key. */
export interface ReadCard extends Partial<Pick<PeopleFacts, "links" | "members">> {
  readonly target: "person" | "community";
  readonly title: string;
  readonly payload: JsonObject;
  readonly tags?: readonly string[];
  readonly files?: readonly SourceFile[];
  /** Distinct names of content that the item does not show. */
  readonly unmapped: readonly string[];
}

/** Not needed by any item. */
export const DROPPED: readonly string[] = ["REV", "PRODID", "VERSION"];

/** Bytes; a line may be an unfolded picture. */
const MAX_LINE_BYTES = 96 * 1024 * 1024;

/** Raw lines, or the rule that refuses the card. */
export interface RawCard {
  /** Between BEGIN and END, without line ends, still folded. */
  readonly lines: readonly Uint8Array[];
  readonly rule: "vcard.end" | "vcard.nested" | null;
}

interface OpenCard {
  readonly lines: Uint8Array[];
  isNested: boolean;
}

/**
 * Splits a file into cards. A card inside another one is nested if the outer one continues after it; otherwise
 * the outer one has no end.
 *
 * @throws FileRefusal `import.format` if the file does not begin with a card.
 */
export async function* splitCards(
  chunks: AsyncIterable<Uint8Array>,
  outside: () => void,
): AsyncGenerator<RawCard> {
  const open: OpenCard[] = [];
  let closed: OpenCard | null = null;
  let [isFirst, number] = [true, 0];
  const end = function* (): Generator<RawCard> {
    for (const { lines } of open.splice(0)) yield { lines, rule: "vcard.end" };
    if (closed !== null) yield finished(closed);
    closed = null;
  };
  try {
    for await (const { bytes } of splitLines(chunks, MAX_LINE_BYTES)) {
      number++;
      const line = trimLine(bytes, number === 1);
      const word = boundaryOf(line);
      if (isFirst && word === "BLANK") continue;
      if (isFirst && word !== "BEGIN") refuseFile("import.format", number);
      isFirst = false;
      if (closed !== null && word !== "BLANK") {
        if (word === "BEGIN") yield* end();
        else {
          const outer = open.at(-1);
          if (outer !== undefined) outer.isNested = true;
          closed = null;
        }
      }
      if (word === "BEGIN") open.push({ lines: [], isNested: false });
      else if (open.length === 0) {
        if (word !== "BLANK") outside();
      } else if (word !== "END") open.at(-1)?.lines.push(line);
      else if (open.length > 1) closed = open.pop() ?? null;
      else for (const card of open.splice(0)) yield finished(card);
    }
  } catch (error) {
    if (error instanceof LineTooLongError) refuseFile("import.format", number);
    throw error;
  }
  if (isFirst) refuseFile("import.format", 1);
  yield* end();
}

function finished({ lines, isNested }: OpenCard): RawCard {
  return { lines, rule: isNested ? "vcard.nested" : null };
}

/** Copies a line without its carriage returns (some transports double them), and the first one without its byte order mark. */
function trimLine(bytes: Uint8Array, isFirst: boolean): Uint8Array {
  const hasMark = isFirst && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let end = bytes.length;
  while (bytes[end - 1] === 0x0d) end--;
  return bytes.slice(hasMark ? 3 : 0, end);
}

function boundaryOf(line: Uint8Array): "BEGIN" | "END" | "BLANK" | null {
  if (line.length > 32) {
    return line.every((byte) => byte === 0x20 || byte === 0x09) ? "BLANK" : null;
  }
  const text = LATIN1.decode(line);
  if (/^\s*$/.test(text)) return "BLANK";
  const [, word] = /^(BEGIN|END)\s*:\s*VCARD\s*$/i.exec(text) ?? [];
  return word === undefined ? null : word.toUpperCase() as "BEGIN" | "END";
}

const LATIN1 = new TextDecoder("latin1");

export interface ContentLine {
  /** In lower case; null without a group. */
  readonly group: string | null;
  /** In upper case. */
  readonly name: string;
  /** Values by name in upper case. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** Decoded from quoted-printable and its charset, not unescaped. */
  readonly value: string;
  /** The whole line. */
  readonly text: string;
}

export class CardError extends Error {
  override readonly name = "CardError";
  readonly rule: string;

  constructor(rule: string) {
    super(rule);
    this.rule = rule;
  }
}

/**
 * Returns the lines of a card, and its version if that is one of three.
 *
 * @throws CardError `vcard.line` or `vcard.charset`.
 */
export function parseCard(
  { lines }: Pick<RawCard, "lines">,
): { readonly lines: readonly ContentLine[]; readonly isKnown: boolean } {
  const parsed = unfold(lines, false).map(parseLine);
  const version = parsed.find(({ name }) => name === "VERSION")?.value.trim();
  if (version !== "2.1") {
    return { lines: parsed, isKnown: version === "3.0" || version === "4.0" };
  }
  return { lines: unfold(lines, true).map(parseLine), isKnown: true };
}

/** Joins lines continued by white space, or by `=` in quoted-printable. */
function unfold(lines: readonly Uint8Array[], keepsSpace: boolean): Uint8Array[] {
  const joined: Uint8Array[][] = [];
  let isSoft = false;
  for (const line of lines) {
    const last = joined.at(-1);
    const isFolded = line[0] === 0x20 || line[0] === 0x09;
    if (last !== undefined && (isSoft || isFolded)) {
      if (isSoft) last.push(...last.splice(-1).map((part) => part.subarray(0, -1)));
      // In 2.1 the white space belongs to the value.
      last.push(isSoft || keepsSpace ? line : line.subarray(1));
    } else if (line.length > 0) joined.push([line]);
    else continue;
    const [first = line] = joined.at(-1) ?? [];
    isSoft = line.at(-1) === 0x3d && isQuotedPrintable(first);
  }
  return joined.map((parts) => Buffer.concat(parts)).filter((line) =>
    line.some((byte) => byte !== 0x20 && byte !== 0x09)
  );
}

function isQuotedPrintable(line: Uint8Array): boolean {
  const head = LATIN1.decode(line.subarray(0, Math.min(line.length, 512)));
  return /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(head);
}

function parseLine(line: Uint8Array): ContentLine {
  const colon = findColon(line);
  if (colon === -1) throw new CardError("vcard.line");
  const whole = decode(line.subarray(0, colon), "utf-8");
  const [head = "", ...stated] = splitOutsideQuotes(whole, ";");
  const [, group, name = ""] = /^(?:([A-Za-z0-9-]+)\.)?\s*([A-Za-z0-9_-]+)\s*$/.exec(head) ??
    [];
  if (name === "") throw new CardError("vcard.line");
  const parameters = parseParameters(stated);
  const raw = line.subarray(colon + 1);
  const isEncoded = parameters.get("ENCODING")?.[0]?.toUpperCase() === "QUOTED-PRINTABLE";
  const charset = parameters.get("CHARSET")?.[0] ?? "utf-8";
  const value = decode(isEncoded ? decodeQuotedPrintable(raw) : raw, charset);
  const text = isEncoded ? decode(line, "latin1") : `${whole}:${value}`;
  return { group: group?.toLowerCase() ?? null, name: name.toUpperCase(), parameters, value, text };
}

/** Index of the first colon outside quotes. */
function findColon(line: Uint8Array): number {
  let isQuoted = false;
  for (const [index, byte] of line.entries()) {
    if (byte === 0x22) isQuoted = !isQuoted;
    else if (byte === 0x3a && !isQuoted) return index;
  }
  // 2.1 has no quotes: a single one is an ordinary character.
  return line.indexOf(0x3a);
}

/** Ignores separators between quotes. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts = [""];
  let isQuoted = false;
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted;
    if (character === separator && !isQuoted) parts.push("");
    else parts[parts.length - 1] += character;
  }
  return parts;
}

const ENCODINGS: ReadonlySet<string> = new Set(["QUOTED-PRINTABLE", "BASE64", "B", "7BIT", "8BIT"]);

/** In 2.1 a parameter without a name is an encoding or a type. */
function parseParameters(stated: readonly string[]): Map<string, string[]> {
  const parameters = new Map<string, string[]>();
  for (const each of stated) {
    const [, own, rest] = /^\s*([A-Za-z0-9_-]+)\s*=([^]*)$/.exec(each) ?? [];
    const bare = each.trim();
    if (own === undefined && bare === "") continue;
    const name = own?.toUpperCase() ?? (ENCODINGS.has(bare.toUpperCase()) ? "ENCODING" : "TYPE");
    const values = splitOutsideQuotes(rest ?? bare, ",").map(unquote);
    const listed = name === "TYPE" ? values.flatMap((value) => value.split(",")) : values;
    const before = parameters.get(name) ?? [];
    for (const value of listed) before.push(value.trim());
    parameters.set(name, before);
  }
  return parameters;
}

function unquote(value: string): string {
  return value.trim().replace(/^"([^]*)"$/, "$1");
}

/** @throws CardError `vcard.charset` for an unknown charset, or bytes that are invalid in it. */
function decode(bytes: Uint8Array, charset: string): string {
  try {
    return new TextDecoder(charset, { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new CardError("vcard.charset");
  }
}

function decodeQuotedPrintable(bytes: Uint8Array): Uint8Array {
  const decoded = new Uint8Array(bytes.length);
  let length = 0;
  for (let at = 0; at < bytes.length; at++) {
    const byte = bytes[at] ?? 0;
    const digits = byte === 0x3d ? LATIN1.decode(bytes.subarray(at + 1, at + 3)) : "";
    const isByte = /^[0-9A-Fa-f]{2}$/.test(digits);
    decoded[length++] = isByte ? parseInt(digits, 16) : byte;
    if (isByte) at += 2;
  }
  return decoded.subarray(0, length);
}

/** Ignores escaped separators; the parts stay escaped. */
export function splitEscaped(value: string, separator: string): string[] {
  const parts = [""];
  for (let at = 0; at < value.length; at++) {
    const character = value[at] ?? "";
    if (character === separator) parts.push("");
    else if (character === "\\" && at + 1 < value.length) {
      parts[parts.length - 1] += character + value[++at];
    } else parts[parts.length - 1] += character;
  }
  return parts;
}

/** Leaves unknown escapes unchanged. */
export function unescapeText(value: string): string {
  return value.replaceAll(
    /\\([\\,;:nN])/g,
    (_, character: string) => character === "n" || character === "N" ? "\n" : character,
  )
    .replaceAll("\r\n", "\n");
}
