/** The elements of the list `entries` of a large JSON object, one at a time, so that a journal of any size fits. */

import { isJsonObject, type JsonObject, type JsonValue } from "../../core/json.ts";
import { refuseFile } from "../refusal.ts";
import { decodeText } from "./lines.ts";

const QUOTATION_MARK = 0x22;
const BACKSLASH = 0x5c;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;
/** More than any entry, and any other member of a journal. */
const VALUE_BYTES = 16 * 1024 * 1024;

/**
 * The entries of a journal.
 *
 * @param place The number of the file in its archive.
 * @throws FileRefusal `day_one.json` for any other JSON or an incomplete object, `text.utf8`.
 */
export async function* jsonEntries(
  chunks: AsyncIterable<Uint8Array>,
  place: number,
): AsyncGenerator<JsonObject> {
  const reader = new EntryReader(place);
  for await (const chunk of chunks) {
    for (const byte of chunk) {
      const entry = reader.take(byte);
      if (entry !== null) yield entry;
    }
  }
  reader.end();
}

/** The reader's position: before the object, in it, in its list, or after it. */
type Level = "before" | "object" | "entries" | "after";

/** Reads byte by byte. Values are collected whole, and the platform's parser checks them. */
class EntryReader {
  readonly #place: number;
  #level: Level = "before";
  #bytes = new Uint8Array(64 * 1024);
  #length = 0;
  /** Containers that are open within the value. */
  #depth = 0;
  #isQuoted = false;
  #isEscaped = false;
  /** The name of the member whose value comes; null while a name comes. */
  #key: string | null = null;
  #hasEntries = false;
  /** Whether a comma came last, so that something must follow. */
  #afterComma = false;
  /** Whether a list came last, which is a value without bytes. */
  #afterList = false;

  constructor(place: number) {
    this.#place = place;
  }

  /** Returns an entry when its last byte was taken; otherwise null. */
  take(byte: number): JsonObject | null {
    if (this.#isQuoted) return this.#takeQuoted(byte);
    if (isSpace(byte)) {
      // Within a number or a word a space ends it, so that two of them do not become one.
      if (this.#length > 0) this.#add(byte);
      return null;
    }
    if (this.#level === "before") {
      if (byte !== OPEN_OBJECT) this.#refuse();
      this.#level = "object";
      return null;
    }
    if (this.#level === "after") this.#refuse();
    if (this.#depth === 0) {
      if (byte === COMMA || byte === CLOSE_LIST || byte === CLOSE_OBJECT) {
        return this.#endPart(byte);
      }
      if (this.#level === "object" && byte === COLON && this.#key === null) return this.#takeKey();
      if (this.#beginsList(byte)) return null;
    }
    if (this.#afterList) this.#refuse();
    if (byte === QUOTATION_MARK) this.#isQuoted = true;
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--;
    this.#add(byte);
    return null;
  }

  end(): void {
    if (this.#level !== "after" || !this.#hasEntries) this.#refuse();
  }

  #takeQuoted(byte: number): null {
    this.#add(byte);
    if (this.#isEscaped) this.#isEscaped = false;
    else if (byte === BACKSLASH) this.#isEscaped = true;
    else if (byte === QUOTATION_MARK) this.#isQuoted = false;
    return null;
  }

  #takeKey(): null {
    const key = this.#parse();
    if (typeof key !== "string") this.#refuse();
    this.#key = String(key);
    this.#afterComma = false;
    return null;
  }

  #beginsList(byte: number): boolean {
    const begins = this.#level === "object" && this.#key === "entries" && byte === OPEN_LIST &&
      this.#length === 0;
    if (!begins) return false;
    if (this.#hasEntries) this.#refuse();
    [this.#hasEntries, this.#level, this.#afterComma] = [true, "entries", false];
    return true;
  }

  /** A member or an element ends, and perhaps what contains it. */
  #endPart(byte: number): JsonObject | null {
    const isList = this.#level === "entries";
    if (byte !== COMMA && byte !== (isList ? CLOSE_LIST : CLOSE_OBJECT)) this.#refuse();
    const isEmpty = this.#length === 0 && !this.#afterList;
    // Only an empty container may close without a value.
    if (isEmpty && (byte === COMMA || this.#afterComma || this.#key !== null && !isList)) {
      this.#refuse();
    }
    if (!isEmpty && !isList && this.#key === null) this.#refuse();
    const value = this.#length === 0 ? null : this.#parse();
    this.#afterComma = byte === COMMA;
    this.#afterList = false;
    if (isList) return this.#endElement(byte, value, isEmpty);
    this.#key = null;
    if (byte === CLOSE_OBJECT) this.#level = "after";
    return null;
  }

  #endElement(byte: number, value: JsonValue, isEmpty: boolean): JsonObject | null {
    if (byte === CLOSE_LIST) [this.#level, this.#afterList] = ["object", true];
    if (isEmpty) return null;
    return isJsonObject(value) ? value : this.#refuse();
  }

  #parse(): JsonValue {
    const text = decodeText(this.#bytes.subarray(0, this.#length), this.#place);
    this.#length = 0;
    try {
      return JSON.parse(text);
    } catch {
      return this.#refuse();
    }
  }

  #add(byte: number): void {
    if (this.#length === this.#bytes.length) {
      if (this.#length >= VALUE_BYTES) this.#refuse();
      const longer = new Uint8Array(2 * this.#length);
      longer.set(this.#bytes);
      this.#bytes = longer;
    }
    this.#bytes[this.#length++] = byte;
  }

  #refuse(): never {
    return refuseFile("day_one.json", this.#place);
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x09 || byte === 0x0a || byte === 0x0d;
}
