/** Decodes base64 in pieces, and `data:` addresses. */

const SPACE = -2;
const SIX_BITS = sixBits();

/** Decodes base64 and skips white space. After padding nothing is decoded. */
export class Base64Decoder {
  #isValid = true;
  #bits = 0;
  #count = 0;
  #padding = 0;
  #isEmpty = true;

  /** Decodes a piece; bits of an incomplete byte wait for the next piece. */
  decode(text: Uint8Array): Uint8Array {
    const bytes = new Uint8Array(Math.ceil(text.length * 3 / 4) + 1);
    let length = 0;
    for (const character of text) {
      const value = SIX_BITS[character] ?? -1;
      if (value >= 0 && this.#padding === 0) {
        this.#isEmpty = false;
        this.#bits = (this.#bits << 6 | value) & 0xffff;
        this.#count += 6;
        if (this.#count < 8) continue;
        this.#count -= 8;
        bytes[length++] = this.#bits >> this.#count & 0xff;
      } else if (character === 0x3d && this.#padding < 2) this.#padding++;
      else if (value !== SPACE) this.#isValid = false;
    }
    return bytes.subarray(0, length);
  }

  /** True if the text so far is base64 of whole bytes and not empty. */
  get isWhole(): boolean {
    return this.#isValid && !this.#isEmpty && this.#count < 6;
  }
}

/** Values by character code; -1 outside the alphabet. */
function sixBits(): Int8Array {
  const values = new Int8Array(256).fill(-1);
  const alphabet = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  for (let index = 0; index < alphabet.length; index++) values[alphabet.charCodeAt(index)] = index;
  for (const space of " \t\r\n\v\f") values[space.charCodeAt(0)] = SPACE;
  return values;
}

/** Maximum characters before the comma of a `data:` address. */
const MAX_DATA_HEAD = 1024;

/**
 * Parses the head of a `data:` address in base64. Some cards have `\\;` and `\\,` in it.
 *
 * @returns The stated media type and the offset of the data; null for any other text.
 */
export function dataAddress(
  text: string,
): { readonly stated: string; readonly start: number } | null {
  const head = text.slice(0, MAX_DATA_HEAD);
  const comma = head.indexOf(",");
  const parts = head.slice(0, Math.max(0, comma)).replaceAll(/[\s\\]/g, "").split(";");
  const [first = "", last = ""] = [parts[0], parts.at(-1)];
  const isData = comma !== -1 && parts.length > 1 && /^data:/i.test(first) &&
    /^base64$/i.test(last);
  return isData ? { stated: first.slice("data:".length), start: comma + 1 } : null;
}

/** Bytes that `pictureType` needs. */
export const MAGIC_BYTES = 12;

/** The media type of a JPEG, PNG, GIF or WebP by its first bytes; null for any other file. */
export function pictureType(bytes: Uint8Array): string | null {
  const first = String.fromCharCode(...bytes.subarray(0, MAGIC_BYTES));
  if (first.startsWith("\xff\xd8\xff")) return "image/jpeg";
  if (first.startsWith("\x89PNG")) return "image/png";
  if (first.startsWith("GIF8")) return "image/gif";
  return /^RIFF[^]{4}WEBP/.test(first) ? "image/webp" : null;
}

/** Characters that are enough for `pictureType`, with white space before them. */
const MAGIC_CHARACTERS = 128;

/** True if a text begins like a JPEG, PNG, GIF or WebP in base64. */
export function isPictureText(text: Uint8Array): boolean {
  return pictureType(new Base64Decoder().decode(text.subarray(0, MAGIC_CHARACTERS))) !== null;
}
