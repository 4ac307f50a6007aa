/**
 * A page of another site can resolve its own name to this machine (DNS rebinding), so that its browser lets
 * it read the responses. Such a request has the page's host name and is rejected.
 */

import { isLoopback } from "../core/loopback.ts";

/**
 * Accepts the name of the public origin, any name for this machine only, and the operator's. The port does
 * not identify the site, and proxies omit it.
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
 * A request without a Host header gets an empty one, which is rejected, and loses its body: Deno's server
 * would invent a host for it. HTTP/1.0 does not require the header, but Deno's server does not distinguish
 * the versions.
 */
export function withHost(request: Request): Request {
  if (request.headers.has("Host")) return request;
  const headers = new Headers(request.headers);
  headers.set("Host", "");
  const method = UNMAKEABLE.has(request.method) ? "GET" : request.method;
  return new Request(request.url, { method, headers });
}
