/**
 * The path of a request whose route needs a credential, behind what `pipeline.ts` does for every request.
 *
 * The look-up of a credential is a round trip to the database. Three kinds of requests begin without it,
 * for the identity that the credential last stood for in this process:
 *   a command     is sent in place of the look-up: its claim asks whether the identity still holds, and
 *                 writes nothing where it does not
 *   a read        of one row is sent in its place too, and finds nothing where the identity does not hold
 *   a pure read   of more is sent along with the look-up
 * What has not confirmed the identity itself, such as a refusal ahead of the claim, is given where the
 * look-up confirms it. In every other case the request is answered for whom the look-up finds. So each
 * client sees the order of checks that `pipeline.ts` states, and no request that comes behind the
 * acknowledged end of its credential is answered or written.
 */

import { type AssumedIdentity, assumeIdentity, UnconfirmedError } from "../access/assumption.ts";
import { authenticate, bearsOneCredential, sentSecrets } from "../access/credentials.ts";
import { type Identity, isSameIdentity } from "../access/identity.ts";
import type { IdempotencyKey } from "../command/command.ts";
import type { Clock } from "../core/clock.ts";
import type { JsonValue } from "../core/json.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { AccountPlaces } from "./account_places.ts";
import {
  type AdmissionServices,
  authenticateCaller,
  type RequestContext,
  tryCountCaller,
  uncountCaller,
} from "./admission.ts";
import { ArrivingBody } from "./arriving_body.ts";
import type { Fingerprinter } from "./fingerprint.ts";
import type { KnownAddresses } from "./known_addresses.ts";
import type { KnownIdentities } from "./known_identities.ts";
import type { Reply } from "./reply.ts";
import { idempotencyKeyOf } from "./request.ts";
import type { Call, ProtectedRoute } from "./route.ts";

/** What a protected route needs of the application. */
export interface ProtectedServices extends AdmissionServices {
  readonly clock: Clock;
  readonly fingerprint: Fingerprinter;
  /** JSON bodies that are arriving: each holds a place of `inFlight` as long as its client likes. */
  readonly bodies: AccountPlaces;
  readonly knownAddresses: KnownAddresses;
  readonly knownIdentities: KnownIdentities;
}

/** Where a body took longer to arrive, the credential is checked again: it may have ended meanwhile. */
const CONFIRM_AFTER_MS = 1_000;

/** A request of a protected route, and what answers it. */
interface Asked {
  readonly route: ProtectedRoute;
  readonly call: Call;
  readonly services: ProtectedServices;
  readonly body: ArrivingBody;
}

/** A reply that was made for the identity that the credential last stood for. */
interface Ahead<Assumed extends Identity = Identity> {
  readonly identity: Assumed;
  readonly reply: Promise<Reply>;
}

/** Answers a request whose route needs a credential. */
export async function runProtected(
  route: ProtectedRoute,
  call: Call,
  services: ProtectedServices,
  context: RequestContext,
): Promise<Reply> {
  const body = new ArrivingBody(route.endpoint.body, call.request, services.bodies);
  try {
    return await answerAsked({ route, call, services, body }, context);
  } finally {
    body.end();
  }
}

async function answerAsked(asked: Asked, context: RequestContext): Promise<Reply> {
  const { call, services } = asked;
  const outcome = await outcomeAhead(asked, context);
  if (outcome?.identity.assumption.isConfirmed) {
    services.knownAddresses.add(call.address);
    return await outcome.reply;
  }
  const lookUp = authenticateCaller(call, services, context);
  // Behind an outcome too: a credential that is refused is known no longer.
  const known = knownIdentity(asked, lookUp);
  const ahead = outcome ?? readAhead(asked, known);
  const identity = await lookUp;
  services.knownAddresses.add(call.address);
  if (ahead !== null && isSameIdentity(ahead.identity, identity)) return await ahead.reply;
  if (outcome !== null && await isUncertain(outcome)) return await outcome.reply;
  return await answerCaller(asked, identity);
}

/** Whether a reply failed in a way that leaves open whether it wrote: then nothing is sent a second time. */
async function isUncertain({ reply }: Ahead): Promise<boolean> {
  return await reply.then(
    () => false,
    (error) => !(error instanceof ServiceError) || error.code === "HTTP_503",
  );
}

/** Whom the credential last stood for, where the route may assume that; the look-up is remembered. */
function knownIdentity({ route, call, services }: Asked, lookUp: Promise<Identity>) {
  const { isPureRead, confirmsIdentity } = route.endpoint;
  if (isPureRead !== true && confirmsIdentity !== true) return null;
  return services.knownIdentities.assume(sentSecrets(call.request, services.origin), lookUp);
}

/** The reply to a pure read; null for any other request. */
function readAhead(asked: Asked, identity: Identity | null): Ahead | null {
  if (asked.route.endpoint.isPureRead !== true || identity === null) return null;
  const reply = answerCaller(asked, identity);
  // Where the look-up says otherwise, its failure is not awaited.
  reply.catch(() => {});
  return { identity, reply };
}

/**
 * What a request came to that confirms its identity itself, once it has: to be given where it did, or a
 * look-up does. Null where the request must be answered for whom a look-up finds: then nothing was written.
 */
async function outcomeAhead(
  asked: Asked,
  context: RequestContext,
): Promise<Ahead<AssumedIdentity> | null> {
  const { route, call, services } = asked;
  if (route.endpoint.confirmsIdentity !== true) return null;
  if (!bearsOneCredential(call.request, services.origin)) return null;
  const known = services.knownIdentities.find(sentSecrets(call.request, services.origin));
  const identity = known === null ? null : assumeIdentity(known, call.now);
  if (identity === null || !tryCountCaller(identity, call, services, context)) return null;
  const reply = answerCaller(asked, identity);
  const isOutcome = await reply.then(() => true, (error) => !(error instanceof UnconfirmedError));
  if (!identity.assumption.isConfirmed) uncountCaller(identity, call, services, context);
  return isOutcome ? { identity, reply } : null;
}

/** What comes behind the credential: from permission to handler. */
async function answerCaller(
  { route, call, services, body: arrivingBody }: Asked,
  identity: Identity,
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
  const body = await arrivingBody.read(identity);
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

function bindKey(
  key: string,
  call: Call,
  body: JsonValue,
  services: ProtectedServices,
): IdempotencyKey {
  return { key, ...services.fingerprint(call.request.method, call.path, body) };
}
