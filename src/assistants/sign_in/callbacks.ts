/** The callbacks that an owner types for a program that the service does not know. */

import { payloadInvalid } from "../../errors/service_error.ts";
import type { Schema } from "../../validate/schema.ts";
import {
  MAX_CALLBACK_LENGTH,
  MAX_TYPED_CALLBACKS,
  type Program,
  toTypedCallback,
} from "./programs.ts";

/** Callbacks as they are stored; equal ones count once. */
export const typedCallbacks: Schema<readonly string[]> = {
  check(value, field, violations) {
    if (!Array.isArray(value) || !value.every((item) => typeof item === "string")) {
      return violations.add("field.type", field);
    }
    const callbacks = value.map(toTypedCallback).filter((callback) => callback !== null);
    if (callbacks.length < value.length) violations.add("callback.format", field);
    return [...new Set(callbacks)];
  },
  json: { type: "array", items: { type: "string", maxLength: MAX_CALLBACK_LENGTH }, minItems: 1 },
};

/**
 * Returns the column of a program's typed callbacks, null if it has none.
 *
 * @throws ServiceError `PAYLOAD_INVALID`, rule `callback.count`, unless `OTHER` has 1 to 5, and any
 *   other program none.
 */
export function storedCallbacks(
  program: Program,
  typed: readonly string[] | undefined,
): string | null {
  const isCounted = program === "OTHER"
    ? typed !== undefined && typed.length > 0 && typed.length <= MAX_TYPED_CALLBACKS
    : typed === undefined;
  if (!isCounted) throw payloadInvalid(["callback.count"], ["callbacks"]);
  return typed?.join(" ") ?? null;
}
