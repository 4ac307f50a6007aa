/** QR codes, read by an independent decoder. */

import { assert, assertEquals } from "@std/assert";
import { correctionOf, qrCode } from "../../../src/console/web/logic/qr_code.js";
import { seededRandom } from "../../support/random.ts";

type Rows = readonly (readonly number[])[];

/** Bytes by version at level M (table 7). */
const CAPACITIES =
  "14 26 42 62 84 106 122 152 180 213 251 287 331 362 412 450 504 560 624 666 711 779 857 911 997"
    .split(" ").map(Number);

/** By mask at level M (table C.1). */
const FORMATS = [
  "101010000010010",
  "101000100100101",
  "101111001111100",
  "101101101001011",
  "100010111111001",
  "100000011001110",
  "100111110010111",
  "100101010100000",
];
/** By version (table D.1). */
const VERSIONS: Readonly<Record<number, string>> = {
  7: "000111110010010100",
  8: "001000010110111100",
  15: "001111100100100110",
  25: "011001000111100001",
};
/** By version (table E.1). */
const ALIGNMENTS: Readonly<Record<number, readonly number[]>> = {
  4: [6, 26],
  7: [6, 22, 38],
  8: [6, 24, 42],
  10: [6, 28, 50],
  14: [6, 26, 46, 66],
  25: [6, 32, 58, 84, 110],
};
/** By version at level M: numbers of blocks, codewords and data codewords (table 9). */
const BLOCKS: Readonly<Record<number, readonly (readonly [number, number, number])[]>> = {
  1: [[1, 26, 16]],
  4: [[2, 50, 32]],
  7: [[4, 49, 31]],
  8: [[2, 60, 38], [2, 61, 39]],
  10: [[4, 69, 43], [1, 70, 44]],
  14: [[4, 64, 40], [5, 65, 41]],
  25: [[8, 75, 47], [13, 76, 48]],
};

const INVERTED: readonly ((row: number, column: number) => number)[] = [
  (i, j) => (i + j) % 2,
  (i) => i % 2,
  (_, j) => j % 3,
  (i, j) => (i + j) % 3,
  (i, j) => (Math.floor(i / 2) + Math.floor(j / 3)) % 2,
  (i, j) => (i * j) % 2 + (i * j) % 3,
  (i, j) => ((i * j) % 2 + (i * j) % 3) % 2,
  (i, j) => ((i + j) % 2 + (i * j) % 3) % 2,
];

/** In GF(256), unlike the encoder. */
const POWERS = Array.from({ length: 255 }, () => 1);
for (let index = 1; index < 255; index++) {
  const doubled = (POWERS[index - 1] ?? 0) * 2;
  POWERS[index] = doubled > 255 ? doubled ^ 285 : doubled;
}
const times = (one: number, other: number) =>
  one === 0 || other === 0 ? 0 : POWERS[(POWERS.indexOf(one) + POWERS.indexOf(other)) % 255] ?? 0;

/** Its polynomial is zero at the generator's roots. */
const isCodeword = (block: readonly number[], count: number) =>
  POWERS.slice(0, count).every((root) =>
    block.reduce((value, byte) => times(value, root) ^ byte, 0) === 0
  );

/** By the standard's drawings. */
function isPattern(size: number, version: number, row: number, column: number): boolean {
  const far = size - 9;
  if (row < 9 && column < 9 || row < 9 && column > far || row > far && column < 9) return true;
  if (row === 6 || column === 6) return true;
  if (version >= 7 && (row < 6 && column > size - 12 || column < 6 && row > size - 12)) return true;
  const lines = ALIGNMENTS[version] ?? [];
  const isNear = (place: number, line: number) => Math.abs(place - line) <= 2;
  return lines.some((y) =>
    lines.some((x) => {
      const isInCorner = x === 6 && (y === 6 || y === lines.at(-1)) ||
        y === 6 && x === lines.at(-1);
      return !isInCorner && isNear(row, y) && isNear(column, x);
    })
  );
}

function assertPatterns(rows: Rows, version: number): void {
  const size = rows.length;
  const finder = ["1111111", "1000001", "1011101", "1011101", "1011101", "1000001", "1111111"];
  for (const [top, left] of [[0, 0], [0, size - 7], [size - 7, 0]]) {
    for (const [index, line] of finder.entries()) {
      const found = rows[(top ?? 0) + index]?.slice(left ?? 0, (left ?? 0) + 7).join("");
      assertEquals(found, line);
    }
  }
  // Light separators.
  assertEquals(rows[7]?.slice(0, 8).join(""), "00000000");
  assertEquals(rows.slice(-8).map((row) => row[7]).join(""), "00000000");
  const timing = rows[6]?.slice(8, -8).join("");
  assertEquals(timing, "10".repeat(size).slice(0, size - 16));
  assertEquals(rows.slice(8, -8).map((row) => row[6]).join(""), timing);
  const last = ALIGNMENTS[version]?.at(-1);
  if (last !== undefined) {
    for (const [index, line] of ["11111", "10001", "10101", "10001", "11111"].entries()) {
      assertEquals(rows[last - 2 + index]?.slice(last - 2, last + 3).join(""), line);
    }
  }
  const bits = VERSIONS[version];
  if (bits === undefined) return;
  const block = rows.slice(0, 6).flatMap((row) => row.slice(-11, -8)).reverse().join("");
  assertEquals(block, bits);
  const turned = Array.from(
    { length: 6 },
    (_, column) => rows.slice(-11, -8).map((row) => row[column]),
  ).flat();
  assertEquals(turned.reverse().join(""), bits);
}

