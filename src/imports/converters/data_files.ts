/** Files in base64 inside a text. */

import type { ReadingBudget } from "../reading_budget.ts";
import { Base64Decoder, dataAddress } from "./base64.ts";
import type { ConverterInput, StoredFile } from "./converter.ts";
import { decodePercent } from "./note_finder.ts";

/** Maximum characters before the content. */
const MAX_HEAD = 1024;
/** Characters that are decoded at once. */
const DATA_UNITS = 64 * 1024;
/** Characters of base64 and blanks that an address may escape. */
const ESCAPED = /(?:%(?:2[0bf]|3d|0[ad]))+/gi;

interface DataFile {
  readonly stored: StoredFile;
  /** As stated, in small letters; may be empty. */
  readonly mediaType: string;
}

/** Stores the file of a `data:` address; null for any other text, and for one that is damaged. */
export async function storeDataAddress(
  address: string,
  openFile: ConverterInput["openFile"],
  budget: ReadingBudget,
): Promise<DataFile | null> {
  const head = dataAddress(address);
  if (head === null) return null;
  const decoder = new Base64Decoder();
  const encoder = new TextEncoder();
  const sink = await openFile();
  for (let at = head.start; at < address.length;) {
    await budget.turn(1);
    const piece = dataPiece(address, at);
    await sink.write(decoder.decode(encoder.encode(piece.replaceAll(ESCAPED, decodePercent))));
    at += piece.length;
  }
  return decoder.isWhole
    ? { stored: await sink.end(), mediaType: head.stated.toLowerCase() }
    : null;
}

/** As {@linkcode storeDataAddress}, for content that is not base64 but percent-encoded text. */
export async function storeTextAddress(
  address: string,
  openFile: ConverterInput["openFile"],
): Promise<DataFile | null> {
  const comma = address.slice(0, MAX_HEAD).indexOf(",");
  if (comma === -1 || !/^data:/i.test(address)) return null;
  const [type = "", ...parameters] = address.slice("data:".length, comma).toLowerCase().split(";");
  const text = decodePercent(address.slice(comma + 1));
  if (parameters.at(-1)?.trim() === "base64" || text === "") return null;
  const sink = await openFile();
  await sink.write(new TextEncoder().encode(text));
  return { stored: await sink.end(), mediaType: type.trim() || "text/plain" };
}

/** Characters of data that end before an escape that would be cut. */
function dataPiece(text: string, start: number): string {
  const piece = text.slice(start, start + DATA_UNITS);
  const cut = piece.length < DATA_UNITS ? -1 : piece.indexOf("%", DATA_UNITS - 2);
  return cut === -1 ? piece : piece.slice(0, cut);
}
