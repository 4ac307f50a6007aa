/** Stores the `data:` address of a photo or document while it is read. */

import { Buffer } from "node:buffer";
import { refuseFile } from "../refusal.ts";
import { Base64Decoder, dataAddress } from "./base64.ts";
import type { ConverterInput, FileSink, StoredFile } from "./converter.ts";
import type { Extent } from "./monica_index.ts";

/** @returns Null for a text that is not such an address. */
export async function storeData(
  { file, openFile }: Pick<ConverterInput, "file" | "openFile">,
  { start, end }: Extent,
): Promise<StoredFile & { readonly stated: string } | null> {
  const decoder = new Base64Decoder();
  let [sink, stated]: [FileSink | null, string] = [null, ""];
  for await (const text of stringPieces(file.stream(start + 1, end - 1))) {
    let data = text;
    if (sink === null) {
      const address = dataAddress(text);
      if (address === null) return null;
      ({ stated } = address);
      data = text.slice(address.start);
      sink = await openFile();
    }
    await sink.write(decoder.decode(Buffer.from(data, "latin1")));
  }
  return sink === null ? null : { ...await sink.end(), stated };
}

const LATIN1 = new TextDecoder("latin1");

/** Decodes a JSON string, although chunks may cut its escapes. Only its ASCII is correct. */
async function* stringPieces(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string> {
  let rest = "";
  for await (const chunk of chunks) {
    const text = rest + LATIN1.decode(chunk);
    const length = wholeLength(text);
    rest = text.slice(length);
    yield parsePiece(text.slice(0, length));
  }
  if (rest !== "") parsePiece(rest);
}

/** The length of a text without an incomplete escape at its end. */
function wholeLength(text: string): number {
  for (let at = text.indexOf("\\"); at !== -1;) {
    const end = at + (text[at + 1] === "u" ? 6 : 2);
    if (end > text.length) return at;
    at = text.indexOf("\\", end);
  }
  return text.length;
}

/** @throws FileRefusal `import.format` for a wrong escape. */
function parsePiece(text: string): string {
  try {
    return JSON.parse(`"${text}"`);
  } catch {
    return refuseFile("import.format", 1);
  }
}
