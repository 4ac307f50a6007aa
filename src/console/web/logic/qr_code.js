/** QR codes (ISO/IEC 18004): UTF-8 bytes, error correction level M. */

import { svg } from "../core/charts/pictures.js";

const FREE = 2;

/** Modules that each mask inverts. @type {readonly ((x: number, y: number) => boolean)[]} */
const MASKS = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => x * y % 2 + x * y % 3 === 0,
  (x, y) => (x * y % 2 + x * y % 3) % 2 === 0,
  (x, y) => ((x + y) % 2 + x * y % 3) % 2 === 0,
];

/** @param {number} version @param {readonly number[]} codewords */
function qrGrid(version, codewords) {
  const fixed = fixedRows(version);
  const free = freePlaces(fixed);
  const drawn = MASKS.map((turns, mask) => {
    const rows = fixed.map((row) => [...row]);
    setFormat(rows, mask);
    free.forEach(([x, y], index) => {
      // The last bits may belong to no codeword.
      const bit = (codewords[index >> 3] ?? 0) >> (7 - index % 8) & 1;
      set(rows, x, y, bit ^ Number(turns(x, y)));
    });
    return { rows, penalty: penaltyOf(rows) };
  });
  // The easiest to read.
  return drawn.reduce((best, each) => each.penalty < best.penalty ? each : best).rows;
}

/** @param {QrRows} rows @param {number} x @param {number} y @param {number} module */
function set(rows, x, y, module) {
  const row = rows[y];
  if (row?.[x] !== undefined) row[x] = module;
}

/** @param {number} version */
function fixedRows(version) {
  const size = 17 + 4 * version;
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => FREE));
  for (let index = 0; index < size; index++) {
    set(rows, 6, index, (index + 1) % 2);
    set(rows, index, 6, (index + 1) % 2);
  }
  const count = version === 1 ? 0 : Math.floor(version / 7) + 1;
  const step = Math.ceil((2 * version + 2) / count) * 2;
  const lines = [6, ...Array.from({ length: count }, (_, index) => size - 7 - index * step)];
  for (const x of lines) {
    for (const y of lines) {
      const isInCorner = Math.min(x, y) === 6 && (x === y || x + y === size - 1);
      if (!isInCorner) setSquare(rows, x, y, [1, 0, 1]);
    }
  }
  setSquare(rows, 3, 3, [1, 1, 0, 1, 0]);
  setSquare(rows, size - 4, 3, [1, 1, 0, 1, 0]);
  setSquare(rows, 3, size - 4, [1, 1, 0, 1, 0]);
  setFormat(rows, 0);
  const bits = withCheckBits(version, 12, 0x1f25);
  for (let index = 0; version >= 7 && index < 18; index++) {
    const [along, across] = [size - 11 + index % 3, Math.floor(index / 3)];
    set(rows, along, across, bits >> index & 1);
    set(rows, across, along, bits >> index & 1);
  }
  return rows;
}

/** @type {(rows: QrRows, x: number, y: number, rings: readonly number[]) => void} */
function setSquare(rows, x, y, rings) {
  const offsets = rings.flatMap((_, distance) => [distance, -distance]);
  for (const right of offsets) {
    for (const down of offsets) {
      const ring = Math.max(Math.abs(right), Math.abs(down));
      set(rows, x + right, y + down, rings[ring] ?? 0);
    }
  }
}

/** @param {number} value @param {number} count @param {number} divisor */
function withCheckBits(value, count, divisor) {
  let rest = value;
  for (let bit = 0; bit < count; bit++) rest = rest << 1 ^ (rest >> (count - 1)) * divisor;
  return value << count | rest;
}

/** Level M (bits 0) and the mask, written twice. @param {QrRows} rows @param {number} mask */
function setFormat(rows, mask) {
  const bits = withCheckBits(mask, 10, 0x537) ^ 0x5412;
  const around = [0, 1, 2, 3, 4, 5, 7, 8];
  around.forEach((place, index) => {
    const [early, late] = [bits >> index & 1, bits >> (14 - index) & 1];
    set(rows, 8, place, early);
    set(rows, rows.length - 1 - index, 8, early);
    if (index === 7) return set(rows, 8, rows.length - 8, 1);
    set(rows, place, 8, late);
    set(rows, 8, rows.length - 1 - index, late);
  });
}

/** In bit order: columns of two from the right, alternately up and down. @param {QrRows} rows */
function freePlaces(rows) {
  const last = rows.length - 1;
  /** @type {Pair[]} */
  const places = [];
  for (let column = 0; column < last / 2; column++) {
    const right = last - 2 * column;
    for (let index = 0; index < 2 * rows.length; index++) {
      // Skips the timing column.
      const x = (right > 6 ? right : right - 1) - index % 2;
      const y = column % 2 === 0 ? last - (index >> 1) : index >> 1;
      if (rows[y]?.[x] === FREE) places.push([x, y]);
    }
  }
  return places;
}

