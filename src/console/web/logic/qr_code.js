/**
 * QR codes (ISO/IEC 18004) of texts: bytes of UTF-8, error correction level M. This part makes the
 * codewords; `qr_grid.js` places them.
 */

import { qrGrid } from "./qr_grid.js";

/** For each version from 1: codewords of error correction in a block, and how many blocks there are. */
const CORRECTION = [
  ...[10, 16, 26, 18, 24, 16, 18, 22, 22, 26, 30, 22, 22, 24, 24, 28, 28, 26, 26, 26, 26, 28, 28],
  ...[28, 28],
];
const BLOCKS = [
  1,
  1,
  1,
  2,
  2,
  4,
  4,
  4,
  5,
  5,
  5,
  8,
  9,
  9,
  10,
  10,
  11,
  13,
  14,
  16,
  17,
  17,
  18,
  20,
  21,
];

/** @typedef {ReturnType<typeof versionOf>} Version */

/**
 * The modules of the smallest code that holds a text, row by row: 1 is dark. A margin of four light
 * modules must be left around them.
 *
 * @param {string} text
 * @returns {readonly (readonly number[])[] | null} null for more than 997 bytes.
 */
export function qrCode(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const versions = BLOCKS.map((_, index) => versionOf(index + 1));
  const found = versions.find(({ head, room }) => bytes.length + head <= room);
  return found === undefined ? null : qrGrid(found.number, codewordsOf(found, bytes));
}

/**
 * The number of data codewords of a version, and how many of them precede the text: half of one for the
 * mode, one or two for the length, and half of one that ends the text.
 *
 * @param {number} number
 */
function versionOf(number) {
  const [correction = 0, blocks = 0] = [CORRECTION[number - 1], BLOCKS[number - 1]];
  const lines = Math.floor(number / 7) + 2;
  const patterns = number === 1 ? 0 : (25 * lines - 10) * lines - 55 + (number < 7 ? 0 : 36);
  const all = Math.floor(((16 * number + 128) * number + 64 - patterns) / 8);
  return { number, correction, blocks, room: all - correction * blocks, head: number < 10 ? 2 : 3 };
}

/**
 * Data and error correction: of every block the first codeword, then of every block the second.
 *
 * @param {Version} version
 * @param {readonly number[]} bytes
 */
function codewordsOf({ correction, blocks, room, head }, bytes) {
  const hex = (/** @type {number} */ number, digits = 2) =>
    number.toString(16).padStart(digits, "0");
  const length = hex(bytes.length, 2 * (head - 1));
  // Mode 4 is bytes; the last two codewords alternate as padding.
  const text = `4${length}${bytes.map((byte) => hex(byte)).join("")}0${"ec11".repeat(room)}`;
  const data = Array.from(
    { length: room },
    (_, at) => parseInt(text.slice(2 * at, 2 * at + 2), 16),
  );
  const [short, isLong] = [Math.floor(room / blocks), room % blocks];
  const parts = Array.from({ length: blocks }, (_, index) => {
    const longBefore = Math.max(0, index - blocks + isLong);
    const begin = index * short + longBefore;
    return data.slice(begin, begin + short + (index < blocks - isLong ? 0 : 1));
  });
  return [parts, parts.map((part) => correctionOf(part, correction))].flatMap((rows) =>
    // The last block is as long as the longest.
    (rows.at(-1) ?? []).flatMap((_, index) => rows.flatMap((row) => row[index] ?? []))
  );
}

/**
 * Reed-Solomon: the remainder of the data's polynomial divided by the one whose roots are the first powers
 * of 2.
 *
 * @param {readonly number[]} data
 * @param {number} count
 * @returns {number[]}
 */
export function correctionOf(data, count) {
  let divisor = [1];
  for (let index = 0, root = 1; index < count; index++, root = product(root, 2)) {
    const shifted = [0, ...divisor.map((each) => product(each, root))];
    divisor = shifted.map((each, place) => each ^ (divisor[place] ?? 0));
  }
  let remainder = divisor.slice(1).fill(0);
  for (const byte of data) {
    const factor = byte ^ (remainder[0] ?? 0);
    const next = [...remainder.slice(1), 0];
    remainder = next.map((each, place) => each ^ product(divisor[place + 1] ?? 0, factor));
  }
  return remainder;
}

/**
 * In the field of 256 elements, modulo x⁸ + x⁴ + x³ + x² + 1.
 *
 * @param {number} one
 * @param {number} other
 */
function product(one, other) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit--) {
    result = result << 1 ^ (result >> 7) * 0x11d ^ (other >> bit & 1) * one;
  }
  return result;
}
