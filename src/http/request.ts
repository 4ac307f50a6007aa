import { SAFE_METHODS } from "../access/credentials.ts";
import { newId } from "../core/ids.ts";
import type { JsonValue } from "../core/json.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { decodeJsonBytes } from "../validate/json_safety.ts";
import { within } from "../core/deadline.ts";
import { readBytes } from "../core/read_bytes.ts";
import { readEmptyBody } from "../validate/schema.ts";
import type { BodyRule } from "./route.ts";

export const MAX_BODY_BYTES = 2 * 1024 * 1024;
/** The time limit for a JSON body, and for a pause within an upload. */
const BODY_TIMEOUT_MS = 30_000;

interface BodyLimits {
  readonly bytes: number;
  readonly timeoutMs: number;
  /** Aborts when nothing waits for the body. */
  readonly ended?: AbortSignal | undefined;
}

export const SIGNED_IN_BODY: BodyLimits = {
  bytes: MAX_BODY_BYTES,
  timeoutMs: BODY_TIMEOUT_MS,
};
export const PUBLIC_BODY: BodyLimits = { bytes: 16 * 1024, timeoutMs: 5_000 };

/** The time before an upload's rate is checked. */
const UPLOAD_GRACE_MS = 60_000;
/** How often a running upload's credential is checked. */
const CONFIRM_EVERY_MS = 60_000;
/** Minimum rate after `UPLOAD_GRACE_MS`. */
const UPLOAD_BYTES_PER_SECOND = 1024;

// A request id is logged and stored, so it must not look like a credential of this service.
const REQUEST_ID = /^(?!.*prs_[a-z]_)[A-Za-z0-9_-]{8,64}$/;

/** The client's own if it is well-formed, otherwise a new one. */
export function requestIdOf(request: Request, now: Date): string {
  const sent = request.headers.get("X-Request-Id");
  return sent !== null && REQUEST_ID.test(sent) ? sent : newId(now);
}

/**
 * Returns the key without quotes, or null if the header is missing.
 *
 * @throws ServiceError `PAYLOAD_INVALID` unless it is 1 to 255 visible ASCII characters.
 */
export function idempotencyKeyOf(request: Request): string | null {
  const sent = request.headers.get("Idempotency-Key");
  if (sent === null) return null;
  const key = /^".*"$/.test(sent) ? sent.slice(1, -1) : sent;
  if (!/^[\x21-\x7e]{1,255}$/.test(key)) throw payloadInvalid(["idempotency_key.format"]);
  return key;
}

/**
 * Reads the body that the route expects; null for a route without one.
 *
 * @throws ServiceError `HTTP_415` for an encoded body, before any of it is read; as `readJsonBody`.
 */
export async function readRequestBody(
  rule: BodyRule,
  request: Request,
  limits: BodyLimits,
): Promise<JsonValue> {
  if (rule === "ignored") return null;
  if (!SAFE_METHODS.has(request.method)) assertNotEncoded(request.headers);
  if (rule === "stream") return null;
  if (rule === "none") {
    if (!SAFE_METHODS.has(request.method)) {
      readEmptyBody(await readJsonBody(request, true, limits));
    }
    return null;
  }
  return await readJsonBody(request, rule === "optional-json", limits);
}

/**
 * Reads a JSON body.
 *
 * @returns the value; an empty object if the body is missing and `optional`.
 * @throws ServiceError `HTTP_415` for another media type, `HTTP_413` beyond `limits.bytes`,
 *   announced or received, `HTTP_408` after `limits.timeoutMs`, `PAYLOAD_INVALID` for unsafe JSON.
 */
