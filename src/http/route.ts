/**
 * The description of a route. Its access, permission, idempotency and checks are all properties, so that a
 * missing one is a type error.
 */

import type { Caller } from "../access/identity.ts";
import type { Permission } from "../access/permissions.ts";
import type { IdempotencyKey } from "../command/command.ts";
import type { JsonValue } from "../core/json.ts";
import type { Contract, RouteHeaders } from "./contract.ts";
import type { Reply } from "./reply.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Whether a route accepts an Idempotency-Key. Otherwise the header is ignored. */
export type IdempotencyRule = "none" | "honoured" | "required";

/**
 * The body that a route reads: none, and it rejects one; none, and it ignores one; JSON; optional JSON; or
 * bytes that the handler streams itself.
 */
export type BodyRule = "none" | "ignored" | "json" | "optional-json" | "stream";

/** A call as its handler sees it. */
export interface Call {
  readonly request: Request;
  readonly requestId: string;
  readonly now: Date;
  /** The client's address in canonical form, or `unknown`. */
  readonly address: string;
  /** As a URL has it: percent-encoded. */
  readonly path: string;
  /** The path's named segments. */
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

/** A call with an accepted credential. */
export interface SignedInCall extends Call {
  /** The route's own, from the route table. */
  readonly operation: string;
  readonly caller: Caller;
  /**
   * Authenticates the request again, if much time has passed.
   *
   * @throws ServiceError `AUTH_REQUIRED` or `FORBIDDEN` if the credential has ended or lost permissions.
   */
  readonly confirm: () => Promise<void>;
}

/** A call that passed every check of the pipeline, with the results of the checks. */
export interface CheckedCall<Parsed> extends SignedInCall {
  /** The result of the route's `parse`, from path and query. */
  readonly parsed: Parsed;
  readonly key: IdempotencyKey | null;
  /** The JSON body: null if the route reads none, empty if it is optional and missing. */
  readonly body: JsonValue;
}

/** A call of a public route: no identity, no key. */
export interface PublicCall extends Call {
  readonly body: JsonValue;
}

/** A kind of endpoint that is known to have no effect but one command, or to read only. */
export type EndpointKind = "command" | "row" | "page";

/** A protected route's contract and handler. */
export interface Endpoint {
  readonly contract: Contract;
  readonly body: BodyRule;
  /** Checks first (module, feature, dedicated family), then identifiers and query. */
  readonly parse: (call: SignedInCall) => unknown;
  readonly handle: (call: CheckedCall<never>) => Promise<Reply>;
  /** Set by `define_endpoint.ts`; absent if `speculation.ts` may not run it early. */
  readonly kind?: EndpointKind;
}

/** A public route's contract and handler. */
export interface PublicEndpoint {
  readonly contract: Contract;
  readonly body: BodyRule;
  /** Refuses a wrong query. */
  readonly parse: (call: Call) => void;
  readonly handle: (call: PublicCall) => Promise<Reply>;
}

/** A route that anyone may call. */
export interface PublicRoute {
  readonly method: Method;
  readonly path: string;
  readonly access: "public";
  /** The operation's stable name: in the OpenAPI document. */
  readonly operation: string;
  /**
   * Whether it is a probe of the service's health: it is served beyond every limit, under any host name,
   * and while the service stops.
   */
  readonly isProbe: boolean;
  readonly endpoint: PublicEndpoint;
}

/** A route that needs a credential. */
export interface ProtectedRoute {
  readonly method: Method;
  /** Segments; `:name` matches one segment and names it. */
  readonly path: string;
  /** Its callers: any credential, or sessions only. */
  readonly access: "credential" | "session";
  /** The required permission besides `platform.operate`; null if neither is required. */
  readonly permission: Permission | null;
  /** The operation's stable name: in the audit, in envelopes and in error details. */
  readonly operation: string;
  readonly idempotency: IdempotencyRule;
  /**
   * Sent with every response of the route, failures included. They go over those of the same name that
   * a handler sets.
   */
  readonly headers?: RouteHeaders;
  readonly endpoint: Endpoint;
}

/** A route of the API. */
export type Route = PublicRoute | ProtectedRoute;

/**
 * A page of the console, or one of its files: the same for everyone, so it needs no credential and is not
 * counted against the rate limit.
 */
export interface PageRoute {
  readonly method: "GET";
  readonly path: string;
  readonly access: "page";
  readonly answer: (call: Call) => Reply;
}

/** An endpoint whose `handle` receives the result of `parse`. */
export interface TypedEndpoint<Parsed> {
  readonly contract: Contract;
  readonly body: BodyRule;
  readonly parse: (call: SignedInCall) => Parsed;
  readonly handle: (call: CheckedCall<Parsed>) => Promise<Reply>;
}

/** Types an endpoint. */
export function endpoint<Parsed>(typed: TypedEndpoint<Parsed>): Endpoint {
  return typed as Endpoint;
}
