/** Forms (`application/x-www-form-urlencoded`) with the parameters of OAuth. */

import { readBytes } from "../../core/read_bytes.ts";
import { OAuthError } from "../../errors/oauth_error.ts";
import {
  assertNotEncoded,
  bodyTooLarge,
  PUBLIC_BODY,
  readBody,
  unsupportedMediaType,
} from "../../http/request.ts";

export const FORM_TYPE = "application/x-www-form-urlencoded";
/** Limits of a body that a program sends. */
export const PROGRAM_BODY = { ...PUBLIC_BODY, bytes: 8 * 1024 };

/** Returns the parameters without empty ones (OAuth 2.1 section 3.1); null if it is malformed. */
export function parseForm(text: string): URLSearchParams | null {
  if (!isPercentEncoded(text)) return null;
  const stated = Array.from(new URLSearchParams(text)).filter(([, value]) => value !== "");
  return new URLSearchParams(stated);
}

/** Returns false for characters that `URLSearchParams` would replace. */
function isPercentEncoded(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Returns true if one of the parameters occurs more than once. */
export function repeatsAny(form: URLSearchParams, names: readonly string[]): boolean {
  return names.some((name) => form.getAll(name).length > 1);
}

/**
 * Reads a request's body as a form.
 *
 * @throws OAuthError `invalid_request` if it is not a form; ServiceError `HTTP_415`, `HTTP_413`,
 *   `HTTP_408`.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const [mediaType = ""] = (request.headers.get("Content-Type") ?? "").split(";");
  if (mediaType.trim().toLowerCase() !== FORM_TYPE) throw unsupportedMediaType();
  assertNotEncoded(request.headers);
  const { bytes: maximum } = PROGRAM_BODY;
  const bytes = await readBody(
    request,
    PROGRAM_BODY,
    (reader) => readBytes(reader, maximum, () => bodyTooLarge(maximum)),
  );
  const form = parseForm(decode(bytes ?? new Uint8Array()));
  if (form === null) throw new OAuthError("invalid_request");
  return form;
}

/** @throws OAuthError `invalid_request` if the bytes are not UTF-8. */
function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw new OAuthError("invalid_request");
  }
}
