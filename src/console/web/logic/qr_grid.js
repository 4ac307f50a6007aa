/** Fixed patterns, codewords, and the mask that is easiest to read. */

const FREE = 2;

/** Modules that each mask inverts. */
const MASKS = /** @type {readonly ((x: number, y: number) => boolean)[]} */ ([
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => x * y % 2 + x * y % 3 === 0,
  (x, y) => (x * y % 2 + x * y % 3) % 2 === 0,
  (x, y) => ((x + y) % 2 + x * y % 3) % 2 === 0,
]);

/** @param {number} version @param {readonly number[]} codewords */
export function qrGrid(version, codewords) {
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
  for (const [x, y] of lines.flatMap((x) => lines.map((y) => /** @type {const} */ ([x, y])))) {
    const isInCorner = Math.min(x, y) === 6 && (x === y || x + y === size - 1);
    if (!isInCorner) setSquare(rows, x, y, [1, 0, 1]);
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

/**
 * Concentric squares, one module per ring.
 * @param {QrRows} rows
 * @param {number} x
 * @param {number} y
 * @param {readonly number[]} rings
 */
function setSquare(rows, x, y, rings) {
  const offsets = rings.flatMap((_, distance) => [distance, -distance]);
  for (const [right, down] of offsets.flatMap((one) => offsets.map((other) => [one, other]))) {
    const ring = Math.max(Math.abs(right ?? 0), Math.abs(down ?? 0));
    set(rows, x + (right ?? 0), y + (down ?? 0), rings[ring] ?? 0);
  }
}

/** @param {number} value @param {number} count Of the check bits. @param {number} divisor */
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
  const places = /** @type {(readonly [number, number])[]} */ ([]);
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
