/** Joins the lines of a card: folded ones, soft line breaks, and lines that are not properties. */

import { GrowingBytes } from "../../core/growing_bytes.ts";
import { beginsWithName, hasBase64, parseHead } from "./vcard_heads.ts";

const LATIN1 = new TextDecoder("latin1");
const LINE_FEED = 0x0a;
const COLON = 0x3a;
const EQUALS = 0x3d;
const ESCAPED_LINE_FEED = new TextEncoder().encode("\\n");
/** Properties whose values end lines as they stand. */
const TEXTS = ["FN", "N", "ORG", "TITLE", "ROLE", "NICKNAME", "NOTE", "ADR", "LABEL"];

/** A line joined with its continuation lines. Its memory is borrowed until the next line. */
export interface UnfoldedLine {
  readonly bytes: Uint8Array;
  /** Its position in the card. */
  readonly start: number;
  readonly isProperty: boolean;
  /** True if it continues in a line that is not a property. */
  readonly hasStray: boolean;
  /** Positions at which a blank after a soft line break was left out. */
  readonly blanks: readonly number[];
}

/**
 * Joins lines continued by white space, by `=` in quoted-printable, or by a line that is not a
 * property; leaves out blank ones.
 *
 * @param keepsSpace True for 2.1, where the white space belongs to the value.
 */
export function* unfold(lines: Uint8Array, keepsSpace: boolean): Generator<UnfoldedLine> {
  const line = new OpenLine(keepsSpace);
  for (let at = 0; at < lines.length;) {
    const end = lines.indexOf(LINE_FEED, at);
    const part = lines.subarray(at, end);
    const isProperty = beginsProperty(lines, at, end);
    if (!line.add(part, isProperty)) {
      if (!line.isBlank) yield line;
      line.begin(part, at, isProperty);
    }
    at = end + 1;
  }
  if (!line.isBlank) yield line;
}

/** True for the beginning of a property, whose parameters may be folded. */
function beginsProperty(lines: Uint8Array, start: number, firstEnd: number): boolean {
  if (!beginsWithName(lines.subarray(start, firstEnd))) return false;
  let end = firstEnd;
  while (isBlankByte(lines[end + 1])) end = lines.indexOf(LINE_FEED, end + 1);
  return lines.subarray(start, end).includes(COLON);
}

class OpenLine implements UnfoldedLine {
  start = -1;
  isProperty = false;
  hasStray = false;
  blanks: number[] = [];
  readonly #keepsSpace: boolean;
  readonly #joined = new GrowingBytes(256);
  #isQuotedPrintable = false;
  #isSoft = false;
  /** Separator before a line that is not a property; null if that line does not belong here. */
  #separator: Uint8Array | null = null;

  constructor(keepsSpace: boolean) {
    this.#keepsSpace = keepsSpace;
  }

  get bytes(): Uint8Array {
    return this.#joined.view;
  }

  get isBlank(): boolean {
    return this.bytes.every(isBlankByte);
  }

  begin(part: Uint8Array, start: number, isProperty: boolean): void {
    this.#joined.cut(0);
    this.#joined.add(part);
    [this.start, this.isProperty, this.hasStray] = [start, isProperty, false];
    [this.blanks, this.#separator] = [[], null];
    this.#isQuotedPrintable = isQuotedPrintable(part);
    this.#endPart(part);
  }

  /** False for the beginning of another line. */
  add(part: Uint8Array, isProperty: boolean): boolean {
    if (this.#isSoft) this.#addSoft(part);
    else if (part.length === 0) return true;
    else if (this.start === -1) return false;
    else if (isBlankByte(part[0])) this.#joined.add(this.#keepsSpace ? part : part.subarray(1));
    else if (isProperty || !this.#addStray(part)) return false;
    this.#endPart(part);
    return true;
  }

  #addSoft(part: Uint8Array): void {
    this.#joined.cut(this.#joined.length - 1);
    const isFolded = /^[ \t]=[0-9A-Fa-f]{2}/.test(LATIN1.decode(part.subarray(0, 4)));
    if (isFolded) this.blanks.push(this.#joined.length);
    this.#joined.add(isFolded ? part.subarray(1) : part);
  }

  #addStray(part: Uint8Array): boolean {
    this.#separator ??= this.#separatorBefore(part);
    if (this.#separator === null) return false;
    this.#joined.add(this.#separator);
    this.#joined.add(part);
    this.hasStray = true;
    return true;
  }

  #separatorBefore(part: Uint8Array): Uint8Array | null {
    if (!this.isProperty) return null;
    if (TEXTS.includes(parseHead(this.bytes).name)) return ESCAPED_LINE_FEED;
    const joined = new GrowingBytes(this.bytes.length + part.length);
    joined.add(this.bytes);
    joined.add(part);
    return hasBase64(joined.view) ? new Uint8Array() : null;
  }

  #endPart(part: Uint8Array): void {
    this.#isSoft = this.#isQuotedPrintable && part.at(-1) === EQUALS;
  }
}

function isBlankByte(byte?: number): boolean {
  return byte === 0x20 || byte === 0x09;
}

function isQuotedPrintable(line: Uint8Array): boolean {
  const head = LATIN1.decode(line.subarray(0, 512));
  return /^[^:]*;\s*(?:ENCODING\s*=\s*"?)?QUOTED-PRINTABLE[\s"]*[;:]/i.test(head);
}
