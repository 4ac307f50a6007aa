/** Parses cards (vCard 2.1, 3.0, 4.0) into lines. */

import { GrowingBytes } from "../../core/growing_bytes.ts";
import type { JsonObject } from "../../core/json.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import { dataAddress } from "./base64.ts";
import type { PeopleFacts, SourceFile, StoredFile } from "./converter.ts";
import { PARSED_LIMITS } from "./json_walk.ts";

/** A picture of a card: the bytes of a small one, the digest of a stored one. */
export type CardFile = Omit<SourceFile, keyof StoredFile> & {
  readonly content: Uint8Array | StoredFile;
};

export interface StoredPicture extends StoredFile {
  /** The media type that the line states; empty for none. */
  readonly stated: string;
  readonly firstBytes: Uint8Array;
}

export interface CardLines {
  /** Folded, between BEGIN and END, each with a line feed; empty for a card that is too large. */
  readonly lines: Uint8Array;
  /** By position of their lines, which lack the value; null for invalid base64. */
  readonly pictures: ReadonlyMap<number, StoredPicture | null>;
}

/** A card without its key. */
export interface ReadCard extends Partial<Omit<PeopleFacts, "isIdentified">> {
  readonly target: "person" | "community";
  readonly title: string;
  readonly payload: JsonObject;
  readonly tags?: readonly string[];
  readonly files?: readonly CardFile[];
  /** Rules of an item that comes in. */
  readonly rules: readonly string[];
  /** Distinct names of content that the item does not show. */
  readonly unmapped: readonly string[];
}

/** Properties that no item needs. */
export const DROPPED: readonly string[] = ["REV", "PRODID", "VERSION"];

const LATIN1 = new TextDecoder("latin1");
const LINE_FEED = 0x0a;
const EQUALS = 0x3d;
/** Maximum bytes of a line's name and parameters; no detail shows a line with more. */
const MAX_HEAD_BYTES = 16 * 1024;
/** Maximum bytes of a line; more than a note has in any encoding. */
const MAX_LINE_BYTES = 1024 * 1024;
/** Bytes in memory of a parameter, in addition to its characters. */
const PARAMETER_COST = 64;

