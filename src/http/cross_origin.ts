/**
 * What pages of other origins may do in a browser (decisions §1): nothing, but for the origins that
 * the operator lists. A cookie still writes for the service's own origin only; see
 * access/credentials.ts.
 */

import {
  COMMON_REQUEST_HEADERS,
  COMMON_RESPONSE_HEADERS,
  NAMED_REQUEST_HEADERS,
  NAMED_RESPONSE_HEADERS,
  ROUTE_RESPONSE_HEADERS,
} from "./contract.ts";
import type { DataReply } from "./reply.ts";

/** What a page may send, besides what every page may. */
const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  ...NAMED_REQUEST_HEADERS,
  ...COMMON_REQUEST_HEADERS,
].join(", ");

/** What a page may read, besides what every page may. No browser shows a page its cookies this way. */
const RESPONSE_HEADERS = [
  ...NAMED_RESPONSE_HEADERS,
  ...COMMON_RESPONSE_HEADERS,
  ...ROUTE_RESPONSE_HEADERS,
]
  .filter((name) => name !== "Set-Cookie")
  .join(", ");

/** How long a browser remembers what it was allowed. */
const SECONDS_ALLOWED = "600";

/** Speaks to browsers for the origins that are listed. */
export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;

  constructor(origins: readonly string[]) {
    this.#origins = new Set(origins);
  }

  /**
   * The response to a browser that asks ahead whether a page of a listed origin may send a request; null
   * for any other request. `methods` are those of the path.
   */
  preflight(request: Request, methods: readonly string[]): DataReply | null {
    const asks = request.method === "OPTIONS" &&
      request.headers.has("Access-Control-Request-Method");
    if (!asks || !this.#isListed(request)) return null;
    const headers = {
      "Access-Control-Allow-Methods": methods.join(", "),
      "Access-Control-Allow-Headers": REQUEST_HEADERS,
      "Access-Control-Max-Age": SECONDS_ALLOWED,
    };
    return { status: 204, headers };
  }

  /** Lets a page of a listed origin read a response. */
  mark(request: Request, response: Response): void {
    if (this.#origins.size === 0) return;
    const { headers } = response;
    headers.append("Vary", "Origin");
    if (!this.#isListed(request)) return;
    headers.set("Access-Control-Allow-Origin", request.headers.get("Origin") ?? "");
    headers.set("Access-Control-Allow-Credentials", "true");
    headers.set("Access-Control-Expose-Headers", RESPONSE_HEADERS);
  }

  #isListed(request: Request): boolean {
    if (this.#origins.size === 0) return false;
    const origin = request.headers.get("Origin");
    return origin !== null && this.#origins.has(origin);
  }
}
