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
 * Finds who is asking, and counts the request: for its account where the credential is valid, otherwise
 * for its address. So no client can use up what another account may send, and one that tries
 * credentials is stopped by address; such a try costs one indexed query at most.
 *
 * All sessions of an account share one limit, and all its tokens another: more tokens are not more
 * requests, and a token that is used up by a program, or by a thief, does not keep the account's owner
 * from ending it.
 *
 * @throws ServiceError `AUTH_REQUIRED`, `FORBIDDEN`, or `HTTP_429` for a client that sent too many.
 */
export async function identifyCaller(
  call: Call,
  services: AdmissionServices,
  trace: Trace,
): Promise<Identity> {
  const find = () => identify(call.request, { ...services, now: call.now });
  const identity = await countRefusal(find, call, services, trace);
  const { account: { accountId }, credential } = identity;
  trace.ownerId = accountId;
  count(services.limits.accounts, `${accountId} ${credential.kind}`, call.now, trace);
  return identity;
}

/**
 * Looks at a credential; one that is refused counts for the address that sent it.
 *
 * @throws ServiceError `HTTP_429` in place of the refusal, for a client that was refused too often.
 */
export async function countRefusal<Result>(
  look: () => Result | Promise<Result>,
  call: Call,
  services: Pick<AdmissionServices, "limits">,
  trace: Trace,
): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    if (isRefused(error)) countAddress(call, services, trace);
    throw error;
  }
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
