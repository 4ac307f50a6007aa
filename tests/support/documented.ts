import { assert } from "@std/assert";
import type { App } from "../../src/app.ts";
import type { ErrorCode } from "../../src/errors/codes.ts";
import { createRouter } from "../../src/http/router.ts";
import { errorCodesOf } from "../../src/openapi/errors.ts";

/** Fails a test on undocumented errors: every test checks the error codes. */
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
      const { error }: { error: { code: ErrorCode | number } } = await response.clone().json();
      // A failure of JSON-RPC has a number, in a form that its own suite checks.
      if (typeof error.code === "number") return response;
      const label = `${request.method} ${match.route.path} does not document ${error.code}`;
      assert(errorCodesOf(match.route).includes(error.code), label);
      return response;
    },
  };
}
