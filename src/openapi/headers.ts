import { SENT_FILENAME } from "../attachments/upload_head.ts";
import type { JsonObject } from "../core/json.ts";
import {
  ASSISTANT_REQUEST_HEADERS,
  type CommonRequestHeader,
  type CommonResponseHeader,
  NAMED_REQUEST_HEADERS,
  type RequestHeader,
  requestHeadersOf,
  type ResponseHeader,
  type RouteHeader,
} from "../http/contract.ts";
import type { Route } from "../http/route.ts";
import type { JsonSchema } from "../validate/json_schema.ts";

/** The client's own, or one that the service makes. */
export const REQUEST_ID_SCHEMA: JsonSchema = { type: "string", pattern: "^[A-Za-z0-9_-]{8,64}$" };

type SentHeader = RequestHeader | CommonRequestHeader | "Required-Idempotency-Key";

const TEXT = { type: "string" } as const;

const KEY = {
  name: "Idempotency-Key",
  description:
    "Identifies this write: repeating it with the same request returns the first response.",
  schema: { type: "string", minLength: 1, maxLength: 257 },
} as const;

const REQUEST_HEADERS: Readonly<Record<SentHeader, JsonObject>> = {
  "Content-Digest": {
    description: "The expected SHA-256 of the bytes (RFC 9530).",
    schema: { type: "string", pattern: "sha-256=:[A-Za-z0-9+/]{43}=:" },
  },
  "Idempotency-Key": KEY,
  "Required-Idempotency-Key": { ...KEY, required: true },
  "If-None-Match": {
    description: "The client's entity tags: if one is current, the response is 304.",
    schema: TEXT,
  },
  "If-Range": { description: "The entity tag of the content that the range is for.", schema: TEXT },
  "Mcp-Method": { description: "The method of the message.", schema: TEXT },
  "Mcp-Name": { description: "The tool of a call.", schema: TEXT },
  "MCP-Protocol-Version": { description: "The revision of the protocol.", schema: TEXT },
  Range: { description: "One range of bytes.", schema: TEXT },
  "Step-Up-Proof": {
    description: "A one-time proof from `POST /api/v2/auth/step-up`.",
    schema: TEXT,
  },
  "X-Filename": {
    description:
      "The file's name in percent-encoded UTF-8, at most 255 characters; not a path, and " +
      "without marks that change the direction of text.",
    required: true,
    example: "note.txt",
    schema: { ...TEXT, pattern: SENT_FILENAME },
  },
  "X-Request-Id": {
    description: "An id for this request, repeated in the response and the log.",
    schema: { ...REQUEST_ID_SCHEMA } as JsonObject,
  },
};

type AnsweredHeader = ResponseHeader | CommonResponseHeader | RouteHeader;

const ANSWER_HEADERS: Readonly<Record<AnsweredHeader, JsonObject>> = {
  "Accept-Ranges": { description: "`bytes`.", schema: TEXT },
  "Clear-Site-Data": {
    description: "Data that the browser must remove.",
    schema: { const: '"cache", "storage"' },
  },
  "Content-Disposition": { description: "The file's name.", schema: TEXT },
  "Content-Range": { description: "The range of these bytes, and the total size.", schema: TEXT },
  Deprecation: {
    description: "The time of the route's deprecation: `@` and seconds since 1970 (RFC 9745).",
    required: true,
    schema: { ...TEXT, pattern: "^@\\d+$" },
  },
  ETag: { description: "The entity tag of the response.", schema: TEXT },
  "Idempotency-Replayed": {
    description: "`true` if this repeats an earlier response.",
    schema: { const: "true" },
  },
  Link: {
    description: "The route that replaces this one: `successor-version`.",
    required: true,
    schema: TEXT,
  },
  Location: { description: "The address of the created object.", schema: TEXT },
  RateLimit: { description: "The remaining requests of the client's limit.", schema: TEXT },
  "RateLimit-Policy": { description: "The client's limit.", schema: TEXT },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } },
  "Set-Cookie": { description: "The session cookie.", schema: TEXT },
  "WWW-Authenticate": {
    description: "How to authenticate, and of an assistant where to sign in (RFC 9728).",
    required: true,
    schema: TEXT,
  },
  "X-Request-Id": {
    description: "The id of the request.",
    required: true,
    schema: { ...REQUEST_ID_SCHEMA } as JsonObject,
  },
  "X-Robots-Tag": {
    description: "`noindex`: public, but not for search engines.",
    schema: { const: "noindex" },
  },
};

export function headerComponents(routes: readonly Route[]): JsonObject {
  const named = [...NAMED_REQUEST_HEADERS, ...ASSISTANT_REQUEST_HEADERS];
  const unused = named.filter((name) =>
    !routes.some(({ endpoint: { contract } }) => requestHeadersOf(contract).includes(name))
  );
  const parameters = Object.entries(REQUEST_HEADERS)
    .filter(([name]) => !unused.some((other) => other === name))
    .map(([name, header]) => [name, { name, in: "header", ...header }] as const);
  return { parameters: Object.fromEntries(parameters), headers: { ...ANSWER_HEADERS } };
}

export function requestHeader(name: SentHeader): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}

export function responseHeaders(names: readonly AnsweredHeader[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