export async function readJsonBody(
  request: Request,
  optional: boolean,
  { bytes: maximum, timeoutMs, ended }: BodyLimits = SIGNED_IN_BODY,
): Promise<JsonValue> {
  if (optional && request.body === null) return {};
  if (!isJson(request.headers.get("Content-Type"))) {
    if (!optional) throw unsupportedMediaType();
    // Some clients send an empty stream without a media type.
    const readNone = (reader: BodyReader) => readBytes(reader, 0, unsupportedMediaType);
    await readBody(request, { timeoutMs, ended }, readNone);
    return {};
  }
  const readAll = (reader: BodyReader) => readBytes(reader, maximum, () => bodyTooLarge(maximum));
  const bytes = await readBody(request, { timeoutMs, ended }, readAll) ?? new Uint8Array();
  return optional && bytes.length === 0 ? {} : decodeJsonBytes(bytes);
}

/** A compressed body would be stored as it is, or could unpack to any size. */
export function assertNotEncoded(headers: Headers): void {
  const encoding = headers.get("Content-Encoding") ?? "identity";
  if (encoding.toLowerCase() !== "identity") throw unsupportedMediaType();
}

function isJson(contentType: string | null): boolean {
  return contentType !== null && /^application\/json\s*(;|$)/i.test(contentType);
}

export function unsupportedMediaType(): ServiceError {
  return new ServiceError("HTTP_415");
}

export function bodyTooLarge(limit: number): ServiceError {
  return new ServiceError("HTTP_413", { details: { limit } });
}

type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/**
 * Reads a body, and abandons it after an error.
 *
 * @returns null if there is none.
 * @throws ServiceError `HTTP_408` after `timeoutMs`; the errors of `read`.
 */
export async function readBody<T>(
  request: Request,
  { timeoutMs, ended }: Omit<BodyLimits, "bytes">,
  read: (reader: BodyReader) => Promise<T>,
): Promise<T | null> {
  if (request.body === null) return null;
  const reader = request.body.getReader();
  const cancel = () => void reader.cancel().catch(() => {});
  ended?.addEventListener("abort", cancel);
  try {
    return await arriving(timeoutMs, read(reader));
  } catch (error) {
    cancel();
    throw error;
  } finally {
    ended?.removeEventListener("abort", cancel);
  }
}

/**
 * Returns an upload's bytes. The upload may take a minute, or longer if at least 1 KiB per second
 * has arrived, and may not pause for half a minute. The stream fails with `HTTP_408` if the upload
 * is slower or the client disconnects, and with errors of `confirm`, which checks every minute that
 * the credential has not ended.
 *
 * @param now Returns the time in milliseconds.
 */
export function uploadStream(
  request: Request,
  now: () => number,
  confirm: () => Promise<void>,
): ReadableStream<Uint8Array> {
  const reader = (request.body ?? new Blob([]).stream()).getReader();
  const begun = now();
  let confirmed = begun;
  let size = 0;
  const read = async () => {
    if (now() - confirmed >= CONFIRM_EVERY_MS) {
      await confirm();
      confirmed = now();
    }
    const due = begun + UPLOAD_GRACE_MS + size / UPLOAD_BYTES_PER_SECOND * 1000;
    const left = due - now();
    if (left <= 0) throw stalled();
    return await arriving(Math.min(BODY_TIMEOUT_MS, left), reader.read());
  };
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await read();
        if (done) return controller.close();
        size += value.length;
        controller.enqueue(value);
      } catch (error) {
        reader.cancel().catch(() => {});
        throw error;
      }
    },
    async cancel(reason) {
      await reader.cancel(reason);
    },
  });
}

/** A client that disconnects within its body gets no response. */
async function arriving<T>(timeoutMs: number, reading: Promise<T>): Promise<T> {
  try {
    return await within(timeoutMs, reading, stalled);
  } catch (error) {
    throw error instanceof ServiceError ? error : stalled(error);
  }
}

/**
 * Closes the connection, because the rest of the body may still arrive, and must not be parsed as
 * the next request.
 */
function stalled(cause?: unknown): ServiceError {
  return new ServiceError("HTTP_408", { headers: { Connection: "close" }, cause });
}
