/**
 * The platform's parser resolves duplicate keys silently, creates an own `__proto__` and has no
 * limits. This reader rejects these in one pass, in linear time, and integers that a double cannot
 * hold; for accepted texts, its result equals that of `JSON.parse`.
 *
 * A string without escapes is a slice of the text, which keeps the text in memory. A parsed body
 * lives as long as its request, so copying would not help.
 */
import type { JsonObject, JsonValue } from "../core/json.ts";
import {
  isDangerousKey,
  JSON_CEILINGS,
  refuseJson,
  type StructureCeilings,
} from "./json_limits.ts";
import { isLongerThan } from "./text.ts";

const TAB = 0x09;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const SPACE = 0x20;
const QUOTATION_MARK = 0x22;
const PLUS = 0x2b;
const COMMA = 0x2c;
const MINUS = 0x2d;
const FULL_STOP = 0x2e;
const DIGIT_ZERO = 0x30;
const DIGIT_NINE = 0x39;
const COLON = 0x3a;
const UPPER_E = 0x45;
const LEFT_BRACKET = 0x5b;
const BACKSLASH = 0x5c;
const RIGHT_BRACKET = 0x5d;
const LOWER_E = 0x65;
const LOWER_F = 0x66;
const LOWER_N = 0x6e;
const LOWER_T = 0x74;
const LEFT_BRACE = 0x7b;
const RIGHT_BRACE = 0x7d;

/** Recursive descent, bounded by the depth limit. */
export class JsonReader {
  readonly #text: string;
  readonly #ceilings: StructureCeilings;
  #position = 0;
  #nodes = 0;

  constructor(text: string, ceilings: StructureCeilings) {
    this.#text = text;
    this.#ceilings = ceilings;
  }

  readDocument(): JsonValue {
    const value = this.#readValue(0);
    this.#skipWhiteSpace();
    if (this.#position !== this.#text.length) refuseJson("json.syntax");
    return value;
  }

  #readValue(depth: number): JsonValue {
    this.#nodes++;
    if (this.#nodes > this.#ceilings.nodes) refuseJson("json.nodes");
    switch (this.#skipWhiteSpace()) {
      case QUOTATION_MARK:
        return this.#readString();
      case LEFT_BRACE:
        return this.#readObject(depth + 1);
      case LEFT_BRACKET:
        return this.#readArray(depth + 1);
      case LOWER_T:
        return this.#readWord("true", true);
      case LOWER_F:
        return this.#readWord("false", false);
      case LOWER_N:
        return this.#readWord("null", null);
      default:
        return this.#readNumber();
    }
  }

  #readObject(depth: number): JsonObject {
    const object: JsonObject = {};
    if (this.#opensEmpty(RIGHT_BRACE, depth)) return object;
    do {
      if (this.#skipWhiteSpace() !== QUOTATION_MARK) refuseJson("json.syntax");
      const key = this.#readKey();
      if (Object.hasOwn(object, key)) refuseJson("json.duplicate_key");
      if (this.#skipWhiteSpace() !== COLON) refuseJson("json.syntax");
      this.#position++;
      object[key] = this.#readValue(depth);
    } while (this.#continues(RIGHT_BRACE));
    return object;
  }

  #readArray(depth: number): JsonValue[] {
    const array: JsonValue[] = [];
    if (this.#opensEmpty(RIGHT_BRACKET, depth)) return array;
    do {
      array.push(this.#readValue(depth));
    } while (this.#continues(RIGHT_BRACKET));
    return array;
  }

  /** Enters a container. If it closes immediately, leaves it and returns true. */
  #opensEmpty(close: number, depth: number): boolean {
    if (depth > this.#ceilings.depth) refuseJson("json.depth");
    this.#position++;
    if (this.#skipWhiteSpace() !== close) return false;
    this.#position++;
    return true;
  }

  /** True after a comma, false after the closing character. */
  #continues(close: number): boolean {
    const unit = this.#skipWhiteSpace();
    if (unit !== COMMA && unit !== close) refuseJson("json.syntax");
    this.#position++;
    return unit === COMMA;
  }

  #readKey(): string {
    const key = this.#readString();
    if (isDangerousKey(key)) refuseJson("json.key");
    if (isLongerThan(key, JSON_CEILINGS.keyCodePoints)) refuseJson("json.key_length");
    return key;
  }

  #readString(): string {
    const text = this.#text;
    const start = this.#position + 1;
    for (let position = start; position < text.length; position++) {
      const unit = text.charCodeAt(position);
      if (unit === QUOTATION_MARK) {
        this.#position = position + 1;
        return text.slice(start, position);
      }
      if (unit === BACKSLASH) return this.#readEscapedString(start - 1, position);
      if (unit < SPACE) break;
    }
    return refuseJson("json.syntax");
  }

  /** @param position The first escape. */
  #readEscapedString(start: number, position: number): string {
    const text = this.#text;
    while (position < text.length) {
      const unit = text.charCodeAt(position);
      position += unit === BACKSLASH ? 2 : 1;
      if (unit === QUOTATION_MARK) {
        this.#position = position;
        return unescape(text.slice(start, position));
      }
    }
    return refuseJson("json.syntax");
  }

  #readNumber(): number {
    const text = this.#text;
    const start = this.#position;
    if (text.charCodeAt(start) === MINUS) this.#position++;
    if (text.charCodeAt(this.#position) === DIGIT_ZERO) this.#position++;
    else this.#skipDigits();
    const end = this.#position;
    if (text.charCodeAt(this.#position) === FULL_STOP) {
      this.#position++;
      this.#skipDigits();
    }
    const exponent = text.charCodeAt(this.#position);
    if (exponent === LOWER_E || exponent === UPPER_E) {
      this.#position++;
      const sign = text.charCodeAt(this.#position);
      if (sign === PLUS || sign === MINUS) this.#position++;
      this.#skipDigits();
    }
    const literal = text.slice(start, this.#position);
    const number = Number(literal);
    const isExact = this.#position !== end || Number.isSafeInteger(number) ||
      (this.#ceilings.storedIntegers === true && String(number) === literal);
    if (!Number.isFinite(number) || !isExact) refuseJson("json.number");
    return number;
  }

  #skipDigits(): void {
    const text = this.#text;
    let position = this.#position;
    let unit = text.charCodeAt(position);
    while (unit >= DIGIT_ZERO && unit <= DIGIT_NINE) {
      position++;
      unit = text.charCodeAt(position);
    }
    if (position === this.#position) refuseJson("json.syntax");
    this.#position = position;
  }

  #readWord<Value extends JsonValue>(word: string, value: Value): Value {
    if (!this.#text.startsWith(word, this.#position)) refuseJson("json.syntax");
    this.#position += word.length;
    return value;
  }

  /** Returns the next code unit, NaN at the end of the text. */
  #skipWhiteSpace(): number {
    const text = this.#text;
    let position = this.#position;
    let unit = text.charCodeAt(position);
    while (unit === SPACE || unit === LINE_FEED || unit === CARRIAGE_RETURN || unit === TAB) {
      position++;
      unit = text.charCodeAt(position);
    }
    this.#position = position;
    return unit;
  }
}

/** The platform's parser is lenient only outside of strings. */
function unescape(literal: string): string {
  const text = parseStringLiteral(literal);
  if (!text.isWellFormed() || text.includes("\u0000")) refuseJson("json.text");
  return text;
}

function parseStringLiteral(literal: string): string {
  try {
    return String(JSON.parse(literal));
  } catch {
    return refuseJson("json.syntax");
  }
}
