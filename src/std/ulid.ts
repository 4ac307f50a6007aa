/**
 * Universally unique, lexicographically sortable identifiers (https://github.com/ulid/spec).
 *
 * Our own implementation of the part of the JSR package `@std/ulid` that this project uses, with
 * the same names, signatures and behaviour, so that `deno.json` may map either to `@std/ulid`.
 *
 * A ULID is 26 characters of Crockford's Base32: 10 for the time in milliseconds, then 16 random.
 *
 * @module
 */

const ENCODING = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const BASE = ENCODING.length;
const TIME_LENGTH = 10;
const RANDOM_LENGTH = 16;
const ULID_LENGTH = TIME_LENGTH + RANDOM_LENGTH;
/** The specification gives the time 48 bits. */
const MAX_TIME = 2 ** 48 - 1;

/**
 * How many identifiers one call to the system's random generator serves. The call costs far more
 * than the rest of {@linkcode ulid}, and filling a kilobyte costs it little more than 16 bytes.
 */
const IDENTIFIERS_PER_DRAW = 64;

/** A buffer of random characters; each is used once. */
const drawn = { characters: "", position: 0 };

/** The last time encoded: identifiers made within one millisecond share their first characters. */
const encoded = { time: -1, characters: "" };

/**
 * Makes a ULID.
 *
 * Two made in the same millisecond are in no particular order.
 *
 * @example
 * ```ts
 * import { ulid } from "@std/ulid";
 *
 * ulid(); // "01HYFKMDF3HVJ4J3JZW8KXPVTY"
 * ulid(150_000); // "0000004JFG3EKDRE04TVVDJW7K"
 * ```
 *
 * @param seedTime The time to encode, in milliseconds since the Unix epoch; by default now.
 * @returns A ULID with cryptographically strong randomness.
 * @throws {RangeError} If the time is not an integer from 0 to 2^48 - 1.
 */
export function ulid(seedTime: number = Date.now()): string {
  return encodeTime(seedTime) + takeRandomCharacters();
}

/**
 * Reads the time a ULID was made for.
 *
 * @example
 * ```ts
 * import { decodeTime, ulid } from "@std/ulid";
 * import { assertEquals } from "@std/assert";
 *
 * assertEquals(decodeTime(ulid(150_000)), 150_000);
 * ```
 *
 * @param ulid The identifier, in upper case.
 * @returns The time in milliseconds since the Unix epoch.
 * @throws {Error} When the identifier is not 26 characters long, or its time part holds a
 * character that is not in the alphabet.
 * @throws {RangeError} When the time is greater than 2^48 - 1.
 */
export function decodeTime(ulid: string): number {
  if (ulid.length !== ULID_LENGTH) {
    throw new Error(`ULID must be ${ULID_LENGTH} characters long, but "${ulid}" is not`);
  }
  let time = 0;
  for (const character of ulid.slice(0, TIME_LENGTH)) {
    const digit = ENCODING.indexOf(character);
    if (digit === -1) throw new Error(`Invalid ULID character "${character}" in "${ulid}"`);
    time = time * BASE + digit;
  }
  if (time > MAX_TIME) {
    throw new RangeError(`Time of ULID "${ulid}" is greater than the maximum "${MAX_TIME}"`);
  }
  return time;
}

function requireEncodableTime(time: number): void {
  if (!Number.isInteger(time) || time < 0 || time > MAX_TIME) {
    throw new RangeError(`Time must be an integer from 0 to ${MAX_TIME}, but was "${time}"`);
  }
}

function encodeTime(time: number): string {
  if (time === encoded.time) return encoded.characters;
  requireEncodableTime(time);
  let characters = "";
  let rest = time;
  // Arithmetic instead of shifts: 48 bits do not fit the 32 of bitwise operators.
  for (let length = 0; length < TIME_LENGTH; length++) {
    const digit = rest % BASE;
    characters = ENCODING.charAt(digit) + characters;
    rest = (rest - digit) / BASE;
  }
  encoded.time = time;
  encoded.characters = characters;
  return characters;
}

function takeRandomCharacters(): string {
  if (drawn.position === drawn.characters.length) drawRandomCharacters();
  const start = drawn.position;
  drawn.position += RANDOM_LENGTH;
  return drawn.characters.slice(start, drawn.position);
}

function drawRandomCharacters(): void {
  const bytes = crypto.getRandomValues(new Uint8Array(IDENTIFIERS_PER_DRAW * RANDOM_LENGTH));
  let characters = "";
  // 256 is a multiple of 32, so the remainder favours no character.
  for (const byte of bytes) characters += ENCODING.charAt(byte % BASE);
  drawn.characters = characters;
  drawn.position = 0;
}
