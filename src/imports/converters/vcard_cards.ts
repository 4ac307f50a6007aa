/** Splits vCard files into cards. Pictures are stored while they are read: a card stays small. */

import { GrowingBytes } from "../../core/growing_bytes.ts";
import { splitLongLines } from "../../core/lines.ts";
import { isBlank } from "../../validate/text.ts";
import { MAX_OTHER_BYTES } from "../../families/relationship/import_port.ts";
import { refuseFile } from "../refusal.ts";
import { Base64File } from "./base64_file.ts";
import type { ConverterInput } from "./converter.ts";
import { PARSED_LIMITS } from "./json_walk.ts";
import { isBlankLine, trimLine } from "./line_bytes.ts";
import { type ReadBytes, textFormOf, utf8Chunks } from "./lines.ts";
import {
  beginsWithName,
  type InlinePicture,
  inlinePicture,
  isProperty,
  parseHead,
} from "./vcard_heads.ts";
import { type CardLines, MAX_LINE_BYTES, type StoredPicture, UNREAD } from "./vcard_lines.ts";

/** Bytes of a line that is read whole. A longer value is a picture, or too long for a detail. */
const LINE_BYTES = 2 * MAX_OTHER_BYTES;
/** Bytes in memory of a parsed line, in addition to its characters. */
const LINE_COST = 256;
/** Bytes in memory of an open card, in addition to its lines. */
const CARD_COST = 1024;
const FIRST_BYTES = 256;
/** Cards that wait for an outer one, and their bytes; beyond it the outer ones have no end. */
const MAX_WAITING = 100;
const MAX_WAITING_BYTES = 2 * PARSED_LIMITS.bytes;
/** Names of lines of a card that is too large. */
const MAX_LEFT = 100;

export interface RawCard extends CardLines {
  /** `vcard.end`, `vcard.nested`, `vcard.line` or `import.item_size`. */
  readonly rules: readonly string[];
  /** The cards inside that a line `AGENT` precedes. */
  readonly agents: readonly RawCard[];
  /** Distinct names of the lines that the card is too large for. */
  readonly left: readonly string[];
}

export type CardInput = Pick<ConverterInput, "budget" | "openFile">;

/**
 * Splits a file into cards, in the order of their BEGIN. A card inside another one that has an end
 * is a card of its own; one without an end lasts until the file ends or too many cards wait for it.
 * A file of blank lines has none.
 *
 * @throws FileRefusal `import.format` if the file does not begin with a card.
 */
export async function* splitCards(
  read: ReadBytes,
  input: CardInput,
  outside: () => void,
): AsyncGenerator<RawCard> {
  const { isUtf16, lineEnd } = await textFormOf(read());
  const chunks = isUtf16 ? utf8Chunks(read()) : read();
  const cards = new OpenCards(input, isUtf16);
  let [hasBegun, number] = [false, 0];
  for await (const { bytes, isFirst, isLast } of splitLongLines(chunks, LINE_BYTES, lineEnd)) {
    if (isFirst) number++;
    const line = trimLine(bytes, isFirst, isLast);
    const words = isFirst ? boundariesOf(line) : [];
    const isEmpty = isFirst && isBlankLine(line);
    if (!hasBegun && !isEmpty) {
      if (words[0] !== "BEGIN") refuseFile("import.format", number);
      hasBegun = true;
    }
    for (const word of words) yield* cards.bound(word, number);
    if (words.length > 0) continue;
    const card = cards.innermost;
    if (card === undefined) {
      if (isFirst && !isEmpty) outside();
    } else {
      const storing = card.add(line, isFirst, isLast, number);
      if (storing !== null) await storing;
    }
  }
  await cards.innermost?.endPicture();
  yield* cards.endAll();
}

/** @throws FileRefusal `import.format` if the file does not begin with a card. */
export async function assertCards(read: ReadBytes): Promise<void> {
  const { isUtf16, lineEnd } = await textFormOf(read());
  const chunks = isUtf16 ? utf8Chunks(read()) : read();
  let number = 0;
  for await (const { bytes, isFirst, isLast } of splitLongLines(chunks, LINE_BYTES, lineEnd)) {
    number++;
    const line = trimLine(bytes, isFirst, isLast);
    if (isBlankLine(line)) continue;
    if (boundariesOf(line)[0] === "BEGIN") return;
    refuseFile("import.format", number);
  }
  refuseFile("import.format", 1);
}

