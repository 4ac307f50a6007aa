/** The places of a timeline, held in about 250 bytes each until all visits are known. */

import { sha256Hex } from "../../../core/digest.ts";
import { DigestNumbers } from "../../digest_counts.ts";
import type { ReadingBudget } from "../../reading_budget.ts";
import { refuseFile } from "../../refusal.ts";
import type { Moment, Point } from "./timeline_values.ts";
import type { PlaceType, Visit } from "./timeline_visits.ts";

const MAX_PLACES = 200_000;

/** A place. Its name, address, coordinates and type are those that the file states first. */
export interface VisitedPlace {
  readonly key: string;
  readonly name: string | null;
  /** Its lines. */
  readonly address: string | null;
  readonly point: Point | null;
  readonly type: PlaceType;
  /** The earliest start. */
  readonly first: Moment;
  /** The latest end; null if no visit has one. */
  readonly last: Moment | null;
  readonly visits: number;
  /** True if the end of a visit was left out. */
  readonly hasBadEnd: boolean;
}

type Words = Pick<VisitedPlace, "key" | "name" | "address">;

const TYPES: readonly PlaceType[] = ["OTHER", "HOME", "WORK"];

/** The numbers of a row; NaN for none. */
const COLUMNS = [
  "firstTime",
  "firstOffset",
  "lastTime",
  "lastOffset",
  "visits",
  "latitude",
  "longitude",
  "type",
  "hasBadEnd",
  "textStart",
  "textEnd",
] as const;

type Row = Record<(typeof COLUMNS)[number], number>;

const NEW_ROW: Row = {
  firstTime: Infinity,
  firstOffset: NaN,
  lastTime: -Infinity,
  lastOffset: NaN,
  visits: 0,
  latitude: NaN,
  longitude: NaN,
  type: 0,
  hasBadEnd: 0,
  textStart: 0,
  textEnd: 0,
};

export class PlaceTable {
  readonly #numbers: DigestNumbers;
  readonly #rows: HeldRows;
  readonly #texts: HeldTexts;

  constructor(budget: ReadingBudget) {
    this.#numbers = new DigestNumbers(budget);
    this.#rows = new HeldRows(budget);
    this.#texts = new HeldTexts(budget);
  }

  get size(): number {
    return this.#numbers.size;
  }

  /**
   * @param place For a refusal.
   * @throws FileRefusal `import.items` beyond 200,000 places.
   */
  add(visit: Visit, place: number): void {
    const number = this.#numberOf(visit.key, place);
    if (number > MAX_PLACES) refuseFile("import.items", place);
    const row = this.#rows.get(number) ?? NEW_ROW;
    const { start, end, point } = visit;
    const isFirst = start.time < row.firstTime;
    const isLast = end !== null && end.time > row.lastTime;
    const isNew = row.visits === 0;
    this.#rows.set(number, {
      ...row,
      ...isFirst && { firstTime: start.time, firstOffset: start.offset ?? NaN },
      ...isLast && { lastTime: end.time, lastOffset: end.offset ?? NaN },
      ...Number.isNaN(row.latitude) && point !== null && point,
      ...row.type === 0 && { type: TYPES.indexOf(visit.type) },
      ...visit.hasBadEnd && { hasBadEnd: 1 },
      ...this.#textOf(visit, isNew ? null : row, place),
      visits: row.visits + 1,
    }, place);
  }

  /** The place of a key that was added. @param place For a refusal. */
  get(key: string, place: number): VisitedPlace {
    return this.#placeAt(this.#numberOf(key, place));
  }

  /** In the order of their first visits in the file. */
  *[Symbol.iterator](): Generator<VisitedPlace> {
    for (let number = 1; number <= this.size; number++) yield this.#placeAt(number);
  }

  #numberOf(key: string, place: number): number {
    return this.#numbers.numberOf(sha256Hex(key), place);
  }

  /** The position of the texts of a row, which are stored again if the visit adds one. */
  #textOf({ key, name, address }: Visit, row: Row | null, place: number) {
    const held = row === null ? { key, name: null, address: null } : this.#wordsOf(row);
    const isKnown = (name === null || held.name !== null) &&
      (address === null || held.address !== null);
    if (row !== null && isKnown) return {};
    const words = { key, name: held.name ?? name, address: held.address ?? address };
    const [textStart, textEnd] = this.#texts.add(JSON.stringify(words), place);
    return { textStart, textEnd };
  }

  #wordsOf({ textStart, textEnd }: Row): Words {
    return JSON.parse(this.#texts.get(textStart, textEnd));
  }

  #placeAt(number: number): VisitedPlace {
    const row = this.#rows.get(number);
    if (row === null) throw new RangeError("No such place");
    const { latitude, longitude, visits } = row;
    return {
      ...this.#wordsOf(row),
      point: Number.isNaN(latitude) ? null : { latitude, longitude },
      type: TYPES[row.type] ?? "OTHER",
      first: momentOf(row.firstTime, row.firstOffset),
      last: row.lastTime === -Infinity ? null : momentOf(row.lastTime, row.lastOffset),
      visits,
      hasBadEnd: row.hasBadEnd === 1,
    };
  }
}

function momentOf(time: number, offset: number): Moment {
  return { time, offset: Number.isNaN(offset) ? null : offset };
}

const PAGE_ROWS = 256;

/** Rows of numbers, from 1, in pages. */
class HeldRows {
  readonly #budget: ReadingBudget;
  readonly #pages: Float64Array[] = [];

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
  }

  /** Null for a row that was not set. */
  get(number: number): Row | null {
    const { page, at } = this.#find(number);
    // A row that was set has a text.
    if (page === undefined || page[at + COLUMNS.indexOf("textEnd")] === 0) return null;
    const numbers = COLUMNS.map((name, index) => [name, page[at + index]]);
    return Object.fromEntries(numbers);
  }

  set(number: number, row: Row, place: number): void {
    const { page = this.#addPage(place), at } = this.#find(number);
    COLUMNS.forEach((name, index) => page[at + index] = row[name]);
  }

  #find(number: number): { readonly page: Float64Array | undefined; readonly at: number } {
    const index = number - 1;
    const page = this.#pages[Math.floor(index / PAGE_ROWS)];
    return { page, at: index % PAGE_ROWS * COLUMNS.length };
  }

  #addPage(place: number): Float64Array {
    const page = new Float64Array(PAGE_ROWS * COLUMNS.length);
    this.#budget.hold(page.byteLength, place);
    this.#pages.push(page);
    return page;
  }
}

const ENCODER = new TextEncoder();
const DECODER = new TextDecoder();
const FIRST_BYTES = 64 * 1024;

/** Texts one after the other in one piece of memory. */
class HeldTexts {
  readonly #budget: ReadingBudget;
  #bytes = new Uint8Array();
  #length = 0;

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
  }

  /** @returns Its start and its end. */
  add(text: string, place: number): readonly [number, number] {
    const bytes = ENCODER.encode(text);
    const start = this.#length;
    const end = start + bytes.length;
    if (end > this.#bytes.length) this.#grow(end, place);
    this.#bytes.set(bytes, start);
    this.#length = end;
    return [start, end];
  }

  get(start: number, end: number): string {
    return DECODER.decode(this.#bytes.subarray(start, end));
  }

  #grow(needed: number, place: number): void {
    const longer = Math.max(needed, FIRST_BYTES, 2 * this.#bytes.length);
    this.#budget.hold(longer, place);
    const bytes = new Uint8Array(longer);
    bytes.set(this.#bytes.subarray(0, this.#length));
    this.#budget.release(this.#bytes.length);
    this.#bytes = bytes;
  }
}