export interface ContentLine {
  /** In lower case; null without a group. */
  readonly group: string | null;
  /** In upper case. */
  readonly name: string;
  /** Values by name in upper case. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** Decoded from quoted-printable and its charset, still escaped; empty for a stored picture. */
  readonly value: string;
  /** The whole line, unfolded. */
  readonly text: string;
  /** The line's large picture; null for a line that is too long to be read. */
  readonly picture?: StoredPicture | null;
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
 * Parses the lines of a card. `isKnown` is true for the versions 2.1, 3.0 and 4.0.
 *
 * @throws CardError `vcard.line`, `vcard.charset` or `import.item_size`.
 */
export async function parseCard(
  { lines, pictures }: CardLines,
  budget: ReadingBudget,
): Promise<{ readonly lines: readonly ContentLine[]; readonly isKnown: boolean }> {
  const version = versionOf(lines);
  const parsed: ContentLine[] = [];
  let parameters = 0;
  for (const { bytes, start } of unfold(lines, version === "2.1")) {
    const line = parseLine(bytes);
    await budget.turn(0);
    for (const values of line.parameters.values()) parameters += 1 + values.length;
    if (parameters * PARAMETER_COST > PARSED_LIMITS.bytes) throw new CardError("import.item_size");
    const picture = pictures.get(start);
    parsed.push(picture === undefined ? line : { ...line, picture });
  }
  const isKnown = version === "2.1" || version === "3.0" || version === "4.0";
  return { lines: parsed, isKnown };
}

function versionOf(lines: Uint8Array): string | null {
  for (const { bytes } of unfold(lines, false)) {
    const { name, value } = parseLine(bytes);
    if (name === "VERSION") return value.trim();
  }
  return null;
}

/** A line joined with its continuation lines. */
interface UnfoldedLine {
  /** Borrowed until the next line. */
  readonly bytes: Uint8Array;
  /** Its position in the card. */
  readonly start: number;
}

/** Joins lines continued by white space, or by `=` in quoted-printable; leaves out blank ones. */
function* unfold(lines: Uint8Array, keepsSpace: boolean): Generator<UnfoldedLine> {
  const joined = new GrowingBytes(256);
  let first: Uint8Array = new Uint8Array();
  let [start, isSoft] = [-1, false];
  for (let at = 0; at < lines.length;) {
    const end = lines.indexOf(LINE_FEED, at);
    const line = lines.subarray(at, end);
    if (start !== -1 && (isSoft || isBlankByte(line[0]))) {
      if (isSoft) joined.cut(joined.length - 1);
      // In 2.1 the white space belongs to the value.
      joined.add(isSoft || keepsSpace ? line : line.subarray(1));
      isSoft = line.at(-1) === EQUALS && isQuotedPrintable(first);
    } else if (line.length > 0) {
      if (!joined.view.every(isBlankByte)) yield { bytes: joined.view, start };
      joined.cut(0);
      joined.add(line);
      [first, start] = [line, at];
      isSoft = line.at(-1) === EQUALS && isQuotedPrintable(first);
    }
    at = end + 1;
  }
  if (!joined.view.every(isBlankByte)) yield { bytes: joined.view, start };
}

function isBlankByte(byte?: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

function isQuotedPrintable(line: Uint8Array): boolean {
  const head = LATIN1.decode(line.subarray(0, 512));
  return /^[^:]*;(?:ENCODING=)?QUOTED-PRINTABLE[;:]/i.test(head);
}

/** The name and parameters of a line, which end at its colon. */
type LineHead = Pick<ContentLine, "group" | "name" | "parameters"> & {
  readonly whole: string;
  readonly colon: number;
};

function parseHead(line: Uint8Array): LineHead {
  const colon = findColon(line);
  if (colon === -1) throw new CardError("vcard.line");
  const whole = decode(line.subarray(0, colon), "utf-8");
  const isRead = colon <= MAX_HEAD_BYTES;
  const [head = "", ...stated] = isRead ? splitOutsideQuotes(whole, ";") : whole.split(";", 1);
  const [, group, name = ""] = /^(?:([A-Za-z0-9-]+)\.)?\s*([A-Za-z0-9_-]+)\s*$/.exec(head) ??
    [];
  if (name === "") throw new CardError("vcard.line");
  const parameters = parseParameters(stated);
  return {
    group: group?.toLowerCase() ?? null,
    name: name.toUpperCase(),
    parameters,
    whole,
    colon,
  };
}

function parseLine(line: Uint8Array): ContentLine {
  const { group, name, parameters, whole, colon } = parseHead(line);
  if (colon > MAX_HEAD_BYTES || line.length > MAX_LINE_BYTES) {
    return { group, name, parameters, value: "", text: "", picture: null };
  }
  const raw = line.subarray(colon + 1);
  const isEncoded = parameters.get("ENCODING")?.[0]?.toUpperCase() === "QUOTED-PRINTABLE";
  const charset = parameters.get("CHARSET")?.[0] ?? "utf-8";
  const value = decode(isEncoded ? decodeQuotedPrintable(raw) : raw, charset);
  const text = isEncoded ? decode(line, "latin1") : `${whole}:${value}`;
  return { group, name, parameters, value, text };
}

export interface InlinePicture {
  /** The position of its base64. */
  readonly valueStart: number;
  /** The media type that the line states; empty for none. */
  readonly stated: string;
}

export function isPicture(name: string): boolean {
  return name === "PHOTO" || name === "LOGO";
}

/** @param line The beginning of a line; it may be folded. */
export function inlinePicture(line: Uint8Array): InlinePicture | null {
  try {
    const { name, parameters, colon } = parseHead(line);
    if (!isPicture(name)) return null;
    const data = dataAddress(LATIN1.decode(line.subarray(colon + 1)));
    if (data !== null) return { stated: data.stated, valueStart: colon + 1 + data.start };
    const stated = parameters.get("TYPE")?.[0] ?? "";
    return isBase64(parameters) ? { stated, valueStart: colon + 1 } : null;
  } catch (error) {
    if (error instanceof CardError) return null;
    throw error;
  }
}

export function isBase64(parameters: ContentLine["parameters"]): boolean {
  const encoding = parameters.get("ENCODING")?.[0]?.toUpperCase();
  return encoding === "B" || encoding === "BASE64";
}

/** The first colon outside quotes; -1 without one. */
function findColon(line: Uint8Array): number {
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === 0x22) isQuoted = !isQuoted;
    else if (line[at] === 0x3a && !isQuoted) return at;
  }
  // 2.1 has no quotes: a single one is an ordinary character.
  return line.indexOf(0x3a);
}

/** Splits at separators outside quotes. */
function splitOutsideQuotes(text: string, separator: string): string[] {
  const parts: string[] = [];
  let [start, isQuoted] = [0, false];
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '"') isQuoted = !isQuoted;
    if (text[at] !== separator || isQuoted) continue;
    parts.push(text.slice(start, at));
    start = at + 1;
  }
  parts.push(text.slice(start));
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

/**
 * Splits at separators that are not escaped. The parts stay escaped; the last one has all further
 * separators.
 */
export function* splitEscaped(
  value: string,
  separator: string,
  maximum = Infinity,
): Generator<string> {
  let [start, count] = [0, 1];
  for (let at = 0; at < value.length && count < maximum; at++) {
    if (value[at] === "\\") at++;
    else if (value[at] === separator) {
      yield value.slice(start, at);
      start = at + 1;
      count++;
    }
  }
  yield value.slice(start);
}

const UTF16 = new TextDecoder("utf-16le");
const BACKSLASH = 0x5c;

/** Leaves unknown escapes unchanged. */
export function unescapeText(value: string): string {
  if (!value.includes("\\")) return value.replaceAll("\r\n", "\n");
  const units = new Uint16Array(value.length);
  let length = 0;
  for (let at = 0; at < value.length; at++) {
    const unit = value.charCodeAt(at);
    const escaped = unit === BACKSLASH ? ESCAPES.get(value.charCodeAt(at + 1)) : undefined;
    units[length++] = escaped ?? unit;
    if (escaped !== undefined) at++;
  }
  return UTF16.decode(units.subarray(0, length)).replaceAll("\r\n", "\n");
}

/** Escaped characters by the one after the backslash. */
const ESCAPES: ReadonlyMap<number, number> = new Map(
  [["\\", "\\"], [",", ","], [";", ";"], [":", ":"], ["n", "\n"], ["N", "\n"]]
    .map(([written = "", meant = ""]) => [written.charCodeAt(0), meant.charCodeAt(0)]),
);
