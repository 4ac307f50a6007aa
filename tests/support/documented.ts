import { assert } from "@std/assert";
import type { App } from "../../src/app.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { createRouter } from "../../src/http/router.ts";
import { errorCodesOf } from "../../src/openapi/errors.ts";

/**
 * Wraps the application so that an undocumented failure fails the test: every test of the suite checks the
 * documented error codes.
 */
export function asDocumented(app: App): App {
  const find = createRouter(app.routes);
  return {
    ...app,
    async fetch(request, peer) {
      const response = await app.fetch(request, peer);
      const path = URL.parse(request.url)?.pathname;
      const match = path === undefined ? null : find(request.method, path);
      const isFailure = response.status >= 400 && request.method !== "HEAD";
      if (match === null || "allow" in match || !isFailure) return response;
      const { error }: { error: { code: ErrorCode } } = await response.clone().json();
      const label = `${request.method} ${match.route.path} does not tell of ${error.code}`;
      assert(errorCodesOf(match.route).includes(error.code), label);
      return response;
    },
  };
}
