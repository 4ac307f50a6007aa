/** ULIDs: time in milliseconds and eighty random bits. */

const DIGITS = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";

/** Milliseconds since 1970. @param {string} ulid */
export function timeOfUlid(ulid) {
  return [...ulid.slice(0, 10)].reduce((time, digit) => time * 32 + DIGITS.indexOf(digit), 0);
}

/** @param {number} time In milliseconds since 1970. */
export function newUlid(time) {
  const random = crypto.getRandomValues(new Uint8Array(16));
  const begin = Array.from(
    { length: 10 },
    (_, place) => DIGITS[Math.floor(time / 32 ** place) % 32],
  );
  return begin.reverse().join("") + Array.from(random, (byte) => DIGITS[byte % 32]).join("");
}
