/** The beginning of a line of a card: its group, name and parameters, which end at a colon. */

import { dataAddress, isPictureText } from "./base64.ts";
import { decodeStated } from "./text_encoding.ts";

const LATIN1 = new TextDecoder("latin1");
const [COLON, SEMICOLON, DOT, SPACE, TAB] = [0x3a, 0x3b, 0x2e, 0x20, 0x09];
const NAME_BYTES: ReadonlySet<number> = new Set(new TextEncoder().encode(
  "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_",
));
/** Maximum bytes of a line's name and parameters; no detail shows a line with more. */
export const MAX_HEAD_BYTES = 16 * 1024;
/** Bytes in which the name of a property ends. */
const MAX_NAME_BYTES = 512;

export interface LineHead {
  /** In lower case; null without a group. */
  readonly group: string | null;
  /** In upper case. */
  readonly name: string;
  /** Values by name in upper case. */
  readonly parameters: ReadonlyMap<string, readonly string[]>;
  /** Group and name as they stand. */
  readonly start: string;
  /** All that is before the colon. */
  readonly whole: string;
  readonly colon: number;
  /** True if its encoding was guessed. */
  readonly isGuessed: boolean;
}

/** True if a line begins with a valid name, and `:` or `;`. */
export function beginsWithName(line: Uint8Array): boolean {
  let at = 0;
  while (NAME_BYTES.has(line[at] ?? 0)) at++;
  if (at === 0) return false;
  if (line[at] === COLON || line[at] === SEMICOLON) return true;
  // A group, or blanks.
  if (line[at] !== DOT && line[at] !== SPACE && line[at] !== TAB) return false;
  const text = LATIN1.decode(line.subarray(0, MAX_NAME_BYTES));
  return /^(?:[A-Za-z0-9-]+\.)?[A-Za-z0-9_-]+\s*[:;]/.test(text);
}

/** True for a line with a colon and a valid name before it. */
export function isProperty(line: Uint8Array): boolean {
  return beginsWithName(line) && line.includes(COLON);
}

/** @param line A property. */
export function parseHead(line: Uint8Array): LineHead {
  const colon = findColon(line);
  const { text: whole, isGuessed } = decodeStated(line.subarray(0, colon), undefined);
  const isRead = colon <= MAX_HEAD_BYTES;
  const [start = "", ...stated] = isRead ? splitOutsideQuotes(whole, ";") : whole.split(";", 1);
  const [, group, name = ""] = /^(?:([A-Za-z0-9-]+)\.)?([A-Za-z0-9_-]+)\s*$/.exec(start) ?? [];
  return {
    group: group?.toLowerCase() ?? null,
    name: name.toUpperCase(),
    parameters: parseParameters(stated),
    start,
    whole,
    colon,
    isGuessed,
  };
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

export function isBase64(parameters: LineHead["parameters"]): boolean {
  const encoding = parameters.get("ENCODING")?.[0]?.toUpperCase();
  return encoding === "B" || encoding === "BASE64";
}

/** @param line The beginning of a line; it may be folded. */
export function inlinePicture(line: Uint8Array): InlinePicture | null {
  if (!isProperty(line)) return null;
  const { name, parameters, colon } = parseHead(line);
  if (!isPicture(name)) return null;
  const value = line.subarray(colon + 1);
  const data = dataAddress(LATIN1.decode(value));
  if (data !== null) return { stated: data.stated, valueStart: colon + 1 + data.start };
  const stated = parameters.get("TYPE")?.[0] ?? "";
  const isEncoded = isBase64(parameters) || isPictureText(value);
  return isEncoded ? { stated, valueStart: colon + 1 } : null;
}

/** True for a property whose value is base64. */
export function hasBase64(line: Uint8Array): boolean {
  const { name, parameters, colon } = parseHead(line);
  const value = line.subarray(colon + 1);
  return isBase64(parameters) || dataAddress(LATIN1.decode(value)) !== null ||
    isPicture(name) && isPictureText(value);
}

/** The first colon outside quotes. */
function findColon(line: Uint8Array): number {
  let isQuoted = false;
  for (let at = 0; at < line.length; at++) {
    if (line[at] === 0x22) isQuoted = !isQuoted;
    else if (line[at] === COLON && !isQuoted) return at;
  }
  // 2.1 has no quotes: a single one is an ordinary character.
  return line.indexOf(COLON);
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
    const listed = name === "TYPE" ? typesOf(rest ?? bare) : valuesOf(rest ?? bare);
    const before = parameters.get(name) ?? [];
    for (const value of listed) before.push(value);
    parameters.set(name, before);
  }
  return parameters;
}

function valuesOf(text: string): string[] {
  return splitOutsideQuotes(text, ",").map((value) => unquote(value).trim());
}

/** Quotes may contain several types. The text of Android's `X-CUSTOM(…)` keeps its blanks. */
function typesOf(text: string): string[] {
  if (/X-CUSTOM\(/i.test(text)) return text.replaceAll('"', "").split(",");
  return valuesOf(text).flatMap((value) => value.split(",")).map((type) => type.trim());
}

function unquote(value: string): string {
  return value.trim().replace(/^"([^]*)"$/, "$1");
}
