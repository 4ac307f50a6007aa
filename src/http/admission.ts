/** Who is asking, and whether that client may ask so often (decisions §17). */

import { identify, type IdentifyOptions } from "../access/credentials.ts";
import type { Identity } from "../access/identity.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { RateLimit, RateLimits, Standing } from "./rate_limit.ts";
import type { Call } from "./route.ts";

/** What becomes known of a request on its way. */
export interface Trace {
  /** The pattern of its route. */
  pattern: string;
  ownerId: string | null;
  /** What its client's bucket says; null where no limit was asked. */
  standing: Standing | null;
}

/** What an admission stands on. */
export interface AdmissionServices extends Omit<IdentifyOptions, "now"> {
  readonly limits: RateLimits;
}

/**
 * Finds who is asking, and counts the request: for its credential where that is valid, otherwise for
 * its address. So nobody can use up what another one's credential may send, and whoever tries
 * credentials is stopped by address; such a try costs one indexed query at most.
 *
 * @throws ServiceError `AUTH_REQUIRED`, `FORBIDDEN`, or `HTTP_429` for a client that sent too many.
 */
export async function identifyCaller(
  call: Call,
  services: AdmissionServices,
  trace: Trace,
): Promise<Identity> {
  let identity: Identity;
  try {
    identity = await identify(call.request, { ...services, now: call.now });
  } catch (error) {
    if (isRefused(error)) countAddress(call, services, trace);
    throw error;
  }
  trace.ownerId = identity.account.accountId;
  count(services.limits.credentials, identity.credential.id, call.now, trace);
  return identity;
}

/**
 * Counts a request for its address.
 *
 * @throws ServiceError `HTTP_429` for a client that sent too many.
 */
export function countAddress(
  { address, now }: Call,
  { limits }: Pick<AdmissionServices, "limits">,
  trace: Trace,
): void {
  count(limits.addresses, address, now, trace);
}

/** Tells a client where it stands, where it was counted. */
export function addStanding(headers: Headers, { standing }: Trace): void {
  if (standing === null) return;
  headers.set("RateLimit-Policy", standing.policy);
  headers.set("RateLimit", standing.field);
}

function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && ["AUTH_REQUIRED", "FORBIDDEN"].includes(error.code);
}

function count(limit: RateLimit | null, client: string, now: Date, trace: Trace): void {
  if (limit === null) return;
  trace.standing = limit.take(client, now);
  const { secondsToWait } = trace.standing;
  if (secondsToWait === null) return;
  throw new ServiceError("HTTP_429", { headers: { "Retry-After": String(secondsToWait) } });
}
