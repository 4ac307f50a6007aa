/**
 * Finds values that occur again among millions, in two passes over a file. The first pass has a bit
 * for each digest, so that only the digests of equal bits stay in memory for the second.
 */

import type { ReadingBudget } from "../../reading_budget.ts";
import type { HealthValue } from "./health_values.ts";

/** Bytes of a file for each bit: a value has about 350. */
const BYTES_PER_BIT = 16;
const MIN_BITS = 2 ** 10;
const MAX_BITS = 2 ** 29;
const FIRST_SLOTS = 8;
/** The bit of a slot whose digest the second pass has met. */
const MET = 2 ** 31;

export class RepeatedValues {
  readonly #budget: ReadingBudget;
  /** Bits of the first pass. */
  #bits: Uint32Array;
  /** Pairs of words; free slots are 0. */
  #slots = new Uint32Array();
  #size = 0;
  /** The two words of a digest; the first has 31 bits. */
  #first = 0;
  #second = 0;

  /** @param fileBytes The size of the file when it is unpacked. */
  constructor(fileBytes: number, budget: ReadingBudget) {
    this.#budget = budget;
    const wanted = 2 ** Math.ceil(Math.log2(Math.max(1, fileBytes / BYTES_PER_BIT)));
    const bits = Math.min(MAX_BITS, Math.max(MIN_BITS, wanted));
    this.#budget.hold(bits / 8, 0);
    this.#bits = new Uint32Array(bits / 32);
  }

  /** Counts a value of the first pass. Returns a number that differs for different values. */
  note(value: HealthValue): number {
    this.#setDigest(value);
    const bit = this.#second & (this.#bits.length * 32 - 1);
    const [at, mask] = [bit >>> 5, 1 << (bit & 31)];
    const word = this.#bits[at] ?? 0;
    if ((word & mask) === 0) this.#bits[at] = word | mask;
    else this.#add();
    return this.#first * 2 ** 22 + (this.#second >>> 10);
  }

  /** Ends the first pass. */
  endFirst(): void {
    this.#budget.release(this.#bits.byteLength);
    this.#bits = new Uint32Array();
  }

  /** True if the second pass has met an equal value before. */
  isRepeated(value: HealthValue): boolean {
    if (this.#size === 0) return false;
    this.#setDigest(value);
    const at = this.#find(this.#slots, this.#first, this.#second);
    const word = this.#slots[at] ?? 0;
    if (word === 0) return false;
    this.#slots[at] = word | MET;
    return word >= MET;
  }

  #setDigest({ type, source, start, end, written }: HealthValue): void {
    this.#first = 0x2f0b4a27;
    this.#second = 0x51c3e9d5;
    this.#mixText(type);
    this.#mixText(source);
    this.#mixTime(start);
    this.#mixTime(end);
    this.#mixText(written);
    // Never 0, which is a free slot.
    this.#first = (finish(this.#first) >>> 1) | 1;
    this.#second = finish(this.#second ^ this.#first) >>> 0;
  }

  #mixText(text: string): void {
    for (let at = 0; at < text.length; at++) this.#mix(text.charCodeAt(at));
    this.#mix(0x10000 + text.length);
  }

  #mixTime(time: number): void {
    this.#mix(time % 2 ** 32 | 0);
    this.#mix(Math.floor(time / 2 ** 32) | 0);
  }

  /** Two hashes of the form of FNV-1a, with rotations. */
  #mix(word: number): void {
    const first = Math.imul(this.#first ^ word, 0x01000193);
    this.#first = first << 13 | first >>> 19;
    const second = Math.imul(this.#second + word, 0x85ebca6b);
    this.#second = second << 15 | second >>> 17;
  }

  #add(): void {
    if (this.#size * 8 >= this.#slots.length * 3) this.#grow();
    const at = this.#find(this.#slots, this.#first, this.#second);
    if (this.#slots[at] !== 0) return;
    this.#slots[at] = this.#first;
    this.#slots[at + 1] = this.#second;
    this.#size++;
  }

  #grow(): void {
    const old = this.#slots;
    const length = Math.max(FIRST_SLOTS * 2, old.length * 2);
    this.#budget.hold(length * Uint32Array.BYTES_PER_ELEMENT, 0);
    const slots = new Uint32Array(length);
    for (let at = 0; at < old.length; at += 2) {
      const [first = 0, second = 0] = [old[at], old[at + 1]];
      if (first !== 0) slots.set([first, second], this.#find(slots, first, second));
    }
    this.#slots = slots;
    this.#budget.release(old.byteLength);
  }

  /** The position of a digest, or of the free slot for it. */
  #find(slots: Uint32Array, first: number, second: number): number {
    const last = slots.length - 1;
    let at = Math.imul(first ^ second, 0x9e3779b1) >>> 0 & last & ~1;
    for (;;) {
      const word = slots[at] ?? 0;
      if (word === 0 || ((word & ~MET) === first && slots[at + 1] === second)) return at;
      at = (at + 2) & last;
    }
  }
}

/** Spreads the bits of a hash (the end of MurmurHash3). */
function finish(hash: number): number {
  const one = Math.imul(hash ^ hash >>> 16, 0x85ebca6b);
  const two = Math.imul(one ^ one >>> 13, 0xc2b2ae35);
  return two ^ two >>> 16;
}
