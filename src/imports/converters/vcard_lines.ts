/** Parses cards (vCard 2.1, 3.0, 4.0) into lines. */

import { Buffer } from "node:buffer";
import type { JsonObject } from "../../core/json.ts";
import { CARD_PRODUCT } from "../../families/relationship/import_port.ts";
import type { ReadingBudget } from "../reading_budget.ts";
import type { PeopleFacts, SourceFile, StoredFile } from "./converter.ts";
import { PARSED_LIMITS } from "./json_walk.ts";
import { decodeStated } from "./text_encoding.ts";
import { unfold, type UnfoldedLine } from "./vcard_folds.ts";
import { isBase64, type LineHead, MAX_HEAD_BYTES, parseHead } from "./vcard_heads.ts";

export { unescapeText } from "../../core/folded_line.ts";
export { isBase64, isPicture } from "./vcard_heads.ts";

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
  /** Folded, between BEGIN and END, each with a line feed. */
  readonly lines: Uint8Array;
  /**
   * By position of their lines, which lack the value; null for invalid base64, and for a line that
   * is too long.
   */
  readonly pictures: ReadonlyMap<number, StoredPicture | null>;
  /** True for a file in UTF-16, where only encoded values have the charset that they state. */
  readonly isUtf16: boolean;
}

/** A card without its key. */
export interface ReadCard extends Partial<Omit<PeopleFacts, "isIdentified">> {
  readonly target: "person" | "community";
  readonly title: string;
  readonly payload: JsonObject;
  readonly tags?: readonly string[];
  readonly files?: readonly CardFile[];
  /** Rules reported to the owner; default: none. */
  readonly rules?: readonly string[];
  /** Distinct names of content that the item does not show. */
  readonly unmapped: readonly string[];
}

/** Properties that no item needs. */
export const DROPPED: readonly string[] = ["REV", "PRODID", "VERSION"];

const LATIN1 = new TextDecoder("latin1");
const LINE_FEED = 0x0a;
const SPACE = Uint8Array.of(0x20);
/** Maximum bytes of a line; more than a note has in any encoding. */
export const MAX_LINE_BYTES = 1024 * 1024;
/** Bytes in memory of a parameter, in addition to its characters. */
const PARAMETER_COST = 64;

/** The property of a line that is not one. */
export const UNREAD = "X-UNREAD";

export interface ContentLine extends Pick<LineHead, "group" | "name" | "parameters"> {
  /** Decoded from quoted-printable and its charset, still escaped; empty for a stored picture. */
  readonly value: string;
  /**
   * The whole line, unfolded and decoded; one of 2.1 in the form of 3.0. The words of a line that
   * is not a property.
   */
  readonly text: string;
  /** The line's large picture; null for a line that is too long to be read. */
  readonly picture?: StoredPicture | null;
  /** The value that earlier releases read, if it was different. Keys are made of it. */
  readonly former?: string;
}

export type CardVersion = "2.1" | "3.0" | "4.0";

export interface ParsedCard {
  readonly version: CardVersion;
  readonly lines: readonly ContentLine[];
  /** `vcard.version`, `vcard.line` or `vcard.charset`. */
  readonly rules: readonly string[];
}

/** Reads a card of an unknown version as 3.0. */
export async function parseCard(card: CardLines, budget: ReadingBudget): Promise<ParsedCard> {
  const stated = versionOf(card.lines);
  const version = stated === "2.1" || stated === "4.0" ? stated : "3.0";
  const rules = new Set<string>(stated === version ? [] : ["vcard.version"]);
  const lines: ContentLine[] = [];
  let parameters = 0;
  const { pictures, isUtf16 } = card;
  for (const line of unfold(card.lines, version === "2.1")) {
    await budget.turn(0);
    const { isGuessed, ...read } = readLine(line, { version, pictures, isUtf16 });
    for (const values of read.parameters.values()) parameters += 1 + values.length;
    const isRead = parameters * PARAMETER_COST <= PARSED_LIMITS.bytes;
    lines.push(isRead ? read : { ...read, ...TOO_LONG, parameters: new Map() });
    if (line.hasStray || !line.isProperty) rules.add("vcard.line");
    if (isGuessed) rules.add("vcard.charset");
  }
  return { version, lines, rules: [...rules] };
}

/** The first version that is stated. */
function versionOf(lines: Uint8Array): string | null {
  for (let at = 0; at < lines.length;) {
    const end = lines.indexOf(LINE_FEED, at);
    const text = LATIN1.decode(lines.subarray(at, Math.min(end, at + 256)));
    const [, version] = /^VERSION\s*(?:;[^:]*)?:\s*(.*?)\s*$/i.exec(text) ?? [];
    if (version !== undefined) return version;
    at = end + 1;
  }
  return null;
}

const TOO_LONG = { value: "", text: "", picture: null } as const;

interface LineContext extends Pick<CardLines, "pictures" | "isUtf16"> {
  readonly version: CardVersion;
}

type ReadLine = ContentLine & { readonly isGuessed: boolean };

