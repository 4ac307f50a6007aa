/**
 * A client of the API, also usable outside the console:
 *
 *     const send = createSender((path, request) => fetch(new URL(path, origin), request));
 *     const { data } = await send("POST", "/api/v2/records/health", { body, key: newKey() });
 *
 * Repetitions of a write share its Idempotency-Key, so the service does it once. Failures are
 * thrown as `ApiError`. `outbox.js` queues writes that could not be sent.
 */

/**
 * @typedef {object} Options
 * @property {unknown} [body] Sent as JSON.
 * @property {string} [key]
 * @property {string} [proof]
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {AbortSignal} [signal] `AbortSignal.timeout` ends it with `NETWORK_ERROR`.
 */

/**
 * @typedef {object} Result
 * @property {number} status
 * @property {any} data
 * @property {Headers} headers
 */

/** Codes by status, for bodies without one (specification, Errors, rule 5). */
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

export class ApiError extends Error {
  /**
   * @param {string} code `NETWORK_ERROR` without a response.
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
    /** Seconds to wait. */
    this.retryAfter = retryAfter;
  }
}

export function newKey() {
  // `randomUUID` is missing on plain HTTP from another machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * @param {(path: string, request: RequestInit) => Promise<Response>} fetch Another client adds its
 *   credential here.
 */
export function createSender(fetch) {
  /**
   * @param {string} method
   * @param {string} path
   * @param {Options} [options]
   * @returns {Promise<Result>}
   * @throws {ApiError}
   */
  return async (method, path, { body, key, proof, headers = {}, signal } = {}) => {
    const request = {
      method,
      signal: signal ?? null,
      credentials: /** @type {const} */ ("same-origin"),
      redirect: /** @type {const} */ ("error"),
      headers: {
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(key !== undefined && { "Idempotency-Key": key }),
        ...(proof !== undefined && { "Step-Up-Proof": proof }),
        ...headers,
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
    const { response, answer } = await ask(() => fetch(path, request), signal);
    if (!response.ok && response.status !== 304) throw toError(response, answer);
    // A broken response does not show whether the write was done: repeat with the same key.
    if (response.status !== 304 && answer?.data === undefined) throw toError(response, null);
    return { status: response.status, data: answer?.data, headers: response.headers };
  };
}

export const send = createSender((path, request) => fetch(path, request));

/**
 * @param {() => Promise<Response>} fetch
 * @param {AbortSignal | undefined} signal
 */
async function ask(fetch, signal) {
  /** @type {Response | undefined} */
  let response;
  try {
    response = await fetch();
    return { response, answer: JSON.parse(await response.text()) };
  } catch (error) {
    if (signal?.aborted && signal.reason?.name !== "TimeoutError") throw error;
    if (response === undefined) throw new ApiError("NETWORK_ERROR");
    // The response broke off or is not JSON.
    return { response, answer: null };
  }
}

/**
 * The code of the body, or else of the status.
 *
 * @param {{ status: number, headers: Headers }} response
 * @param {any} answer
 */
export function toError({ status, headers }, answer) {
  const error = answer?.error;
  const isValid = /^[A-Z][A-Z0-9_]+$/.test(error?.code) &&
    typeof error.message === "string" && typeof error.requestId === "string";
  const seconds = Number(headers.get("Retry-After") ?? NaN);
  return new ApiError(isValid ? error.code : FALLBACK[status] ?? "INTERNAL_ERROR", {
    status,
    details: isValid ? error.details ?? {} : {},
    requestId: headers.get("X-Request-Id"),
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}