function readMask(rows: Rows): number {
  const size = rows.length;
  const row = rows[8] ?? [];
  const column = rows.map((each) => each[8]);
  const corner = [...row.slice(0, 6), row[7], row[8], column[7], ...column.slice(0, 6).reverse()];
  const apart = [...column.slice(-7).reverse(), ...row.slice(-8)];
  assertEquals(corner.join(""), apart.join(""));
  assertEquals(column[size - 8], 1);
  return FORMATS.indexOf(corner.join(""));
}

/** Checks every part. */
function decode(rows: Rows): string {
  const size = rows.length;
  const version = (size - 17) / 4;
  assertPatterns(rows, version);
  const mask = readMask(rows);
  const turns = INVERTED[mask];
  assert(turns !== undefined, "the format is none of level M");
  let bits = "";
  const columns = Array.from({ length: size }, (_, index) => size - 1 - index)
    .filter((column) => column !== 6);
  for (let pair = 0; pair < columns.length; pair += 2) {
    const order = pair % 4 === 0 ? rows.keys().toArray().reverse() : rows.keys().toArray();
    for (const row of order) {
      for (const column of columns.slice(pair, pair + 2)) {
        if (isPattern(size, version, row, column)) continue;
        bits += (rows[row]?.[column] ?? 0) ^ Number(turns(row, column) === 0);
      }
    }
  }
  const codewords = (bits.match(/.{8}/g) ?? []).map((byte) => parseInt(byte, 2));
  const shapes = (BLOCKS[version] ?? []).flatMap(([count, all, data]) =>
    Array.from({ length: count }, () => ({ all, data }))
  );
  const blocks: number[][] = shapes.map(() => []);
  const longest = Math.max(...shapes.map(({ data }) => data));
  let next = 0;
  for (let index = 0; index < longest; index++) {
    for (const [number, { data }] of shapes.entries()) {
      if (index < data) blocks[number]?.push(codewords[next++] ?? 0);
    }
  }
  const correction = (shapes[0]?.all ?? 0) - (shapes[0]?.data ?? 0);
  const data = blocks.flat();
  for (let index = 0; index < correction; index++) {
    for (const block of blocks) block.push(codewords[next++] ?? 0);
  }
  assertEquals(next, codewords.length);
  for (const block of blocks) assert(isCodeword(block, correction), `version ${version}`);
  const stream = data.map((byte) => byte.toString(2).padStart(8, "0")).join("");
  assertEquals(stream.slice(0, 4), "0100");
  const head = version < 10 ? 8 : 16;
  const length = parseInt(stream.slice(4, 4 + head), 2);
  const text = stream.slice(4 + head, 4 + head + 8 * length).match(/.{8}/g) ?? [];
  const rest = stream.slice(4 + head + 8 * length + 4);
  assert("1110110000010001".repeat(1_000).startsWith(rest), "the rest is padding");
  return new TextDecoder().decode(Uint8Array.from(text, (byte) => parseInt(byte, 2)));
}

Deno.test("The correction of a known message is the known one", () => {
  const message = [32, 91, 11, 120, 209, 114, 220, 77, 67, 64, 236, 17, 236, 17, 236, 17];
  assertEquals(correctionOf(message, 10), [196, 35, 39, 119, 235, 215, 231, 226, 93, 23]);
});

Deno.test("Each version has the standard's capacity", () => {
  for (const [index, capacity] of CAPACITIES.entries()) {
    assertEquals(qrCode("a".repeat(capacity))?.length, 21 + 4 * index);
  }
  assertEquals(qrCode("a".repeat(998)), null);
});

Deno.test("Written codes are read back, in every version", () => {
  const random = seededRandom(18004);
  const masks = new Set<number>();
  for (const version of Object.keys(BLOCKS).map(Number)) {
    const capacity = CAPACITIES[version - 1] ?? 0;
    const least = (CAPACITIES[version - 2] ?? -1) + 1;
    for (const length of [least, random.integer(least, capacity), capacity - 1, capacity]) {
      const text = Array.from(
        { length },
        () => String.fromCharCode(random.integer(32, 126)),
      ).join("");
      const rows = qrCode(text);
      assert(rows !== null);
      assertEquals(decode(rows), text);
      masks.add(readMask(rows));
    }
  }
  assert(masks.size > 3, "the mask is chosen");
  const address = "otpauth://totp/records:jörg%40example.org?secret=ABCDEFGH&issuer=Überall";
  assertEquals(decode(qrCode(address.slice(0, 60)) ?? []), address.slice(0, 60));
});
