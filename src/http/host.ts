/**
 * The host names that requests may use. A page of another site can let its own name resolve to this machine
 * (DNS rebinding): its browser then treats the service as that site and lets the page read the responses.
 * The name in such a request is still the page's, so it is rejected.
 */

import { isLoopback } from "../core/loopback.ts";

/**
 * Makes the test of a host name in canonical form, without its port: it accepts that of the public origin,
 * any name for this machine only, and the names that the operator adds. The port does not identify the
 * site, and proxies omit it.
 */
export function createHostTest(
  origin: string,
  allowedHosts: readonly string[],
): (hostname: string) => boolean {
  const served = new Set([new URL(origin).hostname, ...allowedHosts]);
  return (hostname) => served.has(hostname) || isLoopback(hostname);
}

/** The methods that no `Request` can be made with. */
const UNMAKEABLE = new Set(["CONNECT", "TRACE", "TRACK"]);

/**
 * A request that arrived over a connection. One without a Host header gets an empty one, which is rejected,
 * and loses its body: Deno's server would invent a host for it. HTTP/1.1 requires the header. HTTP/1.0 does
 * not, but Deno's server does not distinguish the versions.
 */
export function withHost(request: Request): Request {
  if (request.headers.has("Host")) return request;
  const headers = new Headers(request.headers);
  headers.set("Host", "");
  const method = UNMAKEABLE.has(request.method) ? "GET" : request.method;
  return new Request(request.url, { method, headers });
}
