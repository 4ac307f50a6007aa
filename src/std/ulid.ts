/**
 * Lexicographically sortable identifiers (https://github.com/ulid/spec): 26 characters of
 * Crockford's Base32, 10 for the time in milliseconds, then 16 random. Has the API of the part of
 * JSR's `@std/ulid` that this project uses: `deno.json` may map either.
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
 * A call to the random generator costs far more than the rest of {@linkcode ulid}; a kilobyte costs
 * little more than 16 bytes.
 */
const IDENTIFIERS_PER_DRAW = 64;

const drawn = { characters: "", position: 0 };

/** Identifiers of one millisecond share their first characters. */
const encoded = { time: -1, characters: "" };

/**
 * Cryptographically strong randomness. Two identifiers of one millisecond are in no particular
 * order.
 *
 * @param seedTime In milliseconds since the Unix epoch; by default now.
 * @throws {RangeError} If the time is not an integer from 0 to 2^48 - 1.
 */
export function ulid(seedTime: number = Date.now()): string {
  return encodeTime(seedTime) + takeRandomCharacters();
}

/**
 * The time of an upper-case ULID, in milliseconds since the Unix epoch.
 *
 * @throws {Error} If the identifier is not 26 characters long, or its time part has a character
 *   that is not in the alphabet.
 * @throws {RangeError} If the time is greater than 2^48 - 1.
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
