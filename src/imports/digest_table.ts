import type { ReadingBudget } from "./reading_budget.ts";

/** Half a SHA-256, and its number. */
const SLOT_WORDS = 5;
const FIRST_SLOTS = 8;
/** Hex digits of a word. */
const WORD_DIGITS = 8;

/**
 * Numbers of 32 bits by digests, in about 40 bytes each: a map of texts would take ten times as
 * much.
 */
export class DigestTable {
  readonly #budget: ReadingBudget;
  /** The digest that is changed or looked up. */
  readonly #words = new Uint32Array(SLOT_WORDS - 1);
  #slots = new Uint32Array();
  #size = 0;

  constructor(budget: ReadingBudget) {
    this.#budget = budget;
  }

  /** The number of different digests. */
  get size(): number {
    return this.#size;
  }

  /** @param digest In hex. */
  has(digest: string): boolean {
    return this.#size > 0 && this.#slots[this.#find(digest) + SLOT_WORDS - 1] !== 0;
  }

  /**
   * Sets the number of a digest.
   *
   * @param digest In hex.
   * @param place The line or item, for a refusal by the budget.
   * @param next Returns the new number, at least 1, from the present one, which is 0 at first.
   */
  change(digest: string, place: number, next: (present: number) => number): number {
    if (this.#size * 4 >= this.#slots.length / SLOT_WORDS * 3) this.#grow(place);
    const at = this.#find(digest);
    const present = this.#slots[at + SLOT_WORDS - 1] ?? 0;
    const number = next(present);
    if (present === 0) this.#size++;
    this.#slots.set(this.#words, at);
    this.#slots[at + SLOT_WORDS - 1] = number;
    return number;
  }

  /** The position of a digest, or of the free slot for it. */
  #find(digest: string): number {
    const words = this.#words;
    for (let index = 0; index < words.length; index++) {
      words[index] = parseInt(digest.slice(index * WORD_DIGITS, (index + 1) * WORD_DIGITS), 16);
    }
    return find(this.#slots, words);
  }

  release(): void {
    this.#budget.release(this.#slots.byteLength);
    [this.#slots, this.#size] = [new Uint32Array(), 0];
  }

  #grow(place: number): void {
    const old = this.#slots;
    const length = Math.max(FIRST_SLOTS * SLOT_WORDS, old.length * 2);
    this.#budget.hold(length * Uint32Array.BYTES_PER_ELEMENT, place);
    this.#slots = new Uint32Array(length);
    for (let at = 0; at < old.length; at += SLOT_WORDS) {
      const slot = old.subarray(at, at + SLOT_WORDS);
      if (slot[SLOT_WORDS - 1] !== 0) this.#slots.set(slot, find(this.#slots, slot));
    }
    this.#budget.release(old.byteLength);
  }
}

function find(slots: Uint32Array, words: Uint32Array): number {
  let at = (words[0] ?? 0) % (slots.length / SLOT_WORDS) * SLOT_WORDS;
  while (slots[at + SLOT_WORDS - 1] !== 0 && !isEqualAt(slots, at, words)) {
    at = (at + SLOT_WORDS) % slots.length;
  }
  return at;
}

function isEqualAt(slots: Uint32Array, at: number, words: Uint32Array): boolean {
  return words[0] === slots[at] && words[1] === slots[at + 1] && words[2] === slots[at + 2] &&
    words[3] === slots[at + 3];
}
