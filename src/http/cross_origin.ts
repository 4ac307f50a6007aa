/**
 * Pages of other origins have no access in a browser (decisions §1), unless the operator lists the
 * origin. A cookie still writes for the service's own origin only; see access/credentials.ts.
 */

import {
  ASSISTANT_REQUEST_HEADERS,
  COMMON_REQUEST_HEADERS,
  COMMON_RESPONSE_HEADERS,
  NAMED_REQUEST_HEADERS,
  NAMED_RESPONSE_HEADERS,
  ROUTE_RESPONSE_HEADERS,
} from "./contract.ts";
import type { DataReply } from "./reply.ts";

/** Headers that a page may send, in addition to the safelisted ones. */
const REQUEST_HEADERS = [
  "Authorization",
  "Content-Type",
  ...NAMED_REQUEST_HEADERS,
  ...COMMON_REQUEST_HEADERS,
];

/**
 * Headers that a page may read, in addition to the safelisted ones. Browsers never expose cookies
 * in this way.
 */
const RESPONSE_HEADERS = [
  ...NAMED_RESPONSE_HEADERS,
  ...COMMON_RESPONSE_HEADERS,
  ...ROUTE_RESPONSE_HEADERS,
]
  .filter((name) => name !== "Set-Cookie")
  .join(", ");

const SECONDS_ALLOWED = "600";

export class CrossOrigin {
  readonly #origins: ReadonlySet<string>;
  readonly #requestHeaders: string;

  /** `withAssistants` is true if pages may send the headers of assistants as well. */
  constructor(origins: readonly string[], withAssistants = false) {
    this.#origins = new Set(origins);
    const more = withAssistants ? ASSISTANT_REQUEST_HEADERS : [];
    this.#requestHeaders = [...REQUEST_HEADERS, ...more].join(", ");
  }

  /**
   * Answers a preflight request; returns null for any other request.
   *
   * @param methods The methods of the path.
   */
  preflight(request: Request, methods: readonly string[]): DataReply | null {
    const asks = request.method === "OPTIONS" &&
      request.headers.has("Access-Control-Request-Method");
    if (!asks || !this.#isListed(request)) return null;
    const headers = {
      "Access-Control-Allow-Methods": methods.join(", "),
      "Access-Control-Allow-Headers": this.#requestHeaders,
      "Access-Control-Max-Age": SECONDS_ALLOWED,
    };
    return { status: 204, headers };
  }

  /** Allows a page of a listed origin to read the response. */
  mark(request: Request, response: Response): void {
    if (this.#origins.size === 0) return;
    const { headers } = response;
    headers.append("Vary", "Origin");
    if (!this.#isListed(request)) return;
    headers.set("Access-Control-Allow-Origin", request.headers.get("Origin") ?? "");
    headers.set("Access-Control-Allow-Credentials", "true");
    headers.set("Access-Control-Expose-Headers", RESPONSE_HEADERS);
  }

  /** Whether an origin is listed. */
  lists(origin: string): boolean {
    return this.#origins.has(origin);
  }

  #isListed(request: Request): boolean {
    if (this.#origins.size === 0) return false;
    const origin = request.headers.get("Origin");
    return origin !== null && this.lists(origin);
  }
}
