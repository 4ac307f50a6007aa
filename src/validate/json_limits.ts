/**
 * The limits of public JSON, from any source: the size of a request body, the forbidden keys of objects,
 * and the names of the rules (specification, Generic record).
 */
import { payloadInvalid } from "../errors/service_error.ts";

/** How deep and how large a JSON text may be. A value exactly at a ceiling is accepted. */
export interface StructureCeilings {
  /** Containers inside one another, the outermost included. */
  readonly depth: number;
  /** Values in all: every object, array, string, number, boolean and null counts one. */
  readonly nodes: number;
}

/** The ceilings of JSON that a client sends. */
export const JSON_CEILINGS = {
  depth: 32,
  nodes: 20_000,
  /** Unicode code points of one key. */
  keyCodePoints: 128,
} as const satisfies StructureCeilings & { readonly keyCodePoints: number };

/** The stable names of what JSON from a client can be refused for. */
export type JsonRule =
  | "json.encoding"
  | "json.syntax"
  | "json.depth"
  | "json.nodes"
  | "json.key"
  | "json.key_length"
  | "json.duplicate_key"
  | "json.number"
  | "json.text";

/** Throws the `PAYLOAD_INVALID` that names the rule, and nothing of the text. */
export function refuseJson(rule: JsonRule): never {
  throw payloadInvalid([rule]);
}

/** Whether code that copies the key to another object could reach or shadow that one's prototype. */
export function isDangerousKey(key: string): boolean {
  return key === "__proto__" || key === "prototype" || key === "constructor";
}
