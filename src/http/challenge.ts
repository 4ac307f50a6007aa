import type { PublicFailure } from "../errors/public_error.ts";

/** The path of the document about `/mcp` (RFC 9728 section 3.1). */
export const RESOURCE_DOCUMENT = "/.well-known/oauth-protected-resource/mcp";

const NAME = "WWW-Authenticate";

/**
 * Adds the challenge to the headers of a 401 that has none (RFC 9110 section 11.6.1).
 *
 * @param signInOrigin The origin whose documents tell the client where to sign in (RFC 9728 section
 *   5.1); null if there are none.
 */
export function withChallenge(
  { status, headers }: PublicFailure,
  request: Request,
  signInOrigin: string | null,
): Record<string, string> {
  if (status !== 401 || NAME in headers) return headers;
  const scheme = signInOrigin === null
    ? 'Bearer realm="records"'
    : `Bearer resource_metadata="${signInOrigin}${RESOURCE_DOCUMENT}", scope="mcp"`;
  const error = request.headers.has("Authorization") ? ', error="invalid_token"' : "";
  return { ...headers, [NAME]: `${scheme}${error}` };
}
