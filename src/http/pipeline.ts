/**
 * The path of every request, in its visible order (specification, Errors):
 *
 *   request id → address (400) → host (421) → route (404, 405) → too many at once (503) →
 *   credential (401) → too many a minute (429) → permission (403) → checks, identifiers and query
 *   (the route's `parse`) → Idempotency-Key (400) → body (415, 413, 408, 400) → handler
 *
 * The body is not read before these checks. What is thrown anywhere becomes one public error.
 *
 * The look-up of a credential is a round trip to the database. A pure read is sent along with it, for the identity
 * that the credential last stood for; what comes of it is given where the look-up confirms that very
 * identity, and thrown away otherwise. So the order above is what every client sees.
 */

import { assertSameOrigin, authenticate, SAFE_METHODS } from "../access/credentials.ts";
import type { IncomingRequest } from "../access/event_context.ts";
import { type Authenticators, type Identity, isSameIdentity } from "../access/identity.ts";
import type { IdempotencyKey } from "../command/command.ts";
import type { Clock } from "../core/clock.ts";
import type { JsonValue } from "../core/json.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { ServiceError } from "../errors/service_error.ts";
import { toPublicError } from "../errors/public_error.ts";
import { readEmptyBody } from "../validate/schema.ts";
import type { AccountPlaces } from "./account_places.ts";
import {
  authenticateCaller,
  countAddress,
  countRefusal,
  type RequestContext,
  setContextHeaders,
} from "./admission.ts";
import { clientAddress } from "./client_address.ts";
import type { CrossOrigin } from "./cross_origin.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import type { KnownAddresses } from "./known_addresses.ts";
import type { KnownIdentities } from "./known_identities.ts";
import type { RateLimits } from "./rate_limit.ts";
import type { Reply } from "./reply.ts";
import {
  type BodyLimits,
  idempotencyKeyOf,
  PUBLIC_BODY,
  readJsonBody,
  requestIdOf,
  SIGNED_IN_BODY,
} from "./request.ts";
import { headOf, toErrorResponse, toResponse } from "./response.ts";
import type { BodyRule, Call, PageRoute, ProtectedRoute, Route } from "./route.ts";
import { createRouter, type Match } from "./router.ts";
import type { InFlightRequests, RequestKind } from "./in_flight_requests.ts";
import { createUrlReader } from "./request_url.ts";
import { createUnavailableLog, type UnavailableLog } from "./unavailable_log.ts";

/** What the pipeline needs of the application. */
export interface PipelineServices {
  readonly authenticators: Authenticators;
  readonly clock: Clock;
  readonly log: Log;
  /** The public origin that cookies are bound to. */
  readonly origin: string;
  readonly fingerprint: Fingerprinter;
  /** How many proxies stand before the service. */
  readonly trustedProxies: number;
  readonly inFlight: InFlightRequests;
  /** JSON bodies that are arriving: each holds a place of `inFlight` as long as its client likes. */
  readonly bodies: AccountPlaces;
  readonly knownAddresses: KnownAddresses;
  readonly knownIdentities: KnownIdentities;
  readonly limits: RateLimits;
  readonly crossOrigin: CrossOrigin;
  /** Whether a request may be sent to a host name. */
  readonly isServedHost: (hostname: string) => boolean;
  readonly meter: RequestMeter;
}

type RouteMatch = Match<Route | PageRoute>;

/** Counts the responses. */
export interface RequestMeter {
  /** `route` is the pattern, and `outcome` the status or, of a failure, its public code. */
  answered(route: string, method: string, outcome: number | ErrorCode, seconds: number): void;
  /** A response was the replay of a key. */
  replayed(): void;
}

/** Where a body took longer to arrive, the credential is checked again: it may have ended meanwhile. */
const CONFIRM_AFTER_MS = 1_000;

// The client chooses the method freely: only these are written to the log.
const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

