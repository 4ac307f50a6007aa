/**
 * What a route tells its clients: the shapes that it reads and answers. The OpenAPI document is built
 * from it; what follows from the route's other properties (credential, key, limits) is not repeated.
 */

import { PROOF_HEADER } from "../access/step_up.ts";
import type { JsonObject } from "../core/json.ts";
import type { ErrorCode } from "../errors/codes.ts";
import type { JsonSchema } from "../validate/json_schema.ts";
import { describeShape, type Shape } from "../validate/schema.ts";

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

/** The answer headers that only some routes send, and that their contracts name. */
export const NAMED_ANSWER_HEADERS = [
  "Accept-Ranges",
  "Content-Disposition",
  "Content-Range",
  "ETag",
  "Set-Cookie",
] as const;
export type AnswerHeader = (typeof NAMED_ANSWER_HEADERS)[number];

/** The answer headers that every route sends, or that follow from a route's other properties. */
export const COMMON_ANSWER_HEADERS = [
  "Idempotency-Replayed",
  "Location",
  "RateLimit",
  "RateLimit-Policy",
  "Retry-After",
  "X-Request-Id",
] as const;
export type CommonAnswerHeader = (typeof COMMON_ANSWER_HEADERS)[number];

export type AnswerStatus = 200 | 201 | 202 | 206 | 304;

/** What a route reads as its body. */
export interface BodyContract {
  readonly schema: JsonSchema;
  /** Bodies that the route accepts, by a name that says what each is. */
  readonly examples: Readonly<Record<string, JsonObject>>;
}

/** What a route answers under one status: data in the envelope, a body of its own, or none. */
export interface AnswerContract {
  readonly data?: JsonSchema;
  readonly content?: { readonly mediaType: string; readonly schema?: JsonSchema };
  readonly headers?: readonly AnswerHeader[];
}

/** What a route tells its clients. */
export interface Contract {
  /** What the route does, as one short line in the imperative. */
  readonly summary: string;
  /** The query parameters; none unless given. */
  readonly query?: Shape;
  /** What `filter[...]` parameters a list takes, beside `query`; none unless given. */
  readonly filter?: JsonSchema;
  /** Given exactly where the route reads a JSON body. */
  readonly body?: BodyContract;
  readonly headers?: readonly RequestHeader[];
  readonly answers: Readonly<Partial<Record<AnswerStatus, AnswerContract>>>;
  /** The codes that the route itself can answer, besides those of every route of its kind. */
  readonly errors: readonly ErrorCode[];
}

/** A body of a shape, with one example. */
export function bodyOf(shape: Shape, example: JsonObject): BodyContract {
  return { schema: describeShape(shape), examples: { example } };
}
