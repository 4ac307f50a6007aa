/**
 * The contract of a route: its request and its responses. The OpenAPI document is built from it; whatever
 * follows from the route's other properties (credential, key, limits) is not repeated.
 */

import { PROOF_HEADER } from "../access/step_up.ts";
import type { JsonObject } from "../core/json.ts";
import type { ErrorCode } from "../errors/codes.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import { describeObject, type ObjectSchema } from "../validate/schema.ts";

/** The request headers that only some routes read, and that their contracts name. */
export const NAMED_REQUEST_HEADERS = [
  "Content-Digest",
  "If-None-Match",
  "If-Range",
  "Range",
  PROOF_HEADER,
  "X-Filename",
] as const;
export type RequestHeader = (typeof NAMED_REQUEST_HEADERS)[number];

/** The request headers that every route reads, or that follow from a route's other properties. */
export const COMMON_REQUEST_HEADERS = ["Idempotency-Key", "X-Request-Id"] as const;
export type CommonRequestHeader = (typeof COMMON_REQUEST_HEADERS)[number];

/** The response headers that only some routes send, and that their contracts name. */
export const NAMED_RESPONSE_HEADERS = [
  "Accept-Ranges",
  "Clear-Site-Data",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Set-Cookie",
  "X-Robots-Tag",
] as const;
export type ResponseHeader = (typeof NAMED_RESPONSE_HEADERS)[number];

/** The response headers that every route sends, or that follow from a route's other properties. */
export const COMMON_RESPONSE_HEADERS = [
  "Idempotency-Replayed",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Request-Id",
] as const;
export type CommonResponseHeader = (typeof COMMON_RESPONSE_HEADERS)[number];

/** The response headers that some routes send with every response, failures included. */
export const ROUTE_RESPONSE_HEADERS = ["Deprecation", "Link"] as const;
export type RouteHeader = (typeof ROUTE_RESPONSE_HEADERS)[number];

/** Headers that a route sends with every response. */
export type RouteHeaders = Readonly<Partial<Record<RouteHeader, string>>>;

export type ResponseStatus = 200 | 201 | 202 | 206 | 304;

/** The body of a request. */
export interface BodyContract {
  readonly schema: JsonSchema;
  /** Bodies that the route accepts, by a descriptive name. */
  readonly examples: Readonly<Record<string, JsonObject>>;
}

/** The response with one status: data in the envelope, a body of its own, or none. */
export interface ResponseContract {
  readonly data?: JsonSchema;
  readonly content?: { readonly mediaType: string; readonly schema?: JsonSchema };
  readonly headers?: readonly ResponseHeader[];
}

/** The contract of a route. */
export interface Contract {
  /** The action of the route, as one short line in the imperative. */
  readonly summary: string;
  /** The query parameters; by default none. */
  readonly query?: ObjectSchema;
  /** The `filter[...]` parameters of a list, in addition to `query`; by default none. */
  readonly filter?: JsonSchema;
  /** Required if the route reads a JSON body. */
  readonly body?: BodyContract;
  /** The media type of a body that the handler streams; by default any. */
  readonly streamed?: string;
  readonly headers?: readonly RequestHeader[];
  readonly responses: Readonly<Partial<Record<ResponseStatus, ResponseContract>>>;
  /** The codes that the route itself can fail with, besides those of every route of its kind. */
  readonly errors: readonly ErrorCode[];
}

/** A body, with one example. */
export function bodyOf(shape: ObjectSchema, example: JsonObject): BodyContract {
  return { schema: describeObject(shape), examples: { example } };
}
