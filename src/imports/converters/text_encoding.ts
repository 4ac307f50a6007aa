/** Encodings of texts and names: UTF-8, UTF-16 with its mark, and two stated ones of one byte. */

export const ENCODINGS = ["windows-1252", "cp437"] as const;
/** Encodings that a mapping may name for bytes that are not UTF-8. */
export type Encoding = (typeof ENCODINGS)[number];

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const WINDOWS_1252 = new TextDecoder("windows-1252");

/** Code page 437 from byte 128 on. */
const CP437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
  "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ";

/** @returns Null for bytes that are not UTF-8. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}

export function decodeBytes(bytes: Uint8Array, encoding: Encoding): string {
  if (encoding === "windows-1252") return WINDOWS_1252.decode(bytes);
  const characters = Array.from(
    bytes,
    (byte) => byte < 128 ? String.fromCharCode(byte) : CP437[byte - 128],
  );
  return characters.join("");
}

/** The encoding of a UTF-16 text, by its byte order mark; null for any other text. */
export function utf16Of(bytes: Uint8Array): "utf-16le" | "utf-16be" | null {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  return bytes[0] === 0xfe && bytes[1] === 0xff ? "utf-16be" : null;
}

/**
 * Decodes a whole text. UTF-16 loses its mark.
 *
 * @param encoding Applies to bytes that are neither UTF-8 nor UTF-16; null if unknown.
 * @returns Null if the encoding is unknown, or UTF-16 is broken.
 */
export function decodeText(bytes: Uint8Array, encoding: Encoding | null): string | null {
  const wide = utf16Of(bytes);
  if (wide !== null) return decodeUtf16(bytes, wide);
  const text = decodeUtf8(bytes);
  return text ?? (encoding === null ? null : decodeBytes(bytes, encoding));
}

function decodeUtf16(bytes: Uint8Array, label: "utf-16le" | "utf-16be"): string | null {
  try {
    return new TextDecoder(label, { fatal: true }).decode(bytes);
  } catch {
    return null;
  }
}
