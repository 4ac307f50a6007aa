import { ServiceError } from "../../src/errors/service_error.ts";

/** Details of a `PAYLOAD_INVALID`. */
export interface Refusal {
  readonly rules: readonly string[];
  readonly fields: readonly string[];
}

/** Null on success. Other failures are thrown. */
export function refusalOf(action: () => unknown): Refusal | null {
  try {
    action();
    return null;
  } catch (error) {
    if (!(error instanceof ServiceError) || error.code !== "PAYLOAD_INVALID") throw error;
    const { rules, fields } = error.details;
    return { rules: names(rules), fields: names(fields) };
  }
}

function names(detail: unknown): readonly string[] {
  return Array.isArray(detail) ? detail : [];
}
