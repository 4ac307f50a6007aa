/**
 * Rejects requests for other host names. A page of another site can resolve its own name to this
 * machine (DNS rebinding), so that the browser lets it read the responses; its requests have the
 * page's host name.
 */

import { isLoopback } from "../core/loopback.ts";

/**
 * Accepts the public origin's name, names that always mean this machine, and the operator's. The
 * port does not identify the site, and proxies omit it.
 */
export function createHostTest(
  origin: string,
  allowedHosts: readonly string[],
): (hostname: string) => boolean {
  const served = new Set([new URL(origin).hostname, ...allowedHosts]);
  return (hostname) => served.has(hostname) || isLoopback(hostname);
}

/** `Request` does not support these methods. */
const UNMAKEABLE = new Set(["CONNECT", "TRACE", "TRACK"]);

/**
 * Adds an empty Host header to a request without one, because Deno's server would invent a host.
 * The request is then rejected, and loses its body. HTTP/1.0 does not require the header, but
 * Deno's server does not distinguish the versions.
 */
export function withHost(request: Request): Request {
  if (request.headers.has("Host")) return request;
  const headers = new Headers(request.headers);
  headers.set("Host", "");
  const method = UNMAKEABLE.has(request.method) ? "GET" : request.method;
  return new Request(request.url, { method, headers });
}
