/** Splits vCard files into cards. Pictures are stored while they are read: a card stays small. */

import { GrowingBytes } from "../../core/growing_bytes.ts";
import { splitLongLines } from "../../core/lines.ts";
import { MAX_OTHER_BYTES } from "../../families/relationship/import_port.ts";
import { refuseFile } from "../refusal.ts";
import { Base64Decoder } from "./base64.ts";
import type { ConverterInput, FileSink } from "./converter.ts";
import { PARSED_LIMITS } from "./json_walk.ts";
import {
  type CardLines,
  type InlinePicture,
  inlinePicture,
  type StoredPicture,
} from "./vcard_lines.ts";

/** Bytes of a line that is read whole. A longer value is a picture, or too long for a detail. */
const LINE_BYTES = 2 * MAX_OTHER_BYTES;
/** Bytes in memory of a parsed line, in addition to its characters. */
const LINE_COST = 64;
/** Bytes in memory of an open card, in addition to its lines. */
const CARD_COST = 1024;
const FIRST_BYTES = 256;

export interface RawCard extends CardLines {
  readonly rule: "vcard.end" | "vcard.nested" | "import.item_size" | null;
}

export type CardInput = Pick<ConverterInput, "budget" | "openFile">;

/**
 * Splits a file into cards. A card inside another one is nested if the outer one continues after
 * it; otherwise the outer one has no end.
 *
 * @throws FileRefusal `import.format` if the file does not begin with a card.
 */
export async function* splitCards(
  chunks: AsyncIterable<Uint8Array>,
  input: CardInput,
  outside: () => void,
): AsyncGenerator<RawCard> {
  const cards = new NestedCards();
  let [hasBegun, number] = [false, 0];
  for await (const part of splitLongLines(chunks, LINE_BYTES)) {
    const { isFirst, isLast } = part;
    if (isFirst) number++;
    const line = trimLine(part.bytes, isFirst && number === 1, isLast);
    const word = isFirst ? boundaryOf(line) : null;
    if (!hasBegun) {
      if (word === "BLANK") continue;
      if (word !== "BEGIN") refuseFile("import.format", number);
      hasBegun = true;
    }
    if (cards.hasClosed && word !== "BLANK") yield* cards.settle(word === "BEGIN");
    const card = cards.innermost;
    if (word === "BEGIN" || word === "END") await card?.endPicture();
    if (word === "BEGIN") cards.begin(new OpenCard(input, number));
    else if (card === undefined) {
      if (isFirst && word !== "BLANK") outside();
    } else if (word === "END") yield* cards.endInnermost();
    else {
      const storing = card.add(line, isFirst, isLast, number);
      if (storing !== null) await storing;
    }
  }
  if (!hasBegun) refuseFile("import.format", 1);
  await cards.innermost?.endPicture();
  yield* cards.endAll();
}

/** The open cards, and an inner one whose END was read. */
class NestedCards {
  readonly #open: OpenCard[] = [];
  #closed: OpenCard | null = null;

  get innermost(): OpenCard | undefined {
    return this.#open.at(-1);
  }

  get hasClosed(): boolean {
    return this.#closed !== null;
  }

  begin(card: OpenCard): void {
    this.#open.push(card);
  }

