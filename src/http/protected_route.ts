/** Steps after those of `pipeline.ts`: credential, permission, path, query, key, body, handler. */

import { authenticate } from "../access/credentials.ts";
import { type Caller, holderOf, reachesModule } from "../access/identity.ts";
import type { IdempotencyKey } from "../command/command.ts";
import type { Clock } from "../core/clock.ts";
import { holderName, runFor } from "../core/holder.ts";
import type { JsonValue } from "../core/json.ts";
import type { FindErased } from "../erasure/erased_store.ts";
import { refusalOfPath } from "../erasure/refusal.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { AccountPlaces } from "./account_places.ts";
import { authenticateCaller, type RequestContext } from "./admission.ts";
import { ArrivingBody, type BodySource } from "./arriving_body.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import type { Disclosure, Reply } from "./reply.ts";
import { idempotencyKeyOf } from "./request.ts";
import type { Call, ProtectedRoute } from "./route.ts";
import { speculate, type SpeculationServices } from "./speculation.ts";

export interface ProtectedServices extends SpeculationServices {
  readonly clock: Clock;
  readonly fingerprint: Fingerprinter;
  /** Limits the request bodies that one account sends at the same time. */
  readonly bodies: AccountPlaces;
  /** Absent if nothing is ever erased. */
  readonly findErased?: FindErased;
  /** Records shown SECRET content; the response waits for it. */
  readonly noteDisclosure: (disclosure: Disclosure, call: Call) => Promise<void>;
}

/** Time after which a slow body's credential is checked again. */
const CONFIRM_AFTER_MS = 1_000;

interface ProtectedRequest {
  readonly route: ProtectedRoute;
  readonly call: Call;
  readonly services: ProtectedServices;
}

/** Runs the request, speculatively if possible. */
export async function runProtected(
  route: ProtectedRoute,
  call: Call,
  services: ProtectedServices,
  context: RequestContext,
): Promise<Reply> {
  const { body: rule, kind } = route.endpoint;
  const body = new ArrivingBody(rule, call.request, services.bodies);
  let found: Promise<Caller> | null = null;
  const lookUp = () => found ??= authenticateCaller(call, services, context);
  const run = (caller: Caller, source: BodySource) =>
    runFor(holderOf(caller), () => runAs(caller, { route, call, services }, source));
  try {
    let reply = await speculate({ kind, call, services, context, body, lookUp, run });
    if (reply === null) {
      const caller = await lookUp();
      context.place?.belongTo(holderName(holderOf(caller)));
      reply = await run(caller, body);
    }
    if (reply.disclosure !== undefined) await services.noteDisclosure(reply.disclosure, call);
    return reply;
  } finally {
    body.end();
  }
}

async function runAs(
  caller: Caller,
  { route, call, services }: ProtectedRequest,
  source: BodySource,
): Promise<Reply> {
  assertPermitted(route, caller);
  const confirm = async () => {
    const now = services.clock();
    assertPermitted(route, await authenticate(call.request, { ...services, now }));
  };
  const reader = { ...caller, secretsShown: new Set<string>() };
  const signedIn = { ...call, operation: route.operation, caller: reader, confirm };
  const parsed = route.endpoint.parse(signedIn) as never;
  const sentKey = readKey(route, call.request);
  const arriving = performance.now();
  const body = await source.read(caller);
  // After a slow body the credential must still be valid.
  if (performance.now() - arriving > CONFIRM_AFTER_MS) await confirm();
  const key = sentKey === null ? null : bindKey(sentKey, call, body, services);
  const reply = await route.endpoint.handle({ ...signedIn, parsed, key, body }).catch(
    async (error) => {
      const { account: { accountId } } = caller;
      throw await refusalOfPath(error, route, call.params, accountId, services.findErased);
    },
  );
  return withDisclosure(reply, caller, reader.secretsShown);
}

/** Adds the SECRET records shown; a 304 shows none. */
function withDisclosure(
  reply: Reply,
  reader: Caller,
  recordIds: ReadonlySet<string>,
): Reply {
  if (recordIds.size === 0 || reply.status === 304) return reply;
  return { ...reply, disclosure: { reader, recordIds } };
}

function assertPermitted(route: ProtectedRoute, caller: Caller): void {
  const { access, permission, module } = route;
  const { credential, permissions } = caller;
  const isAccepted = access === "credential" || credential.kind === "SESSION";
  const isAllowed = permission === null ||
    (permissions.has("platform.operate") && permissions.has(permission));
  const isReached = module === null || module === "checks itself" || reachesModule(caller, module);
  if (!isAccepted || !isAllowed || !isReached) throw new ServiceError("FORBIDDEN");
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

function bindKey(
  key: string,
  call: Call,
  body: JsonValue,
  services: ProtectedServices,
): IdempotencyKey {
  return { key, ...services.fingerprint(call.request.method, call.path, body) };
}
