/**
 * The only parser of JSON from clients. Its results are safe to copy, merge, store and return again
 * (specification, Generic record).
 */
import type { JsonValue } from "../core/json.ts";
import { JSON_CEILINGS, refuseJson, type StructureCeilings } from "./json_limits.ts";
import { JsonReader } from "./json_reader.ts";

/** The byte order mark is kept, so that the reader rejects it like any other unexpected character. */
const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/**
 * Decodes and parses a JSON text in UTF-8 (specification, Generic record; Limits).
 *
 * @throws {ServiceError} `PAYLOAD_INVALID` with the rule `json.encoding` if the bytes are not well-formed
 * UTF-8, otherwise with the rules of {@linkcode parseJson}; a byte order mark is `json.syntax`.
 */
export function decodeJsonBytes(
  bytes: Uint8Array,
  ceilings: StructureCeilings = JSON_CEILINGS,
): JsonValue {
  return parseJson(decodeUtf8(bytes), ceilings);
}

/**
 * Parses a JSON text (RFC 8259) within limits; by default the public ones: 32 levels, 20,000 values. Keys
 * have at most 128 code points, are distinct within an object and not dangerous; numbers are finite, and
 * text has no U+0000 or lone surrogates, plain or as escapes (specification, Generic record).
 *
 * @throws {ServiceError} `PAYLOAD_INVALID` with the violated {@linkcode JsonRule}; never with any part of
 * the text.
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
