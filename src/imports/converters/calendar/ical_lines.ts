/** A line of a calendar (RFC 5545, 3.1), joined with its continuation lines. */

import { GrowingBytes } from "../../../core/growing_bytes.ts";
import { dataAddress, pictureType } from "../base64.ts";
import { Base64File } from "../base64_file.ts";
import type { FileSink, StoredFile } from "../converter.ts";
import { PARSED_LIMITS } from "../json_walk.ts";
import { isBlankLine } from "../line_bytes.ts";
import { decodeUtf8 } from "../text_encoding.ts";
import { isBase64, isProperty, MAX_HEAD_BYTES, parseHead } from "../vcard_heads.ts";

const FIRST_BYTES = 256;
/** Characters of a name. */
const MAX_NAME = 200;
const LATIN1 = new TextDecoder("latin1");
/** Properties whose value may be a file (RFC 5545, RFC 7986). */
const FILES = /^(?:ATTACH|IMAGE)\s*[;:]/i;
/** Longer than these names with a blank after them. */
const FILE_NAME_BYTES = 16;

export type OpenSink = () => Promise<FileSink>;

interface LineFile extends StoredFile {
  /** The media type of a picture by its first bytes; null for any other file. */
  readonly detectedType: string | null;
}

/** A line between its first and its last byte. */
export class OpenLine {
  readonly #openSink: OpenSink;
  readonly #bytes = new GrowingBytes(FIRST_BYTES);
  #isCut = false;
  #isExamined = true;
  #file: Base64File | null = null;

  constructor(openSink: OpenSink) {
    this.#openSink = openSink;
  }

  /** Its bytes, without those of a file in it. */
  get bytes(): Uint8Array {
    return this.#bytes.view;
  }

  /** True if it has more than 4 MiB; the rest is left out. */
  get isCut(): boolean {
    return this.#isCut;
  }

  get isBlank(): boolean {
    return isBlankLine(this.bytes);
  }

  /** @param mayBeFile False for a line that no item needs. */
  begin(mayBeFile: boolean): void {
    this.#bytes.cut(0);
    [this.#isCut, this.#isExamined, this.#file] = [false, !mayBeFile, null];
  }

  /** Adds a part of the line. Wait for the result unless it is null. */
  add(part: Uint8Array): Promise<void> | null {
    if (this.#file !== null) return this.#file.add(part);
    const room = PARSED_LIMITS.bytes - this.#bytes.length;
    this.#isCut ||= part.length > room;
    this.#bytes.add(part.subarray(0, room));
    return this.#isExamined || this.#bytes.length <= MAX_HEAD_BYTES ? null : this.#examine();
  }

  /**
   * Wait for the result unless it is undefined: then the line has no file. Null for a file that is
   * empty or not base64.
   */
  end(): Promise<LineFile | null | undefined> | undefined {
    const mayBeFile = this.#file !== null || !this.#isExamined && this.#namesFile;
    return mayBeFile ? this.#endFile() : undefined;
  }

  async #endFile(): Promise<LineFile | null | undefined> {
    if (!this.#isExamined) await this.#examine();
    if (this.#file === null) return undefined;
    const stored = await this.#file.end();
    return stored && { ...stored, detectedType: pictureType(this.#file.firstBytes) };
  }

  /** Begins a file if the value is one. */
  async #examine(): Promise<void> {
    this.#isExamined = true;
    const start = this.#namesFile ? fileStart(this.bytes) : null;
    if (start === null) return;
    const value = this.bytes.slice(start);
    this.#bytes.cut(start);
    this.#file = new Base64File(await this.#openSink());
    await this.#file.add(value);
  }

  get #namesFile(): boolean {
    return FILES.test(LATIN1.decode(this.bytes.subarray(0, FILE_NAME_BYTES)));
  }
}

/** The position of base64 in a line; null for any other value. */
function fileStart(bytes: Uint8Array): number | null {
  if (!isProperty(bytes)) return null;
  const { colon, parameters } = parseHead(bytes);
  if (isBase64(parameters) || parameters.get("VALUE")?.[0]?.toUpperCase() === "BINARY") {
    return colon + 1;
  }
  const data = dataAddress(LATIN1.decode(bytes.subarray(colon + 1)));
  return data === null ? null : colon + 1 + data.start;
}

/** A property of a component. */
export interface CalendarLine {
  /** In upper case. */
  readonly name: string;
  /** As written: text is still escaped. */
  readonly value: string;
  /** Name and parameters, with the colon. */
  readonly head: Uint8Array;
  /** The file that is its value; null for one that is empty or not base64. */
  readonly file?: LineFile | null;
}

const [COLON, SEMICOLON] = [0x3a, 0x3b];

/** The name of a property, in upper case. */
export function nameOf(property: Uint8Array): string {
  let end = 0;
  while (end < MAX_NAME && property[end] !== COLON && property[end] !== SEMICOLON) end++;
  return String.fromCharCode(...property.subarray(0, end)).trim().toUpperCase();
}

/** False for blanks alone. */
export function hasValue(property: Uint8Array): boolean {
  return !isBlankLine(property.subarray(property.indexOf(COLON) + 1));
}

/** Null if the property is not UTF-8. */
export function lineOf(name: string, bytes: Uint8Array): CalendarLine | null {
  const { colon } = parseHead(bytes);
  const value = decodeUtf8(bytes.subarray(colon + 1));
  return value === null ? null : { name, value, head: bytes.slice(0, colon + 1) };
}

/** The first value of the first of some parameters that has one; null without one. */
export function parameterOf({ head }: CalendarLine, ...names: readonly string[]): string | null {
  const { parameters } = parseHead(head);
  const value = names.map((name) => parameters.get(name)?.[0]).find(Boolean);
  return value === undefined ? null : decodeCarets(value);
}

/** RFC 6868. */
function decodeCarets(value: string): string {
  return value.replaceAll(/\^[n'^]/g, (found) => CARETS.get(found) ?? found);
}

const CARETS: ReadonlyMap<string, string> = new Map([["^n", "\n"], ["^'", '"'], ["^^", "^"]]);

/** Names of a component or calendar. */
const MAX_NAMES = 1_000;

/** Distinct names of properties whose values are not read; further ones are left out. */
export class PropertyNames {
  readonly #names = new Set<string>();

  get names(): ReadonlySet<string> {
    return this.#names;
  }

  /** False for a known name, and for one that is left out. */
  add(name: string): boolean {
    if (this.#names.size === MAX_NAMES || this.#names.has(name)) return false;
    this.#names.add(name);
    return true;
  }
}
