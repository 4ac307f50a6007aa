import { isJsonObject, type JsonValue } from "../core/json.ts";

/**
 * Names and numbers of a finished operation for its replays, never content (specification,
 * Resources; Versioning 3).
 */
export interface Envelope {
  readonly policy: string;
  readonly recordId: string;
  /** Null for a subject without revisions. */
  readonly revision: number | null;
  readonly executionId?: string;
}

const VERSION = 1;

/** The stored form, version 1. */
export function writeEnvelope(envelope: Envelope): string {
  return JSON.stringify({ v: VERSION, ...envelope });
}

/** True if the subject was erased: only its identifier is left. */
export function isErasedEnvelope(text: string): boolean {
  const value: JsonValue = JSON.parse(text);
  return isJsonObject(value) && Object.keys(value).join() === "v,recordId" && value.v === VERSION;
}

/**
 * @throws Error for an unknown version or shape, or another policy's envelope: corruption, not a
 *   missing envelope.
 */
export function readEnvelope(text: string, expectedPolicy: string): Envelope {
  const value: JsonValue = JSON.parse(text);
  if (!isJsonObject(value) || value.v !== VERSION) {
    throw new Error("Cannot read an idempotency envelope of an unknown version");
  }
  const { policy, recordId, revision, executionId } = value;
  if (
    policy !== expectedPolicy || typeof recordId !== "string" ||
    (revision !== null && typeof revision !== "number") ||
    (executionId !== undefined && typeof executionId !== "string")
  ) {
    throw new Error("Cannot read an idempotency envelope of an unknown shape");
  }
  return executionId === undefined
    ? { policy, recordId, revision }
    : { policy, recordId, revision, executionId };
}