/** The standard's penalty. @param {QrRows} rows */
function penaltyOf(rows) {
  const across = rows.map((row) => row.join(""));
  const down = rows.map((_, x) => rows.map((row) => row[x]).join(""));
  let sum = 0;
  for (const line of [...across, ...down]) {
    for (const [run] of line.matchAll(/0{5,}|1{5,}/g)) sum += run.length - 2;
    // Corner-like patterns with four light modules on one side.
    sum += 40 * [...line.matchAll(/(?=00001011101|10111010000)/g)].length;
  }
  for (const [y, line] of across.slice(1).entries()) {
    for (const { 1: pair = "", index } of line.matchAll(/(?=(00|11))/g)) {
      if (across[y]?.startsWith(pair, index)) sum += 3;
    }
  }
  const dark = across.join("").replaceAll("0", "").length / rows.length ** 2;
  return sum + 10 * Math.floor(Math.abs(dark - 0.5) * 20);
}

/** By version from 1: error correction codewords per block, number of blocks. */
const BLOCKS = /** @type {const} */ ([
  [10, 1],
  [16, 1],
  [26, 1],
  [18, 2],
  [24, 2],
  [16, 4],
  [18, 4],
  [22, 4],
  [22, 5],
  [26, 5],
  [30, 5],
  [22, 8],
  [22, 9],
  [24, 9],
  [24, 10],
  [28, 10],
  [28, 11],
  [26, 13],
  [26, 14],
  [26, 16],
  [26, 17],
  [28, 17],
  [28, 18],
  [28, 20],
  [28, 21],
]);

/**
 * The smallest code, row by row; 1 is dark. Leave a margin of four light modules. Null for more
 * than 997 bytes.
 * @param {string} text
 */
export function qrCode(text) {
  const bytes = [...new TextEncoder().encode(text)];
  const versions = BLOCKS.map((_, index) => versionOf(index + 1));
  const found = versions.find(({ head, room }) => bytes.length + head <= room);
  return found === undefined ? null : qrGrid(found.number, codewordsOf(found, bytes));
}

/**
 * The data codewords of a version, and how many precede the text: half of one for the mode, one or
 * two for the length, half of one for the terminator.
 * @param {number} number
 */
function versionOf(number) {
  const [correction, blocks] = BLOCKS[number - 1] ?? [0, 0];
  const lines = Math.floor(number / 7) + 2;
  const patterns = number === 1 ? 0 : (25 * lines - 10) * lines - 55 + (number < 7 ? 0 : 36);
  const all = Math.floor(((16 * number + 128) * number + 64 - patterns) / 8);
  return { number, correction, blocks, room: all - correction * blocks, head: number < 10 ? 2 : 3 };
}

/**
 * Interleaved: each block's first codeword, then each block's second; data before error correction.
 * @param {ReturnType<typeof versionOf>} version
 * @param {readonly number[]} bytes
 */
function codewordsOf({ correction, blocks, room, head }, bytes) {
  const hex = (/** @type {number} */ number, digits = 2) =>
    number.toString(16).padStart(digits, "0");
  const length = hex(bytes.length, 2 * (head - 1));
  // Mode 4 is bytes; two alternating codewords pad.
  const text = `4${length}${bytes.map((byte) => hex(byte)).join("")}0${"ec11".repeat(room)}`;
  const digits = text.match(/../g)?.slice(0, room) ?? [];
  const data = digits.map((pair) => parseInt(pair, 16));
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
 * Reed-Solomon: the remainder of the data's polynomial by the one whose roots are the first powers
 * of 2.
 * @param {readonly number[]} data @param {number} count
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

/** The standard's margin, in modules. */
const MARGIN = 4;
const MODULE_PX = 4;

/** Null if it does not fit. @param {string} text @param {string} title */
export function qrPicture(text, title) {
  const rows = qrCode(text);
  if (rows === null) return null;
  const size = rows.length + 2 * MARGIN;
  const modules = rows.flatMap((row, y) =>
    row.map((module, x) => module === 1 ? `M${x + MARGIN} ${y + MARGIN}h1v1h-1z` : "")
  );
  const picture = svg("svg", {
    role: "img",
    "aria-label": title,
    viewBox: `0 0 ${size} ${size}`,
    width: size * MODULE_PX,
    "shape-rendering": "crispEdges",
  });
  // In every theme: few readers accept light on dark.
  picture.append(
    svg("rect", { width: size, height: size, fill: "white" }),
    svg("path", { d: modules.join(""), fill: "black" }),
  );
  return picture;
}
