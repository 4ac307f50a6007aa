/**
 * The text form of a file (`age -a`, strict RFC 7468): base64 with padding in lines of 64
 * characters between two marks, with blank lines before and after.
 */

import { Buffer } from "node:buffer";
import { AgeError } from "./age_error.ts";
import { ByteReader } from "./byte_reader.ts";

const BEGIN = "-----BEGIN AGE ENCRYPTED FILE-----";
const END = "-----END AGE ENCRYPTED FILE-----";
const COLUMNS = 64;
/** Maximum bytes of blanks before and after the marks. */
const MAX_BLANKS = 1024;

/** Number of bytes that `isArmored` needs. */
export const ARMOR_MARK_BYTES: number = MAX_BLANKS + BEGIN.length;

/** Whether a file that begins with these bytes is in the text form. */
export function isArmored(beginning: Uint8Array): boolean {
  return latin1(beginning).trimStart().startsWith(BEGIN);
}

/**
 * Converts a file in the text form to the binary one, and passes on any other.
 *
 * @throws AgeError if the text form is damaged.
 */
export async function* withoutArmor(file: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  await using reader = new ByteReader(file);
  const beginning = await reader.read(ARMOR_MARK_BYTES);
  if (!isArmored(beginning)) {
    yield beginning;
    return yield* reader.rest();
  }
  const armor = new ArmorReader();
  yield armor.read(beginning);
  for await (const chunk of reader.rest()) yield armor.read(chunk);
  yield armor.end();
}

class ArmorReader {
  #next: "begin" | "body" | "end" | "nothing" = "begin";
  #line = "";
  #blanks = 0;

  /** Returns the bytes of all lines that end in a chunk. */
  read(chunk: Uint8Array): Uint8Array {
    const lines = (this.#line + latin1(chunk)).split("\n");
    this.#line = lines.pop() ?? "";
    if (this.#line.length > MAX_BLANKS) throw damaged();
    return decode(lines.map((line) => this.#readLine(line)).join(""));
  }

  /** Returns no bytes, because the last line is a mark. */
  end(): Uint8Array {
    const bytes = decode(this.#readLine(this.#line));
    if (this.#next !== "nothing") throw damaged();
    return bytes;
  }

  /** Returns the base64 of a line. */
  #readLine(ended: string): string {
    const line = ended.endsWith("\r") ? ended.slice(0, -1) : ended;
    if (this.#next === "begin" || this.#next === "nothing") {
      if (line.trim() === "") this.#countBlanks(ended);
      else if (this.#next === "begin" && line === BEGIN) this.#next = "body";
      else throw damaged();
      return "";
    }
    if (line === END) {
      this.#next = "nothing";
      return "";
    }
    if (this.#next === "end" || line === "" || line.length > COLUMNS) throw damaged();
    if (line.length < COLUMNS || line.endsWith("=")) this.#next = "end";
    return line;
  }

  #countBlanks(line: string): void {
    this.#blanks += line.length + 1;
    if (this.#blanks > 2 * MAX_BLANKS) throw damaged();
  }
}

/** @throws AgeError for any other spelling of the same bytes too. */
function decode(text: string): Uint8Array {
  const bytes = Buffer.from(text, "base64");
  if (bytes.toString("base64") !== text) throw damaged();
  return bytes;
}

function latin1(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString("latin1");
}

function damaged(): AgeError {
  return new AgeError("The file's text form is damaged");
}
