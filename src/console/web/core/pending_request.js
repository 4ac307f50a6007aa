import { ApiError } from "./api.js";

/** Statuses of the service, or of a proxy in front of it, for "not now". */
const NOT_NOW = [408, 429, 502, 503, 504];

/**
 * Whether a write may have been done. Sending it again under the same key finds out.
 *
 * @param {unknown} error
 * @returns {error is ApiError}
 */
export function isOutcomeUnknown(error) {
  if (!(error instanceof ApiError) || error.code === "SYSTEM_MAINTENANCE") return false;
  const { code, status } = error;
  return status < 300 || code === "IDEMPOTENCY_IN_PROGRESS" || NOT_NOW.includes(status);
}
