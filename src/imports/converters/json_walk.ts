/**
 * Walks a JSON text of any size. Only the values that its reader takes are parsed, one at a time
 * and within limits; all others are skipped.
 */

import { isUtf8 } from "node:buffer";
import { GrowingBytes } from "../../core/growing_bytes.ts";
import type { JsonValue } from "../../core/json.ts";

/** Maximum bytes, levels and values of a parsed value. A larger one is refused alone. */
export const PARSED_LIMITS = { bytes: 4 * 1024 * 1024, depth: 64, nodes: 200_000 } as const;

export type ParsedRule = "import.item_size" | "json.depth" | "json.nodes";

export type JsonKind = "object" | "array" | "string" | "scalar";

/** Keys and positions from the outermost value. The walk reuses the array. */
export type JsonPath = readonly (string | number)[];

/** Whether the walk enters a value, takes (parses) it, or skips it. */
export type Choice = "enter" | "take" | "skip";
export type Choose = (path: JsonPath, kind: JsonKind) => Choice;

/** A value, reported at its end. */
export interface JsonPart {
  readonly path: JsonPath;
  readonly kind: JsonKind;
  /** Offsets in the stream. A string includes its quotation marks. */
  readonly start: number;
  readonly end: number;
  /** Present if the value was taken and parsed. */
  readonly value?: JsonValue;
  /** The broken rule of a value that was taken; it is not parsed. */
  readonly rule?: ParsedRule;
  /** Members or elements of a value that was entered. */
  readonly length: number;
}

/** The text is not JSON, or a value that was taken is not UTF-8. */
export class JsonTextError extends Error {
  override readonly name = "JsonTextError";
  readonly isEncoding: boolean;

  constructor(isEncoding = false) {
    super("The text is not JSON");
    this.isEncoding = isEncoding;
  }
}

/**
 * Reports each value that was entered, taken or skipped, after the values in it.
 *
 * @throws JsonTextError after the parts before the fault.
 */
export async function* walkJson(
  chunks: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  choose: Choose,
): AsyncGenerator<JsonPart> {
  const walker = new JsonWalker(choose);
  for await (const chunk of chunks) for (const part of walker.read(chunk)) yield part;
  // Ends a number that is the whole text.
  for (const part of walker.read(Uint8Array.of(LINE_FEED))) yield part;
  if (!walker.isDone) throw new JsonTextError();
}

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTATION_MARK = 0x22;
const COMMA = 0x2c;
const COLON = 0x3a;
const OPEN_LIST = 0x5b;
const BACKSLASH = 0x5c;
const CLOSE_LIST = 0x5d;
const OPEN_OBJECT = 0x7b;
const CLOSE_OBJECT = 0x7d;

/** UTF-8's byte order mark, accepted at the start. */
const MARK = [0xef, 0xbb, 0xbf];
const SCALAR = /^(?:true|false|null|-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?)$/;
/** Maximum bytes of a number, and of a key of an entered object. */
const MAX_TOKEN_BYTES = 1024;
/** Brackets are compared up to this depth; deeper ones are only counted. */
const COMPARED_LEVELS = 1024;

type Expected = "value" | "firstElement" | "firstKey" | "key" | "colon" | "comma" | "nothing";

/** A value that is taken or skipped. */
interface Passed {
  readonly kind: JsonKind;
  readonly start: number;
  /** The depth around it. */
  readonly depth: number;
  readonly isTaken: boolean;
  nodes: number;
  rule?: ParsedRule;
}

interface Entered {
  readonly kind: "object" | "array";
  readonly start: number;
  length: number;
}

class JsonWalker {
  readonly #choose: Choose;
  readonly #path: (string | number)[] = [];
  readonly #entered: Entered[] = [];
  readonly #closings: number[] = [];
  readonly #kept = new GrowingBytes(64 * 1024);
  #depth = 0;
  #expected: Expected = "value";
  #passed: Passed | null = null;
  /** The token that the next byte continues. */
  #token: "string" | "key" | "scalar" | "deep" | null = null;
  #isEscaped = false;
  #scalar = "";
  #chunk: Uint8Array = new Uint8Array();
  /** Offset of the chunk in the stream. */
  #offset = 0;
  /** Position in the chunk of the first kept byte; null if none is kept. */
  #keptFrom: number | null = null;

