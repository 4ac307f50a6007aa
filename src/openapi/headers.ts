/** The headers of requests and responses, for the OpenAPI document. */

import { SENT_FILENAME } from "../attachments/upload_head.ts";
import type { JsonObject } from "../core/json.ts";
import type {
  CommonRequestHeader,
  CommonResponseHeader,
  RequestHeader,
  ResponseHeader,
  RouteHeader,
} from "../http/contract.ts";
import type { JsonSchema } from "../validate/json_schema.ts";

/** A request's id: the client's own, or one that the service makes. */
export const REQUEST_ID_SCHEMA: JsonSchema = { type: "string", pattern: "^[A-Za-z0-9_-]{8,64}$" };

/** A key has two forms: it may be sent, or must. */
type SentHeader = RequestHeader | CommonRequestHeader | "Required-Idempotency-Key";

const TEXT = { type: "string" } as const;

const KEY = {
  name: "Idempotency-Key",
  description: "Names this write: sent again with the same request, it gives the first answer.",
  schema: { type: "string", minLength: 1, maxLength: 257 },
} as const;

const REQUEST_HEADERS: Readonly<Record<SentHeader, JsonObject>> = {
  "Content-Digest": {
    description: "The SHA-256 that the bytes must have, as RFC 9530 writes it.",
    schema: { type: "string", pattern: "sha-256=:[A-Za-z0-9+/]{43}=:" },
  },
  "Idempotency-Key": KEY,
  "Required-Idempotency-Key": { ...KEY, required: true },
  "If-None-Match": {
    description: "Entity tags that the client has: one of them current answers 304.",
    schema: TEXT,
  },
  "If-Range": { description: "The entity tag that the range is of.", schema: TEXT },
  Range: { description: "One range of bytes.", schema: TEXT },
  "Step-Up-Proof": {
    description: "A one-time proof of the password, from `POST /api/v2/auth/step-up`.",
    schema: TEXT,
  },
  "X-Filename": {
    description:
      "The file's name, percent-encoded UTF-8, at most 255 characters; neither a path nor " +
      "with marks that change the direction of text.",
    required: true,
    example: "note.txt",
    schema: { ...TEXT, pattern: SENT_FILENAME },
  },
  "X-Request-Id": {
    description: "An id for this request, which answer and log repeat.",
    schema: { ...REQUEST_ID_SCHEMA } as JsonObject,
  },
};

type AnsweredHeader = ResponseHeader | CommonResponseHeader | RouteHeader;

const ANSWER_HEADERS: Readonly<Record<AnsweredHeader, JsonObject>> = {
  "Accept-Ranges": { description: "`bytes`.", schema: TEXT },
  "Clear-Site-Data": {
    description: "What a browser removes that it has kept for the service.",
    schema: { const: '"storage"' },
  },
  "Content-Disposition": { description: "The file's name.", schema: TEXT },
  "Content-Range": { description: "Which bytes these are, and of how many.", schema: TEXT },
  Deprecation: {
    description:
      "Since when the route is deprecated: `@` and seconds since 1970, as RFC 9745 says.",
    required: true,
    schema: { ...TEXT, pattern: "^@\\d+$" },
  },
  ETag: { description: "The entity tag of what is answered.", schema: TEXT },
  "Idempotency-Replayed": {
    description: "`true` where the answer is an earlier one, given again.",
    schema: { const: "true" },
  },
  Link: {
    description: "The route that takes the place of a deprecated one: `successor-version`.",
    required: true,
    schema: TEXT,
  },
  Location: { description: "The address of what was made.", schema: TEXT },
  RateLimit: { description: "What is left of the client's limit.", schema: TEXT },
  "RateLimit-Policy": { description: "The client's limit.", schema: TEXT },
  "Retry-After": { description: "Seconds to wait.", schema: { type: "integer", minimum: 0 } },
  "Set-Cookie": { description: "The session, for a browser.", schema: TEXT },
  "X-Request-Id": {
    description: "The id of the request.",
    required: true,
    schema: { ...REQUEST_ID_SCHEMA } as JsonObject,
  },
  "X-Robots-Tag": {
    description: "`noindex`: it is public, and not meant for search engines.",
    schema: { const: "noindex" },
  },
};

/** The components that the references below point to. */
export function headerComponents(): JsonObject {
  const parameters = Object.entries(REQUEST_HEADERS)
    .map(([name, header]) => [name, { name, in: "header", ...header }] as const);
  return { parameters: Object.fromEntries(parameters), headers: { ...ANSWER_HEADERS } };
}

/** A header parameter of an operation. */
export function requestHeader(name: SentHeader): JsonObject {
  return { $ref: `#/components/parameters/${name}` };
}

/** The headers of a response. */
export function responseHeaders(names: readonly AnsweredHeader[]): JsonObject {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
