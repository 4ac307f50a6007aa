/**
 * Bech32 (BIP 173) of any length: a prefix, the separator `1`, the bytes in letters of five bits,
 * and a checksum of six letters.
 */

const LETTERS = "qpzry9x8gf2tvdw0s3jn54khce6mua7l";
const CHECKSUM_LETTERS = 6;
/** The checksum's polynomial over the field of 32 elements, one row per bit. */
const GENERATOR = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3];

interface Bech32 {
  readonly prefix: string;
  readonly bytes: Uint8Array;
}

/** Parses lower or upper case; null if mixed or invalid. */
export function decodeBech32(text: string): Bech32 | null {
  const lower = text.toLowerCase();
  if (text !== lower && text !== text.toUpperCase()) return null;
  const separator = lower.lastIndexOf("1");
  const prefix = lower.slice(0, separator);
  if (separator < 1 || !/^[\x21-\x7e]{1,83}$/.test(prefix)) return null;
  const values = Array.from(lower.slice(separator + 1), (letter) => LETTERS.indexOf(letter));
  if (values.length < CHECKSUM_LETTERS || values.includes(-1)) return null;
  if (polynomial([...expand(prefix), ...values]) !== 1) return null;
  const bytes = toBytes(values.slice(0, -CHECKSUM_LETTERS));
  return bytes === null ? null : { prefix, bytes };
}

/** @param prefix In lower case. */
export function encodeBech32(prefix: string, bytes: Uint8Array): string {
  const values = toLetters(bytes);
  const sum = polynomial([...expand(prefix), ...values, ...Array(CHECKSUM_LETTERS).fill(0)]) ^ 1;
  const checksum = Array.from(
    { length: CHECKSUM_LETTERS },
    (_, index) => (sum >>> 5 * (CHECKSUM_LETTERS - 1 - index)) & 31,
  );
  return `${prefix}1${[...values, ...checksum].map((value) => LETTERS[value]).join("")}`;
}

/** The prefix in the checksum: high bits of each character, a zero, low bits. */
function expand(prefix: string): number[] {
  const codes = Array.from(prefix, (character) => character.charCodeAt(0));
  return [...codes.map((code) => code >>> 5), 0, ...codes.map((code) => code & 31)];
}

function polynomial(values: readonly number[]): number {
  let sum = 1;
  for (const value of values) {
    const top = sum >>> 25;
    sum = ((sum & 0x1ffffff) << 5) ^ value;
    for (const [bit, row] of GENERATOR.entries()) {
      if ((top >>> bit) & 1) sum ^= row;
    }
  }
  return sum;
}

/** Cuts bytes into letters of five bits; the last is filled with zeros. */
function toLetters(bytes: Uint8Array): number[] {
  const values: number[] = [];
  let [pending, bits] = [0, 0];
  for (const byte of bytes) {
    pending = ((pending << 8) | byte) & 0xfff;
    for (bits += 8; bits >= 5;) {
      bits -= 5;
      values.push((pending >>> bits) & 31);
    }
  }
  return bits === 0 ? values : [...values, (pending << 5 - bits) & 31];
}

/** Converts letters of five bits. The remainder must be less than a letter, and zero. */
function toBytes(values: readonly number[]): Uint8Array | null {
  const bytes: number[] = [];
  let [pending, bits] = [0, 0];
  for (const value of values) {
    pending = ((pending << 5) | value) & 0xfff;
    bits += 5;
    if (bits < 8) continue;
    bits -= 8;
    bytes.push((pending >>> bits) & 0xff);
  }
  const rest = pending & ((1 << bits) - 1);
  return bits < 5 && rest === 0 ? Uint8Array.from(bytes) : null;
}
