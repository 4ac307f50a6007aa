/** Random numbers of simulation algorithm 1: the same seed always gives the same numbers. */

/** The generator's four words; not all 0. */
type GeneratorState = readonly [number, number, number, number];

const GOLDEN_GAMMA = 0x9e3779b97f4a7c15n;

/** xoshiro128** 1.1 (Blackman, Vigna). */
export class RandomNumbers {
  #a: number;
  #b: number;
  #c: number;
  #d: number;

  constructor([a, b, c, d]: GeneratorState) {
    this.#a = a | 0;
    this.#b = b | 0;
    this.#c = c | 0;
    this.#d = d | 0;
  }

  /** The next number, 0 to 2³² − 1. The state is in signed words: the same bits, and faster. */
  next(): number {
    const product = Math.imul(this.#b, 5);
    const result = Math.imul((product << 7) | (product >>> 25), 9);
    const shifted = this.#b << 9;
    this.#c ^= this.#a;
    this.#d ^= this.#b;
    this.#b ^= this.#c;
    this.#a ^= this.#d;
    this.#c ^= shifted;
    this.#d = (this.#d << 11) | (this.#d >>> 21);
    return result >>> 0;
  }
}

/**
 * State for a seed: two outputs of SplitMix64, of each the low half, then the high half.
 *
 * @param seed A whole number, 0 to 2⁵³ − 1.
 */
export function stateOfSeed(seed: number): GeneratorState {
  const first = splitMix64(BigInt(seed) + GOLDEN_GAMMA);
  const second = splitMix64(BigInt(seed) + 2n * GOLDEN_GAMMA);
  return [lowWord(first), lowWord(first >> 32n), lowWord(second), lowWord(second >> 32n)];
}

function splitMix64(counter: bigint): bigint {
  let mixed = BigInt.asUintN(64, counter);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 30n)) * 0xbf58476d1ce4e5b9n);
  mixed = BigInt.asUintN(64, (mixed ^ (mixed >> 27n)) * 0x94d049bb133111ebn);
  return mixed ^ (mixed >> 31n);
}

function lowWord(value: bigint): number {
  return Number(BigInt.asUintN(32, value));
}
