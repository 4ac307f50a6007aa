/**
 * The only parser of JSON from clients. Its results are safe to copy, merge, store and return again
 * (specification, Generic record).
 */
import type { JsonValue } from "../core/json.ts";
import { JSON_CEILINGS, refuseJson, type StructureCeilings } from "./json_limits.ts";
import { JsonReader } from "./json_reader.ts";

/** `ignoreBOM` keeps the byte order mark, so that the reader rejects it. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes UTF-8 and parses it (specification, Generic record; Limits).
 *
 * @throws {ServiceError} `PAYLOAD_INVALID` with the rule `json.encoding` if the bytes are not
 *   well-formed UTF-8, otherwise as {@linkcode parseJson}; a byte order mark is `json.syntax`.
 */
export function decodeJsonBytes(
  bytes: Uint8Array,
  ceilings: StructureCeilings = JSON_CEILINGS,
): JsonValue {
  return parseJson(decodeUtf8(bytes), ceilings);
}

/**
 * RFC 8259 within limits; by default 32 levels and 20,000 values. Keys have at most 128 code
 * points, are distinct within an object and not dangerous; numbers are finite, those without
 * fraction and exponent at most ±(2^53 − 1), and text has no U+0000 or lone surrogates, plain or as
 * escapes (specification, Generic record).
 *
 * @throws {ServiceError} `PAYLOAD_INVALID` with the violated {@linkcode JsonRule}; never with any
 *   part of the text.
 */
export function parseJson(text: string, ceilings: StructureCeilings = JSON_CEILINGS): JsonValue {
  if (!text.isWellFormed()) refuseJson("json.text");
  return new JsonReader(text, ceilings).readDocument();
}

function decodeUtf8(bytes: Uint8Array): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    return refuseJson("json.encoding");
  }
}
