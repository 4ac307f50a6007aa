import type { PublicFailure } from "../errors/shape.ts";
import { serialiseJson } from "../validate/json_output.ts";
import type { Reply } from "./reply.ts";

const EVERY_ANSWER = {
  "Cache-Control": "no-store",
  "X-Content-Type-Options": "nosniff",
};

/**
 * Turns a handler's answer into a Response: `{ data, meta: { requestId } }` (specification,
 * Endpoints), guarded on its way out.
 *
 * @throws UnsafeOutputError when a handler hands out what is not plain JSON data.
 */
export function toResponse(reply: Reply, requestId: string): Response {
  const headers = new Headers({ ...EVERY_ANSWER, ...reply.headers, "X-Request-Id": requestId });
  if ("body" in reply) return new Response(reply.body, { status: reply.status, headers });
  if (reply.data === undefined) return new Response(null, { status: reply.status, headers });
  headers.set("Content-Type", "application/json; charset=utf-8");
  const body = serialiseJson({ data: reply.data, meta: { requestId } });
  return new Response(body, { status: reply.status, headers });
}

/** Turns the public form of a failure into a Response (specification, Errors). */
export function toErrorResponse({ status, headers, body }: PublicFailure): Response {
  const sent = new Headers({
    ...EVERY_ANSWER,
    ...headers,
    "Content-Type": "application/json; charset=utf-8",
    "X-Request-Id": body.error.requestId,
  });
  return new Response(serialiseJson(body), { status, headers: sent });
}
