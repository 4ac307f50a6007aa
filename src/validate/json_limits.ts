import { payloadInvalid } from "../errors/service_error.ts";

/** The limits are inclusive. */
export interface StructureCeilings {
  /** Including the outermost container. */
  readonly depth: number;
  /** Every object, array, string, number, boolean and null counts one. */
  readonly nodes: number;
  /**
   * Also accepts integers beyond ±(2^53 − 1), in the form in which the service writes them: stored
   * payloads have them from an earlier release, or from a number with an exponent. False by
   * default.
   */
  readonly storedIntegers?: boolean;
}

export const JSON_CEILINGS = {
  depth: 32,
  nodes: 20_000,
  /** Unicode code points of one key. */
  keyCodePoints: 128,
} as const satisfies StructureCeilings & { readonly keyCodePoints: number };

/** Stable names of the reasons to reject JSON. */
type JsonRule =
  | "json.encoding"
  | "json.syntax"
  | "json.depth"
  | "json.nodes"
  | "json.key"
  | "json.key_length"
  | "json.duplicate_key"
  | "json.number"
  | "json.text";

/** @throws ServiceError `PAYLOAD_INVALID` with the rule, and nothing of the text. */
export function refuseJson(rule: JsonRule): never {
  throw payloadInvalid([rule]);
}

/** Code that copies the key to another object could change or shadow its prototype. */
export function isDangerousKey(key: string): boolean {
  return key === "__proto__" || key === "prototype" || key === "constructor";
}
