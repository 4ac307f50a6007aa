import { assert, assertEquals } from "@std/assert";
import type { App } from "../../src/app.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { RESOURCE_DOCUMENT } from "../../src/http/challenge.ts";
import { createRouter } from "../../src/http/router.ts";
import { errorCodesOf } from "../../src/openapi/errors.ts";

/**
 * Fails a test on an undocumented error, and on a 401 that does not say how to authenticate: every
 * test checks both.
 */
export function asDocumented(app: App): App {
  const find = createRouter(app.routes);
  const hasSignIn = app.routes.some(({ path }) => path === RESOURCE_DOCUMENT);
  return {
    ...app,
    async fetch(request, peer) {
      const response = await app.fetch(request, peer);
      const path = URL.parse(request.url)?.pathname;
      assertChallenge(request, response, { path, hasSignIn });
      const match = path === undefined ? null : find(request.method, path);
      const isFailure = response.status >= 400 && request.method !== "HEAD";
      if (match === null || "allow" in match || !isFailure) return response;
      // A failure that the contract names as a response, in a form of its own.
      if (response.status in match.route.endpoint.contract.responses) return response;
      const { error }: { error: { code: ErrorCode | number } | string } = await response.clone()
        .json();
      // A failure of OAuth, in a form that its own suite checks.
      if (typeof error === "string") return response;
      // A failure of JSON-RPC has a number, in a form that its own suite checks.
      if (typeof error.code === "number") return response;
      const label = `${request.method} ${match.route.path} does not document ${error.code}`;
      assert(errorCodesOf(match.route).includes(error.code), label);
      return response;
    },
  };
}

/** A 401 has exactly one challenge (RFC 9110 section 11.6.1), and no other answer has one. */
function assertChallenge(
  request: Request,
  { status, headers }: Response,
  { path, hasSignIn }: { readonly path: string | undefined; readonly hasSignIn: boolean },
): void {
  const sent = headers.get("WWW-Authenticate");
  if (status !== 401) return assertEquals(sent, null);
  const scheme = path === "/mcp" && hasSignIn
    ? `Bearer resource_metadata="<origin>${RESOURCE_DOCUMENT}", scope="mcp"`
    : 'Bearer realm="records"';
  const error = request.headers.has("Authorization") ? ', error="invalid_token"' : "";
  const isOfClient = sent === 'Basic realm="records"' && path === "/oauth/token";
  if (!isOfClient) assertEquals(sent?.replace(/https?:\/\/[^/"]+/, "<origin>"), scheme + error);
}
