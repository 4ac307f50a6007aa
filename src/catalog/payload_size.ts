import { isJsonObject, type JsonObject, type JsonValue } from "../core/json.ts";
import { canonicalJson, utf8Length } from "../validate/canonical.ts";

/** UTF-8 bytes of a generic record's payload in canonical form. */
export const PAYLOAD_BYTE_LIMIT = 512 * 1024;

/** JSON escapes one UTF-16 unit, such as U+0001, with at most six ASCII characters. */
const BYTES_A_TEXT_UNIT = 6;

/** Enough for any number, boolean or null, and the punctuation around any value. */
const BYTES_A_VALUE = 32;

/** Most payloads are accepted by an estimate that is never below the true size. */
export function isPayloadTooLarge(payload: JsonObject): boolean {
  if (largestPossibleSize(payload) <= PAYLOAD_BYTE_LIMIT) return false;
  return utf8Length(canonicalJson(payload)) > PAYLOAD_BYTE_LIMIT;
}

function largestPossibleSize(value: JsonValue): number {
  if (typeof value === "string") return textSize(value);
  if (Array.isArray(value)) return sum(value.map(largestPossibleSize));
  if (!isJsonObject(value)) return BYTES_A_VALUE;
  return sum(
    Object.entries(value).map(([key, member]) => textSize(key) + largestPossibleSize(member)),
  );
}

function textSize(text: string): number {
  return BYTES_A_VALUE + text.length * BYTES_A_TEXT_UNIT;
}

function sum(sizes: readonly number[]): number {
  return sizes.reduce((total, size) => total + size, BYTES_A_VALUE);
}
