/**
 * The path of every request, in its visible order (specification, Errors):
 *
 *   request id → address (400) → host (421) → route (404, 405) → too many at once (503) →
 *   credential (401) → too many a minute (429) → permission (403) → the route's `parse`: checks,
 *   identifiers and query → Idempotency-Key (400) → body (415, 413, 408, 400) → handler
 *
 * (The method of an assistant's route comes before the host.) The body is not read before these
 * checks. Any error becomes one public error. `protected_route.ts` and `assistant_route.ts` have
 * the part from the credential on.
 */

import { assertSameOrigin, callerByCookie, sentSecret } from "../access/credentials.ts";
import type { IncomingRequest } from "../access/event_context.ts";
import { holderOf } from "../access/identity.ts";
import { sha256Hex } from "../core/digest.ts";
import { holderName } from "../core/holder.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { ErrorCode } from "../errors/codes.ts";
import { ServiceError } from "../errors/service_error.ts";
import { toPublicError } from "../errors/public_error.ts";
import {
  contextHeaders,
  countAddress,
  countRefusal,
  countWrongSecret,
  type RequestContext,
} from "./admission.ts";
import { type AssistantRouteServices, runAssistant } from "./assistant_route.ts";
import { clientAddress } from "./client_address.ts";
import { withChallenge } from "./challenge.ts";
import { toOAuthReply } from "./oauth_failure.ts";
import { runProtected } from "./protected_route.ts";
import { isReplay, type Reply } from "./reply.ts";
import { PUBLIC_BODY, readRequestBody, requestIdOf } from "./request.ts";
import { headOf, toErrorResponse, toResponse, transportSecurity } from "./response.ts";
import { type Call, COUNTED_KINDS, type PageRoute, type PublicRoute, type Route } from "./route.ts";
import { createRouter, type Match } from "./router.ts";
import type { InFlightRequests, RequestKind } from "./in_flight_requests.ts";
import { createUrlReader } from "./request_url.ts";
import { createUnavailableLog, type UnavailableLog } from "./unavailable_log.ts";

export interface PipelineServices extends AssistantRouteServices {
  readonly log: Log;
  readonly trustedProxies: number;
  readonly inFlight: InFlightRequests;
  readonly isServedHost: (hostname: string) => boolean;
  readonly meter: RequestMeter;
  /** The origin whose documents tell assistants how to sign in; null if they cannot. */
  readonly signInOrigin: string | null;
  /** The page of an unknown address, or null for the error. */
  readonly missingPage?: (call: Call) => Reply | null;
}

type RouteMatch = Match<Route | PageRoute>;

interface Routing {
  readonly router: (method: string, path: string) => RouteMatch;
  readonly readUrl: ReturnType<typeof createUrlReader>;
  readonly isBelowSecret: (path: string) => boolean;
  readonly assistantPaths: ReadonlySet<string>;
  readonly unsharedPaths: ReadonlySet<string>;
}

export interface RequestMeter {
  /**
   * @param route The path pattern of the route table.
   * @param outcome The status of a success, or the public code of a failure.
   */
  answered(route: string, method: string, outcome: number | ErrorCode, seconds: number): void;
  replayed(): void;
}

// Clients can send any method: only these are logged by name.
const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

const EMPTY_CONTEXT: RequestContext = {
  pattern: "none",
  routeHeaders: {},
  isOAuth: false,
  isUnshared: false,
  ownerId: null,
  place: null,
  rateLimit: null,
};

