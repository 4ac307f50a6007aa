/**
 * A client of the API. It works outside of the console too:
 *
 *     const send = createSender((path, request) => fetch(new URL(path, origin), request));
 *     const { data } = await send("POST", "/api/v2/records/health", { body, key: newKey() });
 *
 * A write that may be repeated has one Idempotency-Key for all repetitions, so the service does it once.
 * Failures are thrown as `ApiError`. `outbox.js` stores and repeats writes that could not be sent.
 */

/**
 * @typedef {object} Options
 * @property {unknown} [body] Sent as JSON.
 * @property {string} [key] The Idempotency-Key.
 * @property {string} [proof] A step-up proof.
 * @property {Readonly<Record<string, string>>} [headers]
 * @property {AbortSignal} [signal] Ends the request; one of `AbortSignal.timeout` as `NETWORK_ERROR`.
 */

/**
 * @typedef {object} Result
 * @property {number} status
 * @property {any} data
 * @property {Headers} headers
 */

/** The meaning of a status if the body does not state it (specification, Errors, rule 5). */
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
   * @param {string} code The service's stable code; `NETWORK_ERROR` without a response.
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
    /** Seconds to wait, if the service states them. */
    this.retryAfter = retryAfter;
  }
}

/** A key that no other write has. */
export function newKey() {
  // `randomUUID` is missing if the page came over plain HTTP from another machine.
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/**
 * Makes the function that sends requests.
 *
 * @param {(path: string, request: RequestInit) => Promise<Response>} fetch Reaches the service; another
 * client adds its credential here.
 */
export function createSender(fetch) {
  /**
   * Sends one request.
   *
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
    // A broken response does not show whether the write was done: repeat it with the same key.
    if (response.status !== 304 && answer?.data === undefined) throw toError(response, null);
    return { status: response.status, data: answer?.data, headers: response.headers };
  };
}

/** Sends one request from a page of the service. */
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
    // The request reached the service, and its response broke off or is not JSON.
    return { response, answer: null };
  }
}

/**
 * The error of an unsuccessful response: by its body, or by its status if the body does not state it.
 *
 * @param {{ status: number, headers: Headers }} response
 * @param {any} answer The parsed body; null for none.
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