  constructor(choose: Choose) {
    this.#choose = choose;
  }

  get isDone(): boolean {
    return this.#expected === "nothing" && this.#token === null;
  }

  /** @throws JsonTextError */
  *read(chunk: Uint8Array): Generator<JsonPart> {
    this.#chunk = chunk;
    if (this.#keptFrom !== null) this.#keptFrom = 0;
    for (let at = 0; at < chunk.length;) {
      let part: JsonPart | null = null;
      if (this.#token === null) {
        const byte = chunk[at] ?? 0;
        if (!isSpace(byte)) part = this.#readByte(byte, at);
        // The first byte of a scalar is read again with the others.
        if (this.#token !== "scalar") at++;
      } else {
        at = this.#token === "scalar" ? this.#skipScalar(at) : this.#skipString(at);
        if (at === -1) break;
        part = this.#endToken(at);
      }
      if (part !== null) yield part;
    }
    this.#keep(chunk.length);
    this.#offset += chunk.length;
  }

  /** Reads a byte outside tokens. */
  #readByte(byte: number, at: number): JsonPart | null {
    if (this.#depth > COMPARED_LEVELS) return this.#readDeep(byte);
    switch (this.#expected) {
      case "firstElement":
        return byte === CLOSE_LIST ? this.#close(byte, at) : this.#begin(byte, at);
      case "value":
        if (this.#offset + at < MARK.length && byte === MARK[this.#offset + at]) return null;
        return this.#begin(byte, at);
      case "firstKey":
        return byte === CLOSE_OBJECT ? this.#close(byte, at) : this.#beginKey(byte, at);
      case "key":
        return this.#beginKey(byte, at);
      case "colon":
        if (byte !== COLON) throw new JsonTextError();
        this.#expected = "value";
        return null;
      case "comma":
        if (byte !== COMMA) return this.#close(byte, at);
        this.#expected = this.#closings.at(-1) === CLOSE_OBJECT ? "key" : "value";
        return null;
      case "nothing":
        throw new JsonTextError();
    }
  }

  /** Counts the brackets of levels that are not compared. */
  #readDeep(byte: number): null {
    if (byte === QUOTATION_MARK) this.#token = "deep";
    else if (byte === OPEN_LIST || byte === OPEN_OBJECT) this.#depth++;
    else if (byte === CLOSE_LIST || byte === CLOSE_OBJECT) this.#depth--;
    if (this.#depth === COMPARED_LEVELS) this.#expected = "comma";
    return null;
  }

  #beginKey(byte: number, at: number): null {
    if (byte !== QUOTATION_MARK) throw new JsonTextError();
    this.#token = "key";
    if (this.#passed === null) this.#beginKeeping(at);
    return null;
  }

  #begin(byte: number, at: number): null {
    const kind = kindOf(byte);
    if (this.#passed === null) this.#beginChosen(kind, at);
    else if (this.#passed.isTaken) this.#countNode(this.#passed);
    if (kind === "string" || kind === "scalar") {
      this.#token = kind;
      this.#scalar = "";
      return null;
    }
    if (++this.#depth > COMPARED_LEVELS) return null;
    this.#closings.push(kind === "object" ? CLOSE_OBJECT : CLOSE_LIST);
    this.#expected = kind === "object" ? "firstKey" : "firstElement";
    return null;
  }

  #beginChosen(kind: JsonKind, at: number): void {
    const around = this.#entered.at(-1);
    if (around !== undefined) {
      if (around.kind === "array") this.#path[this.#path.length - 1] = around.length;
      around.length++;
    }
    const choice = this.#choose(this.#path, kind);
    const start = this.#offset + at;
    if (choice === "enter" && (kind === "object" || kind === "array")) {
      this.#entered.push({ kind, start, length: 0 });
      this.#path.push("");
      return;
    }
    const isTaken = choice === "take";
    this.#passed = { kind, start, depth: this.#depth, isTaken, nodes: 1 };
    if (isTaken) this.#beginKeeping(at);
  }

  #countNode(passed: Passed): void {
    if (++passed.nodes > PARSED_LIMITS.nodes) passed.rule ??= "json.nodes";
    if (this.#depth - passed.depth >= PARSED_LIMITS.depth) passed.rule ??= "json.depth";
  }

  #close(byte: number, at: number): JsonPart | null {
    if (byte !== this.#closings.pop()) throw new JsonTextError();
    this.#depth--;
    return this.#endValue(at + 1);
  }

  /** @param at The position after the value. */
  #endValue(at: number): JsonPart | null {
    this.#expected = this.#depth === 0 ? "nothing" : "comma";
    const passed = this.#passed;
    const end = this.#offset + at;
    if (passed === null) {
      const entered = this.#entered.pop();
      if (entered === undefined) throw new JsonTextError();
      this.#path.pop();
      return { path: this.#path, ...entered, end };
    }
    if (this.#depth > passed.depth) return null;
    const { kind, start, isTaken } = passed;
    const part = { path: this.#path, kind, start, end, length: 0 };
    if (isTaken) this.#endKeeping(at);
    this.#passed = null;
    if (passed.rule !== undefined) return { ...part, rule: passed.rule };
    return isTaken ? { ...part, value: this.#parse() } : part;
  }

  /** @param at The position after the token. */
  #endToken(at: number): JsonPart | null {
    const token = this.#token;
    this.#token = null;
    if (token === "deep") return null;
    if (token === "scalar" && !SCALAR.test(this.#scalar)) throw new JsonTextError();
    if (token !== "key") return this.#endValue(at);
    this.#expected = "colon";
    if (this.#passed !== null) return null;
    this.#endKeeping(at);
    if (this.#kept.length > MAX_TOKEN_BYTES) throw new JsonTextError();
    this.#path[this.#path.length - 1] = String(this.#parse());
    return null;
  }

  /** The position after a string; -1 if the chunk does not end it. */
  #skipString(from: number): number {
    const chunk = this.#chunk;
    for (let at = from; at < chunk.length; at++) {
      const byte = chunk[at] ?? 0;
      if (this.#isEscaped) this.#isEscaped = false;
      else if (byte === BACKSLASH) this.#isEscaped = true;
      else if (byte === QUOTATION_MARK) return at + 1;
      else if (byte < SPACE) throw new JsonTextError();
    }
    return -1;
  }

  /** The position after a number or word; -1 if the chunk does not end it. */
  #skipScalar(from: number): number {
    const chunk = this.#chunk;
    let at = from;
    while (isScalarByte(chunk[at])) at++;
    this.#scalar += LATIN1.decode(chunk.subarray(from, at));
    if (this.#scalar.length > MAX_TOKEN_BYTES) throw new JsonTextError();
    return at < chunk.length ? at : -1;
  }

  #beginKeeping(at: number): void {
    this.#kept.cut(0);
    this.#keptFrom = at;
  }

  #endKeeping(at: number): void {
    this.#keep(at);
    this.#keptFrom = null;
  }

  /** Keeps the chunk's bytes before `at` that belong to a value or key to be parsed. */
  #keep(at: number): void {
    const passed = this.#passed;
    if (this.#keptFrom === null || passed?.rule !== undefined) return;
    const bytes = this.#chunk.subarray(this.#keptFrom, at);
    this.#keptFrom = at;
    const isTooLong = this.#kept.length + bytes.length > PARSED_LIMITS.bytes;
    if (!isTooLong) this.#kept.add(bytes);
    else if (passed === null) throw new JsonTextError();
    else passed.rule = "import.item_size";
  }

  #parse(): JsonValue {
    const bytes = this.#kept.view;
    try {
      return JSON.parse(UTF8.decode(bytes));
    } catch {
      throw new JsonTextError(!isUtf8(bytes));
    }
  }
}

const UTF8 = new TextDecoder("utf-8", { fatal: true });
const LATIN1 = new TextDecoder("latin1");

function isSpace(byte: number): boolean {
  return byte === SPACE || byte === LINE_FEED || byte === CARRIAGE_RETURN || byte === TAB;
}

function kindOf(byte: number): JsonKind {
  if (byte === OPEN_OBJECT) return "object";
  if (byte === OPEN_LIST) return "array";
  return byte === QUOTATION_MARK ? "string" : "scalar";
}

/** Letters, digits, `+`, `-` and `.`. */
function isScalarByte(byte = 0): boolean {
  return byte >= 0x61 && byte <= 0x7a || byte >= 0x30 && byte <= 0x39 || byte === 0x45 ||
    byte === 0x2b || byte === 0x2d || byte === 0x2e;
}
