/**
 * The parts of a route from which the OpenAPI document is built, in addition to the route's other
 * properties (credential, key, limits).
 */

import { PROOF_HEADER, type StepUpPurpose } from "../access/step_up.ts";
import type { JsonObject } from "../core/json.ts";
import type { ErrorCode } from "../errors/codes.ts";
import type { OAuthErrorCode } from "../errors/oauth_error.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import { describeObject, type ObjectSchema } from "../validate/schema.ts";

/** Headers that only some routes read; their contracts name them. */
export const NAMED_REQUEST_HEADERS = [
  "Content-Digest",
  "If-None-Match",
  "If-Range",
  "Range",
  PROOF_HEADER,
  "X-Filename",
] as const;
/** The request headers that only the route of assistants reads. */
export const ASSISTANT_REQUEST_HEADERS = [
  "MCP-Protocol-Version",
  "Mcp-Method",
  "Mcp-Name",
] as const;
export type RequestHeader =
  | (typeof NAMED_REQUEST_HEADERS)[number]
  | (typeof ASSISTANT_REQUEST_HEADERS)[number];

/** Headers that every route reads, or that follow from its other properties. */
export const COMMON_REQUEST_HEADERS = ["Idempotency-Key", "X-Request-Id"] as const;
export type CommonRequestHeader = (typeof COMMON_REQUEST_HEADERS)[number];

/** Headers that only some routes send; their contracts name them. */
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

/** Headers that every route sends, or that follow from its other properties. */
export const COMMON_RESPONSE_HEADERS = [
  "Idempotency-Replayed",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "WWW-Authenticate",
  "X-Request-Id",
] as const;
export type CommonResponseHeader = (typeof COMMON_RESPONSE_HEADERS)[number];

/** Headers that some routes send with every response, including failures. */
export const ROUTE_RESPONSE_HEADERS = ["Deprecation", "Link"] as const;
export type RouteHeader = (typeof ROUTE_RESPONSE_HEADERS)[number];

export type RouteHeaders = Readonly<Partial<Record<RouteHeader, string>>>;

export type ResponseStatus = 200 | 201 | 202 | 206 | 304 | 410;

export interface BodyContract {
  readonly schema: JsonSchema;
  readonly examples: Readonly<Record<string, JsonObject>>;
}

/** A response with data in the envelope, a body of its own, or none. */
export interface ResponseContract {
  readonly data?: JsonSchema;
  readonly content?: { readonly mediaType: string; readonly schema?: JsonSchema };
  readonly headers?: readonly ResponseHeader[];
}

export interface Contract {
  /** One short line in the imperative. */
  readonly summary: string;
  /** By default none. */
  readonly query?: ObjectSchema;
  /** The `filter[...]` parameters, in addition to `query`. */
  readonly filter?: JsonSchema;
  /** The `time[...]` parameters, in addition to `query`. */
  readonly time?: JsonSchema;
  /** Required if the route reads a JSON body; a body that the handler streams may have one. */
  readonly body?: BodyContract;
  /** Media type of a body that the handler streams; by default any. */
  readonly streamed?: string;
  readonly headers?: readonly RequestHeader[];
  /**
   * The purpose of the proof that the route needs, always or in some cases. Adds the header of
   * proofs and the code `STEP_UP_REQUIRED`.
   */
  readonly stepUp?: StepUpPurpose | undefined;
  readonly responses: Readonly<Partial<Record<ResponseStatus, ResponseContract>>>;
  /** Codes in addition to those of the route's kind. */
  readonly errors: readonly ErrorCode[];
  /** The body of failures that the route answers in a form of its own, besides the common one. */
  readonly failure?: JsonSchema;
  /** Codes of OAuth with the status 400, of a route whose failures have that form. */
  readonly oauthErrors?: readonly OAuthErrorCode[];
}

/** Including the header of proofs. */
export function requestHeadersOf({ headers = [], stepUp }: Contract): readonly RequestHeader[] {
  return stepUp === undefined ? headers : [...headers, PROOF_HEADER];
}

export function bodyOf(shape: ObjectSchema, example: JsonObject): BodyContract {
  return { schema: describeObject(shape), examples: { example } };
}
