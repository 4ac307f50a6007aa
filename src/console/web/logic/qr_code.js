/**
 * QR codes (ISO/IEC 18004): UTF-8 bytes, error correction level M. Makes the codewords; `qr_grid.js` places
 * them.
 */

import { qrGrid } from "./qr_grid.js";

/** By version from 1: error correction codewords per block, number of blocks. */
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
 * The smallest code, row by row; 1 is dark. Leave a margin of four light modules.
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
 * The data codewords of a version, and how many precede the text: half of one for the mode, one or two for
 * the length, half of one for the terminator.
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
 * Interleaved: each block's first codeword, then each block's second; data before error correction.
 * @param {Version} version
 * @param {readonly number[]} bytes
 */
function codewordsOf({ correction, blocks, room, head }, bytes) {
  const hex = (/** @type {number} */ number, digits = 2) =>
    number.toString(16).padStart(digits, "0");
  const length = hex(bytes.length, 2 * (head - 1));
  // Mode 4 is bytes; two alternating codewords pad.
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
    // The last block is the longest.
    (rows.at(-1) ?? []).flatMap((_, index) => rows.flatMap((row) => row[index] ?? []))
  );
}

/**
 * Reed-Solomon: the remainder of the data's polynomial by the one whose roots are the first powers of 2.
 * @param {readonly number[]} data
 * @param {number} count
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

/** In GF(256) modulo x⁸ + x⁴ + x³ + x² + 1. @param {number} one @param {number} other */
function product(one, other) {
  let result = 0;
  for (let bit = 7; bit >= 0; bit--) {
    result = result << 1 ^ (result >> 7) * 0x11d ^ (other >> bit & 1) * one;
  }
  return result;
}
