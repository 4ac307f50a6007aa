/** Joins the lines of a card: folded ones, soft line breaks, and lines that are not properties. */

import { GrowingBytes } from "../../core/growing_bytes.ts";
import { hasBase64, isProperty, parseHead } from "./vcard_heads.ts";

const LATIN1 = new TextDecoder("latin1");
const LINE_FEED = 0x0a;
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
    if (!line.add(part)) {
      if (!line.isBlank) yield line;
      line.begin(part, at);
    }
    at = end + 1;
  }
  if (!line.isBlank) yield line;
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

  begin(part: Uint8Array, start: number): void {
    this.#joined.cut(0);
    this.#joined.add(part);
    [this.start, this.isProperty, this.hasStray] = [start, isProperty(part), false];
    [this.blanks, this.#separator] = [[], null];
    this.#isQuotedPrintable = isQuotedPrintable(part);
    this.#endPart(part);
  }

  /** False for the beginning of another line. */
  add(part: Uint8Array): boolean {
    if (this.#isSoft) this.#addSoft(part);
    else if (part.length === 0) return true;
    else if (this.start === -1) return false;
    else if (isBlankByte(part[0])) this.#joined.add(this.#keepsSpace ? part : part.subarray(1));
    else if (isProperty(part) || !this.#addStray(part)) return false;
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