export function createPipeline(
  routes: readonly (Route | PageRoute)[],
  services: PipelineServices,
): (request: Request, peer?: string) => Promise<Response> {
  const routing: Routing = {
    router: createRouter(routes),
    readUrl: createUrlReader(),
    isBelowSecret: secretPathTest(routes),
    assistantPaths: new Set(
      routes.filter(({ access }) => access === "assistant").map(({ path }) => path),
    ),
    unsharedPaths: new Set(
      routes.filter((route) => "isUnshared" in route).map(({ path }) => path),
    ),
  };
  const transport = transportSecurity(services.origin);
  const logUnavailable = createUnavailableLog(services.log, services.clock);
  return async (request, peer) => {
    const started = performance.now();
    const incoming = incomingRequest(request, peer ?? null, services);
    const context = { ...EMPTY_CONTEXT };
    let response: Response;
    let outcome: number | ErrorCode;
    try {
      const reply = await dispatch(routing, incoming, services, context);
      response = toResponse(reply, incoming.requestId, {
        ...transport,
        ...contextHeaders(context),
      });
      outcome = response.status;
      if (isReplay(reply)) services.meter.replayed();
    } catch (error) {
      logFailure(error, incoming.requestId, services.log, logUnavailable);
      const failure = toPublicError(error, incoming.requestId);
      const more = { ...transport, ...contextHeaders(context) };
      const isAssistant = routing.assistantPaths.has(context.pattern);
      const headers = withChallenge(failure, request, isAssistant ? services.signInOrigin : null);
      response = context.isOAuth
        ? toResponse(toOAuthReply(error, { ...failure, headers }), incoming.requestId, more)
        : toErrorResponse({ ...failure, headers }, more);
      outcome = failure.body.error.code;
    }
    if (!context.isUnshared) services.crossOrigin.mark(request, response);
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
  log.info("request", {
    requestId,
    method,
    route: pattern,
    status: response.status,
    durationMs: Math.round(milliseconds * 100) / 100,
    ownerId,
  });
}

/** A test of paths that begin like one with a secret in it. */
function secretPathTest(routes: readonly (Route | PageRoute)[]): (path: string) => boolean {
  const starts = routes.filter((route) => route.access === "public" && route.kind === "secret path")
    .map(({ path }) => path.slice(0, path.indexOf(":")));
  return (path) => starts.some((start) => path.startsWith(start));
}

async function dispatch(
  routing: Routing,
  incoming: IncomingRequest,
  services: PipelineServices,
  context: RequestContext,
): Promise<Reply> {
  const { request } = incoming;
  const { hostname, path, query } = routing.readUrl(request);
  const match = routing.router(request.method, path);
  // Probes may use any host name, such as a container's address.
  const kind = match !== null && "route" in match && match.route.access === "public"
    ? match.route.kind
    : null;
  context.isUnshared = routing.unsharedPaths.has(path);
  // Checked before the 404: a page under another name must not learn which paths exist.
  const isWrongMethod = match !== null && "allow" in match &&
    routing.assistantPaths.has(path);
  const isAnyHost = kind === "probe" || kind === "any host" || isWrongMethod;
  if (!isAnyHost && !services.isServedHost(hostname)) throw new ServiceError("HTTP_421");
  if (match === null) {
    return answerUnknown({ ...incoming, path, params: {}, query }, routing, services, context);
  }
  if ("allow" in match) return answerMethod(request, match.allow, context, services);
  const { route, params } = match;
  context.pattern = route.path;
  if ("permission" in route) context.routeHeaders = route.headers ?? {};
  const call = { ...incoming, path, params, query };
  context.isOAuth = kind === "oauth";
  if (kind === "probe") return await runRoute(route, call, services, context);
  return await services.inFlight.run(
    kindOf(route, call, services),
    (place) => {
      context.place = place;
      return runRoute(route, call, services, context);
    },
    holderBefore(route, call, services),
  );
}

/** @throws ServiceError `HTTP_404` if no page is shown instead. */
function answerUnknown(
  call: Call,
  { isBelowSecret }: Routing,
  services: PipelineServices,
  context: RequestContext,
): Reply {
  if (isBelowSecret(call.path)) countWrongSecret(call, services, context);
  const page = services.missingPage?.(call) ?? null;
  if (page === null) throw new ServiceError("HTTP_404");
  return page;
}

/** @throws ServiceError `HTTP_405` for a request that is not a preflight. */
function answerMethod(
  request: Request,
  allow: readonly string[],
  { isUnshared }: RequestContext,
  { crossOrigin }: PipelineServices,
): Reply {
  const preflight = isUnshared ? null : crossOrigin.preflight(request, allow);
  if (preflight !== null) return preflight;
  throw new ServiceError("HTTP_405", { headers: { Allow: allow.join(", ") } });
}

/**
 * The holder until the credential is looked up: the cached one, or else the credential itself. Null
 * for a route without a credential.
 */
function holderBefore(
  route: Route | PageRoute,
  { request }: Call,
  { knownIdentities, origin }: PipelineServices,
): string | null {
  if (!("permission" in route)) return null;
  const secret = sentSecret(request, origin);
  const known = knownIdentities.find(secret);
  return known === null ? sha256Hex(secret) : holderName(holderOf(known));
}

function kindOf(
  route: Route | PageRoute,
  { address }: Call,
  { knownAddresses }: PipelineServices,
): RequestKind {
  if (!("permission" in route)) return knownAddresses.has(address) ? "known" : "stranger";
  return route.endpoint.body === "stream" ? "upload" : "protected";
}

async function runRoute(
  route: Route | PageRoute,
  call: Call,
  services: PipelineServices,
  context: RequestContext,
): Promise<Reply> {
  if (route.access === "page") {
    if (route.method === "GET") return route.answer(call);
    countAddress(call, services, context);
    return await route.answer(call, () => callerByCookie(call.request, { ...services, ...call }));
  }
  if (route.access === "public") return await runPublic(route, call, services, context);
  if (route.access === "assistant") return await runAssistant(route, call, services, context);
  return await runProtected(route, call, services, context);
}

async function runPublic(
  route: PublicRoute,
  call: Call,
  services: PipelineServices,
  context: RequestContext,
): Promise<Reply> {
  const { kind, endpoint } = route;
  if (kind === "secret path") return await runBySecret(route, call, services, context);
  if (COUNTED_KINDS.has(kind)) countAddress(call, services, context);
  if (kind === "oauth") return await endpoint.handle({ ...call, body: null });
  assertSameOrigin(call.request, services.origin);
  await countRefusal(() => endpoint.parse(call), call, services, context);
  const body = await readRequestBody(endpoint.body, call.request, PUBLIC_BODY);
  return await endpoint.handle({ ...call, body });
}

/** Runs a route with a secret in its path. A refusal counts for the address. */
async function runBySecret(
  { endpoint }: PublicRoute,
  call: Call,
  services: PipelineServices,
  context: RequestContext,
): Promise<Reply> {
  try {
    return await endpoint.handle({ ...call, body: null });
  } catch (error) {
    const isRefused = error instanceof ServiceError &&
      ["HTTP_404", "PAYLOAD_INVALID"].includes(error.code);
    if (isRefused) countWrongSecret(call, services, context);
    throw error;
  }
}

/**
 * Logs failures of the service only: the client must correct all others that the contract names.
 */
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
