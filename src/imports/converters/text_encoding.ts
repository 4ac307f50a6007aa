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

/** Bytes that are decoded in one turn. */
const PIECE_BYTES = 64 * 1024;

/**
 * Decodes a whole text. UTF-16 loses its mark.
 *
 * @param encoding Applies to bytes that are neither UTF-8 nor UTF-16; null if unknown.
 * @param turn Called every 64 KiB.
 * @returns Null if the encoding is unknown, or UTF-16 is broken.
 */
export async function decodeText(
  bytes: Uint8Array,
  encoding: Encoding | null,
  turn: () => Promise<void>,
): Promise<string | null> {
  const wide = utf16Of(bytes);
  const decoder = new TextDecoder(wide ?? "utf-8", { fatal: true, ignoreBOM: wide === null });
  try {
    const decode = (piece: Uint8Array) => decoder.decode(piece, { stream: true });
    return await inPieces(bytes, turn, decode) + decoder.decode();
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
  if (wide !== null || encoding === null) return null;
  return await inPieces(bytes, turn, (piece) => decodeBytes(piece, encoding));
}

async function inPieces(
  bytes: Uint8Array,
  turn: () => Promise<void>,
  decode: (piece: Uint8Array) => string,
): Promise<string> {
  const pieces: string[] = [];
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    await turn();
    pieces.push(decode(bytes.subarray(at, at + PIECE_BYTES)));
  }
  return pieces.join("");
}
