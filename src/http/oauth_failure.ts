import { OAUTH_ERRORS, OAuthError, type OAuthErrorCode } from "../errors/oauth_error.ts";
import type { PublicFailure } from "../errors/public_error.ts";
import { bareJson, type TextReply } from "./reply.ts";

/**
 * Returns a failure as `{ error, error_description }`, with the status that it has elsewhere, and
 * with `movedTo` if the account has moved.
 */
export function toOAuthReply(error: unknown, { status, body, headers }: PublicFailure): TextReply {
  const code = error instanceof OAuthError ? error.error : oauthErrorOf(status);
  const { movedTo } = body.error.details ?? {};
  const moved = movedTo === undefined ? {} : { movedTo };
  return bareJson(
    status,
    { error: code, error_description: OAUTH_ERRORS[code], ...moved },
    headers,
  );
}

/**
 * Returns the code of a failure without its own. A 429 or 503 must not look like a refused token:
 * clients would then ask the person to sign in again.
 */
export function oauthErrorOf(status: number): OAuthErrorCode {
  if (status === 429 || status === 503) return "temporarily_unavailable";
  // The account has moved, and its tokens have ended.
  if (status === 410) return "invalid_grant";
  return status < 500 ? "invalid_request" : "server_error";
}