  /** Ends a card without outer ones. For an inner card the next line decides, in `settle`. */
  *endInnermost(): Generator<RawCard> {
    if (this.#open.length > 1) this.#closed = this.#open.pop() ?? null;
    else for (const card of this.#open.splice(0)) yield card.end(null);
  }

  /** Ends the closed card. Unless another card begins now, the outer one continues around it. */
  *settle(isBegin: boolean): Generator<RawCard> {
    if (isBegin) return yield* this.endAll();
    if (this.innermost !== undefined) this.innermost.isNested = true;
    this.#closed?.end(null);
    this.#closed = null;
  }

  /** Open cards have no end. */
  *endAll(): Generator<RawCard> {
    for (const card of this.#open.splice(0)) yield card.end("vcard.end");
    if (this.#closed !== null) yield this.#closed.end(null);
    this.#closed = null;
  }
}

/** @throws FileRefusal `import.format` if the file does not begin with a card. */
export async function assertCards(chunks: AsyncIterable<Uint8Array>): Promise<void> {
  let number = 0;
  for await (const { bytes, isFirst, isLast } of splitLongLines(chunks, LINE_BYTES)) {
    number++;
    const word = isFirst ? boundaryOf(trimLine(bytes, number === 1, isLast)) : null;
    if (word === "BEGIN") return;
    if (word !== "BLANK") refuseFile("import.format", number);
  }
  refuseFile("import.format", 1);
}

class OpenCard {
  isNested = false;
  readonly #input: CardInput;
  readonly #pictures = new Map<number, StoredPicture | null>();
  #lines = new GrowingBytes(FIRST_BYTES);
  #count = 0;
  #held = 0;
  #isTooLarge = false;
  /** The position of the current line, which may be folded. */
  #lineStart = 0;
  /** True if the current line was examined for a picture. */
  #isExamined = false;
  #picture: OpenPicture | null = null;

  constructor(input: CardInput, place: number) {
    this.#input = input;
    this.#hold(CARD_COST, place);
  }

  /** Adds a line, or a part of one. Wait for the result unless it is null. */
  add(line: Uint8Array, isFirst: boolean, isLast: boolean, place: number): Promise<void> | null {
    const isFolded = line[0] === 0x20 || line[0] === 0x09;
    const begins = isFirst && !isFolded && line.length > 0;
    if (this.#picture !== null) {
      if (!begins) return this.#picture.add(line);
      return this.endPicture().then(() => this.add(line, isFirst, isLast, place) ?? undefined);
    }
    if (this.#isTooLarge) return null;
    if (begins) [this.#lineStart, this.#isExamined] = [this.#lines.length, false];
    this.#lines.add(line);
    if (isLast) {
      this.#lines.add(LINE_FEED);
      this.#count++;
    }
    // A growing buffer is up to twice as large as its content.
    this.#hold(2 * line.length, place);
    if (!this.#isExamined && this.#lines.length - this.#lineStart > MAX_OTHER_BYTES) {
      this.#isExamined = true;
      const picture = inlinePicture(this.#lines.view.subarray(this.#lineStart));
      if (picture !== null) return this.#beginPicture(picture);
    }
    if (this.#lines.length + this.#count * LINE_COST > PARSED_LIMITS.bytes) this.#drop();
    return null;
  }

  async endPicture(): Promise<void> {
    if (this.#picture === null) return;
    this.#pictures.set(this.#lineStart, await this.#picture.end());
    this.#picture = null;
  }

  /** Ends the card. Call it once. */
  end(rule: "vcard.end" | null): RawCard {
    this.#input.budget.release(this.#held);
    const lines = this.#lines.view;
    const pictures = this.#pictures;
    if (this.#isTooLarge) return { lines, pictures, rule: "import.item_size" };
    return { lines, pictures, rule: rule ?? (this.isNested ? "vcard.nested" : null) };
  }

  #hold(bytes: number, place: number): void {
    this.#held += bytes;
    this.#input.budget.hold(bytes, place);
  }

  /** Discards all lines, also those that follow. */
  #drop(): void {
    this.#isTooLarge = true;
    this.#lines = new GrowingBytes(0);
    this.#input.budget.release(this.#held - CARD_COST);
    this.#held = CARD_COST;
  }

  async #beginPicture({ valueStart, stated }: InlinePicture): Promise<void> {
    const start = this.#lineStart + valueStart;
    const value = this.#lines.view.slice(start);
    this.#lines.cut(start);
    this.#lines.add(LINE_FEED);
    this.#picture = new OpenPicture(await this.#input.openFile(), stated);
    await this.#picture.add(value);
  }
}

const LINE_FEED = Uint8Array.of(0x0a);
const MAGIC_BYTES = 4;
/** Bytes of base64 that are decoded at once. */
const DECODED_BYTES = 64 * 1024;

class OpenPicture {
  readonly #sink: FileSink;
  readonly #stated: string;
  readonly #decoder = new Base64Decoder();
  readonly #text = new GrowingBytes(DECODED_BYTES);
  #firstBytes: Uint8Array = new Uint8Array();

  constructor(sink: FileSink, stated: string) {
    this.#sink = sink;
    this.#stated = stated;
  }

  /** Adds a part of the value. Wait for the result unless it is null. */
  add(text: Uint8Array): Promise<void> | null {
    this.#text.add(text);
    return this.#text.length < DECODED_BYTES ? null : this.#write();
  }

  async #write(): Promise<void> {
    const bytes = this.#decoder.decode(this.#text.view);
    this.#text.cut(0);
    if (this.#firstBytes.length < MAGIC_BYTES) this.#firstBytes = bytes.slice(0, MAGIC_BYTES);
    await this.#sink.write(bytes);
  }

  /** Null if the value is not base64. */
  async end(): Promise<StoredPicture | null> {
    await this.#write();
    if (!this.#decoder.isWhole) return null;
    return { ...await this.#sink.end(), stated: this.#stated, firstBytes: this.#firstBytes };
  }
}

/** Removes carriage returns (some transports double them) and the file's byte order mark. */
function trimLine(bytes: Uint8Array, hasMark: boolean, isLast: boolean): Uint8Array {
  const isMarked = hasMark && bytes[0] === 0xef && bytes[1] === 0xbb && bytes[2] === 0xbf;
  let end = bytes.length;
  while (isLast && bytes[end - 1] === 0x0d) end--;
  return bytes.subarray(isMarked ? 3 : 0, end);
}

const LATIN1 = new TextDecoder("latin1");
const SPACE = 0x20;
const DELETE = 0x7f;
/** B and E in both cases. */
const BOUNDARY_STARTS = [0x42, 0x45, 0x62, 0x65];
/** Longer than `BEGIN:VCARD`. */
const BOUNDARY_BYTES = 32;

function boundaryOf(line: Uint8Array): "BEGIN" | "END" | "BLANK" | null {
  if (line.length > BOUNDARY_BYTES) {
    return line.every((byte) => byte === 0x20 || byte === 0x09) ? "BLANK" : null;
  }
  const first = line[0] ?? SPACE;
  if (first > SPACE && first < DELETE && !BOUNDARY_STARTS.includes(first)) return null;
  const text = LATIN1.decode(line);
  if (text.trim() === "") return "BLANK";
  const [, word] = /^(BEGIN|END)\s*:\s*VCARD\s*$/i.exec(text) ?? [];
  return word === undefined ? null : word.toUpperCase() as "BEGIN" | "END";
}
