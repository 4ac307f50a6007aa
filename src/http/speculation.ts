/**
 * Speculative replies: some requests run for a cached identity, before their credential is looked
 * up. The look-up is a round trip to the database, and most requests need only one more. Without
 * it, a read over one connection takes 771 instead of 992 microseconds (median). Speed is the only
 * effect: if `speculate` always returned null, every client would get the same replies.
 *
 * Cache: `KnownCallers` holds the caller that each recent credential had in this process. It proves
 * nothing, because the credential may have ended since, possibly in another process. No request
 * that arrives after the acknowledged end of its credential is answered or written.
 *
 * Kinds: `define_endpoint.ts` sets the kind of an endpoint; one without a kind never runs early.
 *   command   runs in place of the look-up; its claim has a verdict only while the identity holds
 *   row       runs in place of the look-up; its SELECT finds the row only while the identity holds
 *   page      runs during the look-up, which has to find the same identity
 *
 * Confirmation: in place of a look-up, the identity carries a `Confirmation`, so every command and
 * row read of the request has it. Their statement passes its values to `identity_holds`
 * (sql/0003_commands.sql). Then:
 *   1. The identity holds: the reply is sent, and nothing is looked up.
 *   2. It does not hold, or the row is missing: `UnconfirmedError`. Nothing was written. The
 *      credential is looked up, and the request starts again (a row then runs like a page).
 *   3. The request ended before such a statement, e.g. with a refused body: the credential is
 *      looked up. The result is sent if that finds the same identity; otherwise the request starts
 *      again.
 *   4. It failed and may have written, e.g. because the connection was lost during COMMIT: it never
 *      starts again. The failure is sent, unless the credential is refused.
 * Until it is confirmed, a request does not wait for its body, holds none of the account's places
 * for bodies, and is not counted against its rate limit. `protected_route.ts` notes SECRET content
 * that was shown for the reply that is sent only.
 *
 * Excluded: cookies on unsafe requests of other origins, expired credentials, and the role SERVICE,
 * whose single grants only a look-up reads. A credential whose use was not noted within the hour
 * does not hold.
 */

import { USE_INTERVAL_MS } from "../access/authenticator.ts";
import { type Confirmation, UnconfirmedError } from "../access/confirmation.ts";
import { maySendCookie, sentSecret } from "../access/credentials.ts";
import { type Caller, isSameCaller } from "../access/identity.ts";
import { within } from "../core/deadline.ts";
import type { JsonValue } from "../core/json.ts";
import { ServiceError } from "../errors/service_error.ts";
import {
  type AdmissionServices,
  countCaller,
  type RequestContext,
  uncountCaller,
} from "./admission.ts";
import type { ArrivingBody, BodySource } from "./arriving_body.ts";
import type { KnownCallers } from "./known_identities.ts";
import type { Reply } from "./reply.ts";
import type { Call, EndpointKind } from "./route.ts";

export interface SpeculationServices extends AdmissionServices {
  readonly knownIdentities: KnownCallers;
}

interface SpeculativeRequest {
  readonly kind: EndpointKind | undefined;
  readonly call: Call;
  readonly services: SpeculationServices;
  readonly context: RequestContext;
  readonly body: ArrivingBody;
  /** Looks up the credential once, however often it is called. */
  readonly lookUp: () => Promise<Caller>;
  /** May be called again for another identity. */
  readonly run: (caller: Caller, body: BodySource) => Promise<Reply>;
}

type UnconfirmedIdentity = Caller & { readonly confirmation: Confirmation };

interface EarlyReply {
  readonly caller: Caller;
  readonly reply: Promise<Reply>;
}

/** Returns the reply, or null if the request must run for the identity of `lookUp`. */
export async function speculate(request: SpeculativeRequest): Promise<Reply | null> {
  const { kind, call, services, body, lookUp, run } = request;
  if (kind === undefined) return null;
  const settled = kind === "page" ? null : await runInPlace(request);
  if (settled?.caller.confirmation?.isConfirmed) {
    services.knownAddresses.add(call.address);
    return await settled.reply;
  }
  const looking = lookUp();
  // Also called after a settled reply, so that a refused credential leaves the cache.
  const cached = services.knownIdentities.assume(secretOf(request), looking);
  const isRead = cached !== null && kind !== "command";
  const early = settled ?? (isRead ? { caller: cached, reply: run(cached, body) } : null);
  // Nothing awaits it if the look-up finds another identity.
  early?.reply.catch(() => {});
  const caller = await looking;
  if (early !== null && isSameCaller(early.caller, caller)) return await early.reply;
  if (settled !== null && await mayHaveWritten(settled)) return await settled.reply;
  return null;
}

/** Null if it could not run, or the cached identity may not hold. */
async function runInPlace(request: SpeculativeRequest): Promise<EarlyReply | null> {
  const { call, services, context, body, run } = request;
  const caller = findUnconfirmed(request);
  const counted = { ...context };
  if (caller === null || !tryCount(caller, call, services, counted)) return null;
  const reply = run(caller, { read: () => readArrived(body) });
  const isSettled = await reply.then(() => true, (error) => !(error instanceof UnconfirmedError));
  if (caller.confirmation.isConfirmed) Object.assign(context, counted);
  else uncountCaller(caller, call, services);
  return isSettled ? { caller, reply } : null;
}

/** Null if a statement cannot confirm the cached identity. */
function findUnconfirmed(request: SpeculativeRequest): UnconfirmedIdentity | null {
  const { call, services: { knownIdentities, origin } } = request;
  if (!maySendCookie(call.request, origin)) return null;
  const cached = knownIdentities.find(secretOf(request));
  if (cached === null) return null;
  const { account: { accountId, role }, credential, useIntervalMs = USE_INTERVAL_MS } = cached;
  if (role === null || role === "SERVICE") return null;
  if (Date.parse(credential.expiresAt) <= call.now.getTime()) return null;
  const usedSince = new Date(call.now.getTime() - useIntervalMs);
  const compared = { accountId, credentialId: credential.id, role, usedSince };
  return { ...cached, confirmation: { ...compared, isConfirmed: false } };
}

function tryCount(...counting: Parameters<typeof countCaller>): boolean {
  try {
    countCaller(...counting);
    return true;
  } catch {
    return false;
  }
}

/** @throws UnconfirmedError if the body has not arrived. */
async function readArrived(body: ArrivingBody): Promise<JsonValue> {
  const whole = body.readUncounted();
  // It may fail when nothing waits for it.
  whole.catch(() => {});
  return await within(0, whole, () => new UnconfirmedError());
}

async function mayHaveWritten({ reply }: EarlyReply): Promise<boolean> {
  return await reply.then(
    () => false,
    (error) => !(error instanceof ServiceError) || error.code === "HTTP_503",
  );
}

function secretOf({ call, services }: SpeculativeRequest): string {
  return sentSecret(call.request, services.origin);
}
