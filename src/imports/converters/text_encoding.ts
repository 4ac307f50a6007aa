/** Encodings of texts and names: UTF-8, UTF-16 with its mark, and stated ones. */

export const ENCODINGS = ["windows-1252", "cp437"] as const;
/** Encodings that a mapping may name for bytes that are not UTF-8. */
export type Encoding = (typeof ENCODINGS)[number];

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
const WINDOWS_1252 = new TextDecoder("windows-1252");

/** Characters of code pages from byte 128 on. */
const CP437 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐" +
  "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■ ";
const CP850 = "ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜø£Ø×ƒáíóúñÑªº¿®¬½¼¡«»░▒▓│┤ÁÂÀ©╣║╗╝¢¥┐└┴┬├" +
  "─┼ãÃ╚╔╩╦╠═╬¤ðÐÊËÈıÍÎÏ┘┌█▄¦Ì▀ÓßÔÒõÕµþÞÚÛÙýÝ¯´\u00ad±‗¾¶§÷¸°¨·¹³²■\u00a0";

/** @returns Null for bytes that are not UTF-8. A byte order mark stays. */
export function decodeUtf8(bytes: Uint8Array): string | null {
  try {
    return UTF8.decode(bytes);
  } catch {
    return null;
  }
}

export function decodeBytes(bytes: Uint8Array, encoding: Encoding): string {
  return encoding === "windows-1252" ? WINDOWS_1252.decode(bytes) : inCodePage(bytes, CP437);
}

function inCodePage(bytes: Uint8Array, characters: string): string {
  const decoded = Array.from(
    bytes,
    (byte) => byte < 128 ? String.fromCharCode(byte) : characters[byte - 128],
  );
  return decoded.join("");
}

/** Names that the runtime does not know without `-` and `_`, and everyday ones, by plain name. */
const LABELS: ReadonlyMap<string, string> = new Map([
  ["ansi", "windows-1252"],
  ...("windows-1250 windows-1251 windows-1252 windows-1253 windows-1254 windows-1255 " +
    "windows-1256 windows-1257 windows-1258 windows-874 iso-8859-16 koi8-r koi8-u utf-16le " +
    "utf-16be shift_jis euc-jp iso-2022-jp euc-kr big5-hkscs").split(" ")
    .map((name) => [name.replaceAll(/[-_]/g, ""), name] as const),
]);
const CODE_PAGES: Readonly<Record<string, string>> = {
  cp437: CP437,
  ibm437: CP437,
  cp850: CP850,
  ibm850: CP850,
};
/** For the runtime they are Windows-1252; their bytes are UTF-8 as well. */
const ASCII: readonly string[] = ["ascii", "usascii"];

/**
 * Decodes a text in its charset, whose name is read without regard to case, quotes, `-` and `_`.
 * Without one, and if it is unknown or the bytes are not valid in it, the text is UTF-8, else
 * Windows-1252.
 *
 * @returns `isGuessed` is true if the text is Windows-1252 for want of another encoding.
 */
export function decodeStated(
  bytes: Uint8Array,
  charset: string | undefined,
): { readonly text: string; readonly isGuessed: boolean } {
  const text = (charset === undefined ? null : decodeIn(bytes, charset)) ?? decodeUtf8(bytes);
  return { text: text ?? WINDOWS_1252.decode(bytes), isGuessed: text === null };
}

/** Null for an unknown charset, and for bytes that are not valid in it. */
function decodeIn(bytes: Uint8Array, charset: string): string | null {
  const plain = charset.toLowerCase().replaceAll(/["'\s_-]/g, "");
  if (ASCII.includes(plain)) return null;
  const page = Object.hasOwn(CODE_PAGES, plain) ? CODE_PAGES[plain] : undefined;
  if (page !== undefined) return inCodePage(bytes, page);
  for (const label of [LABELS.get(plain) ?? plain, charset]) {
    try {
      return new TextDecoder(label, { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch (error) {
      if (error instanceof TypeError) return null;
      // The runtime does not know the label.
      if (!(error instanceof RangeError)) throw error;
    }
  }
  return null;
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
