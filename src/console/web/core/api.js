/**
 * The specification's client of the API. It can be used outside the console as it is:
 *
 *     const { data } = await send("POST", "/api/v2/records/health", { body, key: newKey() });
 *
 * A write that may be repeated is given an Idempotency-Key once, and keeps it for every repetition: the
 * service then does it once, however often it arrives. Failures are thrown as `ApiError`.
 */

/**
 * @typedef {object} Options
 * @property {unknown} [body] Sent as JSON.
 * @property {string} [key] The Idempotency-Key.
 * @property {string} [proof] A step-up proof.
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {AbortSignal} [signal]
 */

/**
 * @typedef {object} Result
 * @property {number} status
 * @property {any} data
 * @property {Headers} headers
 */

/** What a status means where the body does not say it (specification, Errors, rule 5). */
const FALLBACK = /** @type {Readonly<Record<number, string>>} */ ({
  400: "PAYLOAD_INVALID",
  401: "AUTH_REQUIRED",
  403: "FORBIDDEN",
  404: "HTTP_404",
  409: "HTTP_409",
  413: "HTTP_413",
  429: "HTTP_429",
  503: "HTTP_503",
});

/** A request that was refused, or did not arrive. */
export class ApiError extends Error {
  /**
   * @param {string} code The service's stable code; `NETWORK_ERROR` where no response came.
   * @param {{ status?: number, details?: any, requestId?: string | null, retryAfter?: number | null }}
   * [about]
   */
  constructor(code, { status = 0, details = {}, requestId = null, retryAfter = null } = {}) {
    super(code);
    this.name = "ApiError";
    this.code = code;
    this.status = status;
    this.details = details;
    this.requestId = requestId;
    /** Seconds to wait, where the service says so. */
    this.retryAfter = retryAfter;
  }
}

/** A key that no other write has. */
export function newKey() {
  return crypto.randomUUID();
}

/**
 * Sends one request.
 *
 * @param {string} method
 * @param {string} path
 * @param {Options} [options]
 * @returns {Promise<Result>}
 * @throws {ApiError}
 */
export async function send(method, path, { body, key, proof, headers = {}, signal } = {}) {
  const response = await ask(path, {
    method,
    signal: signal ?? null,
    credentials: "same-origin",
    redirect: "error",
    headers: {
      ...(body !== undefined && { "Content-Type": "application/json" }),
      ...(key !== undefined && { "Idempotency-Key": key }),
      ...(proof !== undefined && { "Step-Up-Proof": proof }),
      ...headers,
    },
    body: body === undefined ? null : JSON.stringify(body),
  });
  const answer = await readJson(response);
  if (!response.ok) throw toError(response, answer);
  // What was done is not known from a broken answer: the same key asks again.
  if (response.status !== 304 && answer?.data === undefined) throw toError(response, null);
  return { status: response.status, data: answer?.data, headers: response.headers };
}

/**
 * @param {string} path
 * @param {RequestInit} request
 */
async function ask(path, request) {
  try {
    return await fetch(path, request);
  } catch (error) {
    if (request.signal?.aborted) throw error;
    throw new ApiError("NETWORK_ERROR");
  }
}

/** @param {Response} response */
async function readJson(response) {
  try {
    return JSON.parse(await response.text());
  } catch {
    return null;
  }
}

/**
 * @param {Response} response
 * @param {any} answer
 */
function toError({ status, headers }, answer) {
  const error = answer?.error;
  const isValid = typeof error?.code === "string" && typeof error?.message === "string";
  const seconds = Number(headers.get("Retry-After") ?? NaN);
  return new ApiError(isValid ? error.code : FALLBACK[status] ?? "INTERNAL_ERROR", {
    status,
    details: isValid ? error.details ?? {} : {},
    requestId: headers.get("X-Request-Id"),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}