/** Builds the function that handles every request. */
export function createPipeline(
  routes: readonly (Route | PageRoute)[],
  services: PipelineServices,
): (request: Request, peer?: string) => Promise<Response> {
  const routing = { router: createRouter(routes), readUrl: createUrlReader() };
  const logUnavailable = createUnavailableLog(services.log, services.clock);
  return async (request, peer) => {
    const started = performance.now();
    const incoming = incomingRequest(request, peer ?? null, services);
    const context: RequestContext = {
      pattern: "none",
      routeHeaders: {},
      ownerId: null,
      rateLimit: null,
    };
    let response: Response;
    let outcome: number | ErrorCode;
    try {
      const reply = await dispatch(routing, incoming, services, context);
      response = toResponse(reply, incoming.requestId);
      outcome = response.status;
    } catch (error) {
      logFailure(error, incoming.requestId, services.log, logUnavailable);
      const failure = toPublicError(error, incoming.requestId);
      response = toErrorResponse(failure);
      outcome = failure.body.error.code;
    }
    setContextHeaders(response.headers, context);
    services.crossOrigin.mark(request, response);
    report(incoming, context, response, outcome, performance.now() - started, services);
    return request.method === "HEAD" ? await headOf(response) : response;
  };
}

function incomingRequest(
  request: Request,
  peer: string | null,
  services: PipelineServices,
): IncomingRequest {
  const now = services.clock();
  const address = clientAddress(request.headers, peer, services.trustedProxies);
  return { request, requestId: requestIdOf(request, now), now, address };
}

/** Writes the log line of a request, and counts it. */
function report(
  { request, requestId }: IncomingRequest,
  { pattern, ownerId }: RequestContext,
  response: Response,
  outcome: number | ErrorCode,
  milliseconds: number,
  { log, meter }: PipelineServices,
): void {
  const method = METHODS.has(request.method) ? request.method : "OTHER";
  meter.answered(pattern, method, outcome, milliseconds / 1000);
  if (response.headers.has("Idempotency-Replayed")) meter.replayed();
  log.info("request", {
    requestId,
    method,
    route: pattern,
    status: response.status,
    durationMs: Math.round(milliseconds * 100) / 100,
    ownerId,
  });
}

/** Finds the route of a request, and runs it where a place is free. */
async function dispatch(
  { router, readUrl }: {
    readonly router: (method: string, path: string) => RouteMatch;
    readonly readUrl: ReturnType<typeof createUrlReader>;
  },
  incoming: IncomingRequest,
  services: PipelineServices,
  context: RequestContext,
): Promise<Reply> {
  const { request } = incoming;
  const { hostname, path, query } = readUrl(request);
  const match = router(request.method, path);
  // Before the 404, so that a page under another name cannot even learn what there is.
  const isProbe = isProbeMatch(match);
  if (!isProbe && !services.isServedHost(hostname)) throw new ServiceError("HTTP_421");
  if (match === null) throw new ServiceError("HTTP_404");
  if ("allow" in match) {
    const preflight = services.crossOrigin.preflight(request, match.allow);
    if (preflight !== null) return preflight;
    throw new ServiceError("HTTP_405", { headers: { Allow: match.allow.join(", ") } });
  }
  const { route, params } = match;
  context.pattern = route.path;
  if ("permission" in route) context.routeHeaders = route.headers ?? {};
  const call = { ...incoming, path, params, query };
  if (isProbe) return await runRoute(route, call, services, context);
  return await services.inFlight.run(
    kindOf(route, call, services),
    () => runRoute(route, call, services, context),
  );
}

function kindOf(
  route: Route | PageRoute,
  { address }: Call,
  { knownAddresses }: PipelineServices,
): RequestKind {
  if (!("permission" in route)) return knownAddresses.has(address) ? "known" : "stranger";
  return route.endpoint.body === "stream" ? "upload" : "protected";
}

/** A probe may use any host name, such as a container's address. */
function isProbeMatch(match: RouteMatch): boolean {
  return match !== null && "route" in match && match.route.access === "public" &&
    match.route.isProbe;
}

async function runRoute(
  route: Route | PageRoute,
  call: Call,
  services: PipelineServices,
  context: RequestContext,
): Promise<Reply> {
  if (route.access === "page") return route.answer(call);
  if (route.access === "public") {
    if (!route.isProbe) countAddress(call, services, context);
    assertSameOrigin(call.request, services.origin);
    await countRefusal(() => route.endpoint.parse(call), call, services, context);
    const body = await readBody(route.endpoint.body, call.request, PUBLIC_BODY);
    return await route.endpoint.handle({ ...call, body });
  }
  const lookUp = authenticateCaller(call, services, context);
  const ahead = readAhead(route, call, services, lookUp);
  const identity = await lookUp;
  services.knownAddresses.add(call.address);
  if (ahead !== null && isSameIdentity(ahead.identity, identity)) return await ahead.reply;
  return await answerCaller(route, call, identity, services);
}

