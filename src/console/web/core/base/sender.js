/** Sends requests: repetitions of a write share its Idempotency-Key. */

import { ApiError, FALLBACK, hasCode } from "./api.js";

/**
 * Repetitions of a write share its Idempotency-Key, so the service does it once. Answers have local
 * times. A write whose zone the service refuses is sent again with the offset alone.
 * @type {(fetch: (path: string, request: RequestInit) => Promise<Response>) => Send}
 */
export function createSender(fetch) {
  /** @type {Send} */
  const sendOnce = async (method, path, { body, key, proof, signal } = {}) => {
    /** @type {RequestInit} */
    const request = {
      method,
      signal: signal ?? null,
      credentials: "same-origin",
      redirect: "error",
      headers: {
        ...(body !== undefined && { "Content-Type": "application/json" }),
        ...(key !== undefined && { "Idempotency-Key": key }),
        ...(proof !== undefined && { "Step-Up-Proof": proof }),
      },
      body: body === undefined ? null : JSON.stringify(body),
    };
    const { response, answer } = await ask(() => fetch(path, request), signal);
    if (!response.ok) throw toError(response, answer);
    // A broken response does not show whether the write was done: repeat with the same key.
    if (answer?.data === undefined) throw toError(response, null);
    return { status: response.status, data: withLocalTimes(answer.data) };
  };
  /** @type {Send} */
  const send = (method, path, options = {}) =>
    sendOnce(method, path, options)
      .catch((error) => send(method, path, withOffsetsAlone(error, options)));
  return send;
}

/** Release 2.0.0 knows no zones, and answers with the last. */
const ZONE_RULES = ["field.time_zone", "field.time_offset", "field.datetime"];

/**
 * The request without the zones that the service refused.
 * @param {unknown} error Thrown again if something else was refused.
 * @param {SendOptions} sent
 */
function withOffsetsAlone(error, { body, key, ...options }) {
  if (!hasCode(error, "PAYLOAD_INVALID")) throw error;
  const { rules = [], fields = [] } = /** @type {ApiError} */ (error).details;
  if (!ZONE_RULES.some((rule) => rules.includes(rule))) throw error;
  const changed = JSON.stringify(
    body,
    (name, value) =>
      fields.includes(name) && typeof value === "string"
        ? value.replace(/([+-]\d\d:\d\d)\[[^\]]*\]$/, "$1")
        : value,
  );
  if (changed === JSON.stringify(body)) throw error;
  // Repetitions have the same new key, so that the write is done once.
  return { ...options, body: JSON.parse(changed), ...(key && { key: `${key}-offset` }) };
}

/**
 * Replaces the owner's times of an answer by their local times, so that they are shown, compared
 * and written back with their clocks.
 * @param {any} data
 */
function withLocalTimes(data) {
  const items = Array.isArray(data?.items) ? data.items : [];
  for (const object of [data, ...items].flatMap((one) => [one, one?.latestSnapshot])) {
    for (const [name, time] of Object.entries(object?.localTimes ?? {})) {
      const holder = [object.payload, object.fields, object].find((each) => each?.[name]);
      if (holder !== undefined) holder[name] = time;
    }
  }
  return data;
}

export const send = createSender((path, request) => fetch(path, request));

/** @param {() => Promise<Response>} fetch @param {AbortSignal | undefined} signal */
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
    retryAfter: Number.isFinite(seconds) ? seconds : null,
  });
}
