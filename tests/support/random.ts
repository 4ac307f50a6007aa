/** Random values that a seed reproduces, for property and fuzz tests. */

const ULID_ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Several scripts, a combining mark, surrogate pairs, punctuation. */
const TEXT_ALPHABET = [
  ..."abcdefghijklmnop XYZ019 äßéñç łđ αβγ жщ 漢字 カナ עב 🙂🚀𝒳 ́'\"\\<>&%$;-_/.,!?",
];

export interface Random {
  /** Returns a number from 0 to less than 1. */
  next(): number;
  /** Both bounds are included. */
  integer(minimum: number, maximum: number): number;
  chance(probability: number): boolean;
  pick<T>(values: readonly T[]): T;
  /** Returns a text without control characters; lengths are in code points. Blank only if empty. */
  text(minimumLength: number, maximumLength: number): string;
  ulid(): string;
}

export function seededRandom(seed: number): Random {
  const next = mulberry32(seed);
  const integer = (minimum: number, maximum: number) =>
    minimum + Math.floor(next() * (maximum - minimum + 1));
  const pick = <T>(values: readonly T[]): T => {
    if (values.length === 0) throw new RangeError("There is nothing to pick from");
    return values[integer(0, values.length - 1)] as T;
  };
  const characters = (count: number, alphabet: readonly string[]) =>
    Array.from({ length: count }, () => pick(alphabet)).join("");
  return {
    next,
    integer,
    chance: (probability) => next() < probability,
    pick,
    text: (minimumLength, maximumLength) => {
      const length = integer(minimumLength, maximumLength);
      return length < 2
        ? "x".repeat(length)
        : `a${characters(length - 2, TEXT_ALPHABET)}${pick(["z", "Z"])}`;
    },
    ulid: () => characters(1, [..."01234567"]) + characters(25, [...ULID_ALPHABET]),
  };
}

/** 32 bits of state are enough for tests. */
function mulberry32(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