function readLine(line: UnfoldedLine, context: LineContext): ReadLine {
  const { bytes, start, isProperty } = line;
  if (!isProperty) return readWords(bytes);
  const head = parseHead(bytes);
  const { group, name, parameters, isGuessed } = head;
  const own = { group, name, parameters, isGuessed };
  const picture = context.pictures.get(start);
  const isTooLong = head.colon > MAX_HEAD_BYTES || bytes.length > MAX_LINE_BYTES;
  if (isTooLong || picture === null) return { ...own, ...TOO_LONG };
  const read = readValue(line, head, context);
  return {
    ...own,
    ...read,
    isGuessed: isGuessed || read.isGuessed,
    ...(picture !== undefined && { picture }),
  };
}

/** A line that is not a property. */
function readWords(bytes: Uint8Array): ReadLine {
  const own = { group: null, name: UNREAD, parameters: new Map() };
  if (bytes.length > MAX_LINE_BYTES) return { ...own, ...TOO_LONG, isGuessed: false };
  const { text, isGuessed } = decodeStated(bytes, undefined);
  return { ...own, value: text, text, isGuessed };
}

function readValue(line: UnfoldedLine, head: LineHead, { version, isUtf16 }: LineContext) {
  const { name, parameters, colon, whole } = head;
  const raw = line.bytes.subarray(colon + 1);
  const isEncoded = parameters.get("ENCODING")?.[0]?.toUpperCase() === "QUOTED-PRINTABLE";
  const [charset] = parameters.get("CHARSET") ?? [];
  // The line itself is not in UTF-16.
  const isBare = !isEncoded && (isUtf16 || /^utf-?16/i.test(charset ?? ""));
  const encoded = isEncoded ? decodeQuotedPrintable(raw) : raw;
  const { text: value, isGuessed } = decodeStated(encoded, isBare ? undefined : charset);
  const isOld = version === "2.1";
  const text = isOld || isEncoded || charset !== undefined
    ? `${decodedHead(head)}:${decodedValue(head, value, version)}`
    : `${whole}:${value}`;
  const former = KEY_TEXTS.includes(name) && (line.blanks.length > 0 || charset !== undefined)
    ? formerValue(line, colon, isEncoded, charset)
    : value;
  return { value, text, isGuessed, ...(former !== null && former !== value && { former }) };
}

/** Group, name and parameters of a decoded line in the form of 3.0. */
function decodedHead({ start, parameters }: LineHead): string {
  const written = Array.from(parameters, ([name, values]) => {
    if (name === "CHARSET") return "";
    if (name !== "ENCODING") return `;${name}=${values.map(quoted).join(",")}`;
    return isBase64(parameters) ? ";ENCODING=b" : "";
  });
  return start.trim() + written.join("");
}

function quoted(value: string): string {
  const plain = value.replaceAll('"', "'");
  return /[,;:]/.test(plain) ? `"${plain}"` : plain;
}

/** Properties of 3.0 with one text, where `;` is escaped as well, and with texts as parts. */
const ESCAPED: readonly string[] = ["FN", "TITLE", "ROLE", "NOTE", "LABEL"];
const ESCAPED_PARTS: readonly string[] = ["N", "ORG", "ADR"];

/** A value as 3.0 has it. In 2.1 a comma is an ordinary character. */
function decodedValue({ name, parameters }: LineHead, value: string, version: CardVersion): string {
  if (isBase64(parameters)) return value.replaceAll(/\s/g, "");
  const isOld = version === "2.1";
  const isWhole = isOld && ESCAPED.includes(name);
  const hasCommas = isWhole || isOld && ESCAPED_PARTS.includes(name);
  return value.replaceAll(/\\[^\r\n]?|\r\n?|[\n,;]/g, (found) => {
    if (found.startsWith("\r") || found === "\n") return "\\n";
    if (found === "\\") return "\\\\";
    return found === "," && hasCommas || found === ";" && isWhole ? `\\${found}` : found;
  });
}

/** True for a card that this service wrote. */
export function isOwnCard(lines: readonly ContentLine[]): boolean {
  return lines.some(({ name, value }) =>
    name === "PRODID" && value.trim() === CARD_PRODUCT ||
    ["UID", "X-PRS-UID"].includes(name) && /^urn:prs:/i.test(value.trim())
  );
}

/** Properties that the key of a card without a UID is made of. */
export const KEY_TEXTS: readonly string[] = ["N", "FN", "TEL", "EMAIL"];

/** The value as earlier releases read it; null if they refused the card. */
function formerValue(
  { bytes, blanks }: UnfoldedLine,
  colon: number,
  isEncoded: boolean,
  charset = "utf-8",
): string | null {
  const bounds = [colon + 1, ...blanks, bytes.length];
  const pieces = blanks.flatMap((end, index) => [bytes.subarray(bounds[index], end), SPACE]);
  const raw = Buffer.concat([...pieces, bytes.subarray(bounds.at(-2))]);
  try {
    const decoder = new TextDecoder(charset, { fatal: true, ignoreBOM: true });
    return decoder.decode(isEncoded ? decodeQuotedPrintable(raw) : raw);
  } catch {
    return null;
  }
}

export function decodeQuotedPrintable(bytes: Uint8Array): Uint8Array {
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
