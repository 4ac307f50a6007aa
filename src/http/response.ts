import type { PublicFailure } from "../errors/public_error.ts";
import { serialiseJson } from "../validate/json_output.ts";
import type { Reply } from "./reply.ts";

/** No response may be treated as a page, framed, or send a referrer. */
const EVERY_RESPONSE = {
  "Cache-Control": "no-store",
  "Content-Security-Policy": "default-src 'none'; frame-ancestors 'none'",
  "Cross-Origin-Resource-Policy": "same-origin",
  "Referrer-Policy": "no-referrer",
  "X-Content-Type-Options": "nosniff",
};

/** A link to JSON must open as a file, not as a page. */
export const JSON_HEADERS = {
  "Content-Disposition": 'attachment; filename="api.json"',
  "Content-Type": "application/json; charset=utf-8",
};

/** Names must always have the same letter case: otherwise a header would be sent twice. */
type HeadersByName = Readonly<Record<string, string>>;

/**
 * Keeps browsers on TLS for a year, also for subdomains; empty if people reach the service without.
 */
export function transportSecurity(origin: string): HeadersByName {
  if (!origin.startsWith("https:")) return {};
  return { "Strict-Transport-Security": "max-age=31536000; includeSubDomains" };
}

/**
 * Makes the response `{ data, meta: { requestId } }` (specification, Endpoints).
 *
 * @param more Headers that override those of the same name.
 * @throws UnsafeOutputError if a handler returns anything but plain JSON data.
 */
export function toResponse(reply: Reply, requestId: string, more: HeadersByName = {}): Response {
  const { status } = reply;
  const own = { ...EVERY_RESPONSE, ...reply.headers, "X-Request-Id": requestId };
  if ("body" in reply) {
    const length = "length" in reply ? { "Content-Length": String(reply.length) } : {};
    return new Response(reply.body, { status, headers: { ...own, ...length, ...more } });
  }
  if (reply.data === undefined) return new Response(null, { status, headers: { ...own, ...more } });
  const body = serialiseJson({ data: reply.data, meta: { requestId } });
  // Setting a header afterwards costs as much as all of these.
  return new Response(body, { status, headers: { ...own, ...JSON_HEADERS, ...more } });
}

/**
 * Makes the response for a failure (specification, Errors).
 *
 * @param more Headers that override those of the same name.
 */
export function toErrorResponse(
  { status, headers, body }: PublicFailure,
  more: HeadersByName = {},
): Response {
  const own = { ...headers, ...JSON_HEADERS, "X-Request-Id": body.error.requestId };
  return new Response(serialiseJson(body), {
    status,
    headers: { ...EVERY_RESPONSE, ...own, ...more },
  });
}

/** The response to HEAD, with the length that the body would have. */
export async function headOf(response: Response): Promise<Response> {
  const head = new Response(null, response);
  if (response.body !== null) {
    head.headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  }
  return head;
}