class OpenCards {
  readonly #input: CardInput;
  readonly #isUtf16: boolean;
  readonly #open: OpenCard[] = [];
  /** The open cards and those inside that have ended, in the order of their BEGIN. */
  readonly #waiting: OpenCard[] = [];

  constructor(input: CardInput, isUtf16: boolean) {
    this.#input = input;
    this.#isUtf16 = isUtf16;
  }

  get innermost(): OpenCard | undefined {
    return this.#open.at(-1);
  }

  async *bound(word: Boundary, place: number): AsyncGenerator<RawCard> {
    await this.innermost?.endPicture();
    if (word !== "END") {
      if (this.#isFull) yield* this.endAll();
      this.#begin(word === "AGENT", place);
    } else {
      const card = this.#open.pop();
      if (card !== undefined) card.hasEnd = true;
      if (this.#open.length === 0) yield* this.endAll();
    }
  }

  *endAll(): Generator<RawCard> {
    this.#open.length = 0;
    for (const card of this.#waiting.splice(0)) yield card.end();
  }

  get #isFull(): boolean {
    const bytes = this.#waiting.reduce((sum, { held }) => sum + held, 0);
    return this.#waiting.length >= MAX_WAITING || bytes > MAX_WAITING_BYTES;
  }

  #begin(isAgent: boolean, place: number): void {
    const outer = this.innermost;
    const card = new OpenCard(this.#input, this.#isUtf16, place);
    if (isAgent || outer?.endsWithAgent) outer?.agents.push(card);
    else if (outer !== undefined) outer.isNested = true;
    this.#open.push(card);
    this.#waiting.push(card);
  }
}

class OpenCard implements RawCard {
  readonly isUtf16: boolean;
  readonly pictures = new Map<number, StoredPicture | null>();
  readonly agents: OpenCard[] = [];
  hasEnd = false;
  /** True if it contains a card that no line `AGENT` precedes. */
  isNested = false;
  /** Bytes in memory. */
  held = 0;
  readonly #input: CardInput;
  readonly #lines = new GrowingBytes(FIRST_BYTES);
  readonly #left = new Set<string>();
  /** The number of lines that are not folded. */
  #count = 0;
  #isFull = false;
  /** True if a line that is not a property belongs to a large picture. */
  #hasStray = false;
  /** The position of the current line, which may be folded. */
  #lineStart = 0;
  /** True if the current line continues in a line that is not a property. */
  #isStray = false;
  /** True if the current line was examined for a picture. */
  #isExamined = false;
  #picture: Base64File | null = null;
  /** The media type that its line states. */
  #stated = "";

  constructor(input: CardInput, isUtf16: boolean, place: number) {
    this.#input = input;
    this.isUtf16 = isUtf16;
    this.#hold(CARD_COST, place);
  }

  get lines(): Uint8Array {
    return this.#lines.view;
  }

  get left(): readonly string[] {
    return [...this.#left];
  }

  get rules(): readonly string[] {
    return [
      ...(this.hasEnd ? [] : ["vcard.end"]),
      ...(this.hasEnd && this.isNested ? ["vcard.nested"] : []),
      ...(this.#hasStray ? ["vcard.line"] : []),
      ...(this.#left.size > 0 ? ["import.item_size"] : []),
    ];
  }

  /** True if its last line is `AGENT` without a value. */
  get endsWithAgent(): boolean {
    const line = this.#lines.view.subarray(this.#lineStart);
    if (line.length > MAX_OTHER_BYTES || !isProperty(line)) return false;
    const { name, colon } = parseHead(line);
    return name === "AGENT" && isBlank(LATIN1.decode(line.subarray(colon + 1)));
  }

  /** Adds a line, or a part of one. Wait for the result unless it is null. */
  add(line: Uint8Array, isFirst: boolean, isLast: boolean, place: number): Promise<void> | null {
    const isWhole = isFirst && line.length > 0 && line[0] !== 0x20 && line[0] !== 0x09;
    const begins = isWhole && beginsWithName(line);
    if (this.#picture !== null) {
      if (begins) {
        return this.endPicture().then(() => this.add(line, isFirst, isLast, place) ?? undefined);
      }
      this.#hasStray ||= isWhole;
      return this.#picture.add(line);
    }
    if (begins) this.#beginLine();
    this.#isStray ||= isWhole && !begins;
    if (isWhole) {
      const bytes = this.#lines.length + this.#count++ * LINE_COST;
      this.#isFull ||= bytes > PARSED_LIMITS.bytes;
    }
    if (this.#isFull) {
      if (isWhole && this.#left.size < MAX_LEFT) this.#left.add(begins ? nameOf(line) : UNREAD);
      return null;
    }
    this.#addBytes(line, isLast, place);
    if (!this.#isExamined && this.#lineLength > MAX_OTHER_BYTES) {
      this.#isExamined = true;
      const picture = inlinePicture(this.#lines.view.subarray(this.#lineStart));
      if (picture !== null) return this.#beginPicture(picture);
    }
    return null;
  }

  async endPicture(): Promise<void> {
    if (this.#picture === null) return;
    const stored = await this.#picture.end();
    const { firstBytes } = this.#picture;
    const picture = stored === null ? null : { ...stored, stated: this.#stated, firstBytes };
    this.pictures.set(this.#lineStart, picture);
    this.#picture = null;
  }

  /** Call it once. */
  end(): RawCard {
    this.#input.budget.release(this.held);
    return this;
  }

  get #lineLength(): number {
    return this.#lines.length - this.#lineStart;
  }

  #beginLine(): void {
    [this.#lineStart, this.#isStray, this.#isExamined] = [this.#lines.length, false, false];
  }

  /** Leaves out the rest of a line that is too long. */
  #addBytes(line: Uint8Array, isLast: boolean, place: number): void {
    if (this.#lineLength > MAX_LINE_BYTES) {
      this.pictures.set(this.#lineStart, null);
      if (isLast && this.#lines.view.at(-1) !== LINE_FEED[0]) this.#lines.add(LINE_FEED);
      return;
    }
    this.#lines.add(line);
    if (isLast) this.#lines.add(LINE_FEED);
    // A growing buffer is up to twice as large as its content.
    this.#hold(2 * (line.length + 1), place);
  }

  #hold(bytes: number, place: number): void {
    this.held += bytes;
    this.#input.budget.hold(bytes, place);
  }

  async #beginPicture({ valueStart, stated }: InlinePicture): Promise<void> {
    const start = this.#lineStart + valueStart;
    const value = this.#lines.view.slice(start);
    this.#lines.cut(start);
    this.#lines.add(LINE_FEED);
    this.#hasStray ||= this.#isStray;
    this.#stated = stated;
    this.#picture = new Base64File(await this.#input.openFile());
    await this.#picture.add(value);
  }
}

const LINE_FEED = Uint8Array.of(0x0a);
const LATIN1 = new TextDecoder("latin1");

function nameOf(line: Uint8Array): string {
  const text = LATIN1.decode(line.subarray(0, 512));
  const [, name = UNREAD] = /^(?:[A-Za-z0-9-]+\.)?\s*([A-Za-z0-9_-]+)/.exec(text) ?? [];
  return name.toUpperCase();
}

type Boundary = "BEGIN" | "END" | "AGENT";

/** The first letters of boundaries in both cases. */
const BOUNDARY_STARTS: readonly number[] = [..."ABEabe"].map((letter) => letter.charCodeAt(0));
/** Longer than two boundaries with a byte order mark between them. */
const BOUNDARY_BYTES = 64;
const DOT = 0x2e;
const BOUNDARIES =
  /^(?:AGENT\s*:\s*BEGIN|(?:END\s*:\s*VCARD\s*)?(?:\xef\xbb\xbf)?(?:BEGIN|END))\s*:\s*VCARD\s*$/i;

/**
 * The boundaries of a line; none for any other line. Files that were put together may have two in
 * a line, and in 2.1 a card may begin in the line `AGENT`. RFC 2426 allows a group before them.
 */
function boundariesOf(line: Uint8Array): readonly Boundary[] {
  if (line.length > BOUNDARY_BYTES) return [];
  if (!BOUNDARY_STARTS.includes(line[line.indexOf(DOT) + 1] ?? 0)) return [];
  const text = LATIN1.decode(line).replace(/^[\w-]+\./, "");
  if (!BOUNDARIES.test(text)) return [];
  if (/^AGENT/i.test(text)) return ["AGENT"];
  return Array.from(text.matchAll(/BEGIN|END/gi), ([word]) => word.toUpperCase() as Boundary);
}
