/**
 * The path of every request, in its visible order (specification, Errors):
 *
 *   request id → route (404, 405) → credential (401) → permission (403) → gates, identifiers and
 *   query (the route's `parse`) → Idempotency-Key (400) → body (415, 413, 408, 400) → handler
 *
 * The body is not read before the gates. What is thrown anywhere becomes one public error.
 */

import { identify } from "../access/credentials.ts";
import type { Identity } from "../access/identity.ts";
import type { RoleMatrix } from "../access/permissions.ts";
import type { IdempotencyKey } from "../command/command.ts";
import type { Clock } from "../core/clock.ts";
import type { JsonValue } from "../core/json.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Database } from "../database/database.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { clientAddress } from "./client_address.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import type { Reply } from "./reply.ts";
import { idempotencyKeyOf, readJsonBody, requestIdOf } from "./request.ts";
import { toErrorResponse, toResponse } from "./response.ts";
import type { BodyRule, Call, ProtectedRoute, Route } from "./route.ts";
import { createRouter } from "./router.ts";

/** What the pipeline needs of the application. */
export interface PipelineServices {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** The public origin that cookies are bound to. */
  readonly origin: string;
  readonly fingerprint: Fingerprinter;
  readonly roles: RoleMatrix;
  /** How many proxies stand before the service. */
  readonly trustedProxies: number;
}

// A method is a word of the client's: only these are written to the log.
const METHODS = new Set(["GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"]);

/** Everything that a log line says of a request. */
interface Trace {
  pattern: string;
  ownerId: string | null;
}

/** Builds the one function that answers every request. */
export function createPipeline(
  routes: readonly Route[],
  services: PipelineServices,
): (request: Request, peer?: string) => Promise<Response> {
  const route = createRouter(routes);
  return async (request, peer) => {
    const started = performance.now();
    const now = services.clock();
    const requestId = requestIdOf(request, now);
    const trace: Trace = { pattern: "none", ownerId: null };
    let response: Response;
    try {
      const url = addressOf(request);
      const match = route(request.method, url.pathname);
      if (match === null) throw new ServiceError("HTTP_404");
      if ("allow" in match) {
        throw new ServiceError("HTTP_405", { headers: { Allow: match.allow.join(", ") } });
      }
      trace.pattern = match.route.path;
      const address = clientAddress(request.headers, peer ?? null, services.trustedProxies);
      const { params } = match;
      const call = { request, requestId, now, address, params, query: url.searchParams };
      response = toResponse(await answer(match.route, call, services, trace), requestId);
    } catch (error) {
      logUnexpected(error, requestId, services.log);
      response = toErrorResponse(error, requestId);
    }
    services.log.info("request", {
      requestId,
      method: METHODS.has(request.method) ? request.method : "OTHER",
      route: trace.pattern,
      status: response.status,
      durationMs: Math.round((performance.now() - started) * 100) / 100,
      ownerId: trace.ownerId,
    });
    return request.method === "HEAD" ? await headOf(response) : response;
  };
}

/** The head of an answer alone, with the length that its body would have. */
async function headOf(response: Response): Promise<Response> {
  const head = new Response(null, response);
  if (response.body !== null) {
    head.headers.set("Content-Length", String((await response.arrayBuffer()).byteLength));
  }
  return head;
}

/** The address of a request, whose host is whatever the client wrote into its Host header. */
function addressOf(request: Request): URL {
  const url = URL.parse(request.url);
  if (url === null) throw payloadInvalid(["url.format"]);
  return url;
}

async function answer(
  route: Route,
  call: Call,
  services: PipelineServices,
  trace: Trace,
): Promise<Reply> {
  if (route.access === "public") {
    route.endpoint.parse(call);
    const body = await readBody(route.endpoint.body, call.request);
    return await route.endpoint.answer({ ...call, body });
  }
  const identity = await identify(call.request, { ...services, now: call.now });
  trace.ownerId = identity.account.accountId;
  assertPermitted(route, identity);
  const signedIn = { ...call, identity };
  const parsed = route.endpoint.parse(signedIn) as never;
  const sentKey = readKey(route, call.request);
  const body = await readBody(route.endpoint.body, call.request);
  const key = sentKey === null ? null : bindKey(sentKey, call, body, services);
  return await route.endpoint.answer({ ...signedIn, parsed, key, body });
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

async function readBody(rule: BodyRule, request: Request): Promise<JsonValue> {
  if (rule === "none" || rule === "stream") return null;
  return await readJsonBody(request, rule === "optional-json");
}

function bindKey(
  key: string,
  call: Call,
  body: JsonValue,
  services: PipelineServices,
): IdempotencyKey {
  const path = new URL(call.request.url).pathname;
  return { key, ...services.fingerprint(call.request.method, path, body) };
}

function logUnexpected(error: unknown, requestId: string, log: Log): void {
  if (error instanceof ServiceError && error.code !== "INTERNAL_ERROR") return;
  const cause = error instanceof ServiceError ? error.cause : error;
  log.error("unexpected_error", { requestId, ...errorFields(cause) });
}
