/**
 * A route's access, permission, idempotency and checks are all properties, so that a missing one is
 * a type error.
 */

import type { Caller } from "../access/identity.ts";
import type { Permission } from "../access/permissions.ts";
import type { IdempotencyKey } from "../command/command.ts";
import type { JsonValue } from "../core/json.ts";
import type { Contract, RouteHeaders } from "./contract.ts";
import type { Reply } from "./reply.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** Whether an Idempotency-Key is ignored, optional or required. */
export type IdempotencyRule = "none" | "honoured" | "required";

/** Whether a body is rejected, ignored, JSON, optional JSON, or streamed by the handler. */
export type BodyRule = "none" | "ignored" | "json" | "optional-json" | "stream";

/**
 * The module that a token limited to modules must reach: "all" if no such token may call the route,
 * "checks itself" if the endpoint decides, null if the route shows nothing of a module.
 */
export type ModuleRule =
  | "capture"
  | "decision"
  | "identity"
  | "memory"
  | "relationship"
  | "resource"
  | "taxonomy"
  | "all"
  | "checks itself"
  | null;

export interface Call {
  readonly request: Request;
  readonly requestId: string;
  readonly now: Date;
  /** Canonical form, or `unknown`. */
  readonly address: string;
  /** Percent-encoded. */
  readonly path: string;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
}

export interface SignedInCall extends Call {
  readonly operation: string;
  readonly caller: Caller;
  /**
   * Authenticates again; for handlers that take long.
   *
   * @throws ServiceError `AUTH_REQUIRED` or `FORBIDDEN` if the credential has ended or lost
   *   permissions.
   */
  readonly confirm: () => Promise<void>;
}

export interface CheckedCall<Parsed> extends SignedInCall {
  readonly parsed: Parsed;
  readonly key: IdempotencyKey | null;
  /** Null if the route reads none, empty if it is optional and missing. */
  readonly body: JsonValue;
}

/** Without identity and key. */
export interface PublicCall extends Call {
  readonly body: JsonValue;
}

/** Kinds of endpoints that have no effect but one command, or that only read. */
export type EndpointKind = "command" | "row" | "page";

export interface Endpoint {
  readonly contract: Contract;
  readonly body: BodyRule;
  /** Checks the request (module, feature, dedicated family), then reads identifiers and query. */
  readonly parse: (call: SignedInCall) => unknown;
  readonly handle: (call: CheckedCall<never>) => Promise<Reply>;
  /** Absent if `speculation.ts` may not run the endpoint early. */
  readonly kind?: EndpointKind;
}

export interface PublicEndpoint {
  readonly contract: Contract;
  readonly body: BodyRule;
  readonly parse: (call: Call) => void;
  readonly handle: (call: PublicCall) => Promise<Reply>;
}

/**
 * How a public route is served:
 *
 * - `plain`: a request counts for the address.
 * - `document`: the same bytes for everyone, so requests do not count.
 * - `any host`: a document that is served under any host name.
 * - `probe`: beyond every limit, under any host name, and while the service stops.
 * - `secret path`: the path has a secret in it. The handler looks at the secret before the query,
 *   and refuses a wrong one with `HTTP_404`. Only refusals count for the address.
 * - `oauth`: neither cookie nor query is looked at. The handler reads the body, and failures have
 *   the form of OAuth (RFC 6749 section 5.2).
 */
export type PublicKind = "plain" | "document" | "any host" | "probe" | "secret path" | "oauth";

/** Kinds of which each request counts for the address. */
export const COUNTED_KINDS: ReadonlySet<PublicKind> = new Set(["plain", "oauth"]);

export interface PublicRoute {
  readonly method: Method;
  readonly path: string;
  readonly access: "public";
  /** Stable: used in the OpenAPI document. */
  readonly operation: string;
  readonly kind: PublicKind;
  readonly endpoint: PublicEndpoint;
}

export interface ProtectedRoute {
  readonly method: Method;
  /** `:name` matches one segment and names it. */
  readonly path: string;
  /** Whether sessions and tokens are accepted, sessions only, or assistants only. */
  readonly access: "credential" | "session" | "assistant";
  /** Required in addition to `platform.operate`; null if neither is required. */
  readonly permission: Permission | null;
  readonly module: ModuleRule;
  /** Stable: used in the audit, in envelopes and in error details. */
  readonly operation: string;
  readonly idempotency: IdempotencyRule;
  /** Sent with every response, including failures. They override those of a handler. */
  readonly headers?: RouteHeaders;
  /** True if other methods of the path are those of the path with a named last segment. */
  readonly yields?: true;
  readonly endpoint: Endpoint;
}

export type Route = PublicRoute | ProtectedRoute;

/** A page or file of the console. It needs no credential. */
export type PageRoute = ShownPageRoute | PostedPageRoute;

/** A page or file to show. It does not count for the address. */
export interface ShownPageRoute {
  readonly method: "GET";
  readonly path: string;
  readonly access: "page";
  /** True if no other origin may read it, not even one of `CORS_ORIGINS`. */
  readonly isUnshared?: true;
  readonly answer: (call: Call) => Reply;
}

/** A page that answers a posted form. It counts for the address. */
export interface PostedPageRoute {
  readonly method: "POST";
  readonly path: string;
  readonly access: "page";
  /** @param findCaller Null without the cookie of an open session. */
  readonly answer: (call: Call, findCaller: () => Promise<Caller | null>) => Promise<Reply>;
}

export interface TypedEndpoint<Parsed> {
  readonly contract: Contract;
  readonly body: BodyRule;
  readonly parse: (call: SignedInCall) => Parsed;
  readonly handle: (call: CheckedCall<Parsed>) => Promise<Reply>;
}

export function endpoint<Parsed>(typed: TypedEndpoint<Parsed>): Endpoint {
  return typed as Endpoint;
}