/** The reply to a pure read, for the identity that its credential last stood for; null without one. */
function readAhead(
  route: ProtectedRoute,
  call: Call,
  services: PipelineServices,
  lookUp: Promise<Identity>,
): { readonly identity: Identity; readonly reply: Promise<Reply> } | null {
  if (route.endpoint.isPureRead !== true) return null;
  const identity = services.knownIdentities.assume(call.request.headers, lookUp);
  if (identity === null) return null;
  const reply = answerCaller(route, call, identity, services);
  // Where the look-up says otherwise, its failure is not awaited.
  reply.catch(() => {});
  return { identity, reply };
}

/** What comes behind the credential: from permission to handler. */
async function answerCaller(
  route: ProtectedRoute,
  call: Call,
  identity: Identity,
  services: PipelineServices,
): Promise<Reply> {
  assertPermitted(route, identity);
  const confirm = async () => {
    const now = services.clock();
    assertPermitted(route, await authenticate(call.request, { ...services, now }));
  };
  const signedIn = { ...call, operation: route.operation, identity, confirm };
  const parsed = route.endpoint.parse(signedIn) as never;
  const sentKey = readKey(route, call.request);
  const arriving = performance.now();
  const body = await readAccountBody(route, call.request, identity, services);
  // After a slow body the credential must still be valid.
  if (performance.now() - arriving > CONFIRM_AFTER_MS) await confirm();
  const key = sentKey === null ? null : bindKey(sentKey, call, body, services);
  return await route.endpoint.handle({ ...signedIn, parsed, key, body });
}

function assertPermitted(route: ProtectedRoute, identity: Identity): void {
  const { access, permission } = route;
  const { credential, permissions } = identity;
  const isAccepted = access === "credential" || credential.kind === "SESSION";
  const isAllowed = permission === null ||
    (permissions.has("platform.operate") && permissions.has(permission));
  if (!isAccepted || !isAllowed) throw new ServiceError("FORBIDDEN");
}

function readKey(route: ProtectedRoute, request: Request): string | null {
  if (route.idempotency === "none") return null;
  const key = idempotencyKeyOf(request);
  if (key === null && route.idempotency === "required") {
    throw new ServiceError("RECORD_IDEMPOTENCY_KEY_REQUIRED", {
      details: { operation: route.operation },
    });
  }
  return key;
}

async function readAccountBody(
  { endpoint }: ProtectedRoute,
  request: Request,
  identity: Identity,
  { bodies }: PipelineServices,
): Promise<JsonValue> {
  const { body } = endpoint;
  if (body === "json" || body === "optional-json") {
    return await bodies.run(identity, () => readBody(body, request, SIGNED_IN_BODY));
  }
  // No place to take, so that what ends sessions and tokens is never without one; and little time.
  return await readBody(body, request, PUBLIC_BODY);
}

async function readBody(rule: BodyRule, request: Request, limits: BodyLimits): Promise<JsonValue> {
  if (rule === "stream" || rule === "ignored") return null;
  if (rule === "none") {
    if (!SAFE_METHODS.has(request.method)) {
      readEmptyBody(await readJsonBody(request, true, limits));
    }
    return null;
  }
  return await readJsonBody(request, rule === "optional-json", limits);
}

function bindKey(
  key: string,
  call: Call,
  body: JsonValue,
  services: PipelineServices,
): IdempotencyKey {
  return { key, ...services.fingerprint(call.request.method, call.path, body) };
}

/** Refusals that the contract names are the client's to mend, but for a service that is not available. */
function logFailure(
  error: unknown,
  requestId: string,
  log: Log,
  logUnavailable: UnavailableLog,
): void {
  if (error instanceof ServiceError && error.code === "HTTP_503") {
    logUnavailable(error, requestId);
    return;
  }
  if (error instanceof ServiceError && error.code !== "INTERNAL_ERROR") return;
  const cause = error instanceof ServiceError ? error.cause : error;
  log.error("unexpected_error", { requestId, ...errorFields(cause) });
}
