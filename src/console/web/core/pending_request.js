/** Detects requests with an unknown outcome. */

import { ApiError } from "./api.js";

/** Statuses by which the service, or a proxy in front of it, says "not now". */
const NOT_NOW = [408, 429, 502, 503, 504];

/**
 * Whether a write may or may not have been done: it did not arrive, its answer broke off, or the service
 * cannot accept it now. Sending the same request again under the same key finds out.
 *
 * @param {unknown} error
 * @returns {error is ApiError}
 */
export function isOutcomeUnknown(error) {
  if (!(error instanceof ApiError) || error.code === "SYSTEM_MAINTENANCE") return false;
  const { code, status } = error;
  return status < 300 || code === "IDEMPOTENCY_IN_PROGRESS" || NOT_NOW.includes(status);
}
