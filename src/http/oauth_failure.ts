import { OAUTH_ERRORS, OAuthError, type OAuthErrorCode } from "../errors/oauth_error.ts";
import type { PublicFailure } from "../errors/public_error.ts";
import { bareJson, type TextReply } from "./reply.ts";

/** Returns a failure as `{ error, error_description }`, with the status that it has elsewhere. */
export function toOAuthReply(error: unknown, { status, headers }: PublicFailure): TextReply {
  const code = error instanceof OAuthError ? error.error : oauthErrorOf(status);
  return bareJson(status, { error: code, error_description: OAUTH_ERRORS[code] }, headers);
}

/**
 * Returns the code of a failure without its own. A 429 or 503 must not look like a refused token:
 * clients would then ask the person to sign in again.
 */
export function oauthErrorOf(status: number): OAuthErrorCode {
  if (status === 429 || status === 503) return "temporarily_unavailable";
  return status < 500 ? "invalid_request" : "server_error";
}
