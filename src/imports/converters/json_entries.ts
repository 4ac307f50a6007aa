/** The elements of the list `entries` of a large JSON object, one at a time, so that a journal of any size fits. */

import { Buffer } from "node:buffer";
import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { refuseFile } from "../refusal.ts";
import { decodeText } from "./lines.ts";

const QUOTATION_MARK = 0x22;
const BACKSLASH = 0x5c;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** More than any entry, and all other members of a journal. */
const VALUE_BYTES = 16 * 1024 * 1024;

/**
 * The entries of a journal. Each one is parsed by itself, and what remains of the file at its end.
 *
 * @param place The number of the file in its archive.
 * @throws FileRefusal `day_one.json` for any other JSON or an incomplete object, `text.utf8`.
 */
export async function* jsonEntries(
  chunks: AsyncIterable<Uint8Array>,
  place: number,
): AsyncGenerator<JsonObject> {
  /** The file with `{}` in the place of each entry. */
  const rest = new Bytes(place);
  const entry = new Bytes(place);
  let [depth, isQuoted, isEscaped, isList, hasList] = [0, false, false, false, false];
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      const isEntry = isList && depth >= 2 && (depth > 2 || byte === OPEN_OBJECT);
      (isEntry ? entry : rest).add(byte);
      if (isQuoted) {
        if (isEscaped) isEscaped = false;
        else if (byte === BACKSLASH) isEscaped = true;
        else if (byte === QUOTATION_MARK) isQuoted = false;
      } else if (byte === QUOTATION_MARK) {
        isQuoted = true;
      } else if (byte === OPEN_LIST || byte === OPEN_OBJECT) {
        depth++;
        if (depth === 2 && rest.endsLike(/"entries"\s*:\s*\[$/)) {
          if (hasList) refuseFile("day_one.json", place);
          [isList, hasList] = [true, true];
        }
      } else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        depth--;
        if (isEntry && depth === 2) {
          yield entry.parse();
          rest.add(OPEN_OBJECT);
          rest.add(CLOSE_OBJECT);
        }
        if (depth < 2) isList = false;
      }
    }
  }
  const { entries } = rest.parse();
  if (!Array.isArray(entries) || !entries.every(isJsonObject)) refuseFile("day_one.json", place);
}

class Bytes {
  readonly #place: number;
  #bytes = Buffer.alloc(64 * 1024);
  #length = 0;

  constructor(place: number) {
    this.#place = place;
  }

  add(byte: number): void {
    if (this.#length === this.#bytes.length) {
      if (this.#length >= VALUE_BYTES) refuseFile("day_one.json", this.#place);
      this.#bytes = Buffer.concat([this.#bytes], 2 * this.#length);
    }
    this.#bytes[this.#length++] = byte;
  }

  endsLike(pattern: RegExp): boolean {
    return pattern.test(
      this.#bytes.toString("latin1", Math.max(0, this.#length - 100), this.#length),
    );
  }

  /** Reads the object, and begins another one. */
  parse(): JsonObject {
    const text = decodeText(this.#bytes.subarray(0, this.#length), this.#place);
    this.#length = 0;
    try {
      const value: JsonValue = JSON.parse(text);
      return isJsonObject(value) ? value : refuseFile("day_one.json", this.#place);
    } catch {
      return refuseFile("day_one.json", this.#place);
    }
  }
}
