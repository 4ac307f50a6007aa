/** Reads the form and the sides of a picture from its first bytes, and decodes nothing. */

export const PICTURE_TYPES = ["image/jpeg", "image/png", "image/webp"] as const;

export interface Sides {
  readonly width: number;
  readonly height: number;
}

export interface PictureHeader extends Sides {
  readonly mediaType: (typeof PICTURE_TYPES)[number];
}

/** Returns null for other bytes, and for a header that is cut off. */
export function readPictureHeader(bytes: Uint8Array): PictureHeader | null {
  if (startsWith(bytes, 0, "\x89PNG\r\n\x1a\n")) return picture("image/png", readPng(bytes));
  if (startsWith(bytes, 0, "\xff\xd8\xff")) return picture("image/jpeg", readJpeg(bytes));
  const isWebp = startsWith(bytes, 0, "RIFF") && startsWith(bytes, 8, "WEBP");
  return isWebp ? picture("image/webp", readWebp(bytes)) : null;
}

/** Bytes beyond the end make a side NaN. */
function picture(
  mediaType: PictureHeader["mediaType"],
  sides: Sides | null,
): PictureHeader | null {
  if (sides === null || !(sides.width > 0 && sides.height > 0)) return null;
  return { mediaType, ...sides };
}

function readPng(bytes: Uint8Array): Sides | null {
  if (!startsWith(bytes, 8, "\0\0\0\x0dIHDR")) return null;
  return { width: bigEndian(bytes, 16, 4), height: bigEndian(bytes, 20, 4) };
}

const END_OF_IMAGE = 0xd9;
const START_OF_SCAN = 0xda;

/** Reads segment after segment, up to the one that begins the frame. */
function readJpeg(bytes: Uint8Array): Sides | null {
  let at = 2;
  while (bytes[at] === 0xff) {
    const marker = bytes[at + 1] ?? END_OF_IMAGE;
    if (marker === END_OF_IMAGE || marker === START_OF_SCAN) return null;
    if (beginsFrame(marker)) {
      return { width: bigEndian(bytes, at + 7, 2), height: bigEndian(bytes, at + 5, 2) };
    }
    // Any number of 0xff may precede a marker.
    at += marker === 0xff ? 1 : 2 + bigEndian(bytes, at + 2, 2);
  }
  return null;
}

/** True for the markers SOF0 to SOF15. Three markers in this range have other meanings. */
function beginsFrame(marker: number): boolean {
  return marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
}

function readWebp(bytes: Uint8Array): Sides | null {
  if (startsWith(bytes, 12, "VP8X")) {
    return { width: littleEndian(bytes, 24, 3) + 1, height: littleEndian(bytes, 27, 3) + 1 };
  }
  if (startsWith(bytes, 12, "VP8L") && bytes[20] === 0x2f) {
    const sides = littleEndian(bytes, 21, 4);
    return { width: sides % 2 ** 14 + 1, height: Math.floor(sides / 2 ** 14) % 2 ** 14 + 1 };
  }
  if (startsWith(bytes, 12, "VP8 ") && startsWith(bytes, 23, "\x9d\x01\x2a")) {
    // The upper two bits of each say how to scale it.
    return {
      width: littleEndian(bytes, 26, 2) % 2 ** 14,
      height: littleEndian(bytes, 28, 2) % 2 ** 14,
    };
  }
  return null;
}

/** @param text One character for each byte. */
function startsWith(bytes: Uint8Array, start: number, text: string): boolean {
  return Array.from(text).every((character, index) =>
    bytes[start + index] === character.charCodeAt(0)
  );
}

/** NaN beyond the end. */
function bigEndian(bytes: Uint8Array, start: number, length: number): number {
  let value = 0;
  for (let at = start; at < start + length; at++) value = value * 256 + (bytes[at] ?? NaN);
  return value;
}

/** NaN beyond the end. */
function littleEndian(bytes: Uint8Array, start: number, length: number): number {
  let value = 0;
  for (let at = start + length - 1; at >= start; at--) value = value * 256 + (bytes[at] ?? NaN);
  return value;
}
