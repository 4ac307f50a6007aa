/** Authenticates the caller and counts its requests against the rate limits (decisions §17). */

import { authenticate, type AuthenticateOptions } from "../access/credentials.ts";
import type { Caller } from "../access/identity.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { RouteHeaders } from "./contract.ts";
import type { RequestPlace } from "./in_flight_requests.ts";
import type { KnownAddresses } from "./known_addresses.ts";
import type { RateLimit, RateLimits, RateLimitStatus } from "./rate_limit.ts";
import type { Call } from "./route.ts";

/** What the pipeline learns of a request step by step. */
export interface RequestContext {
  /** The pattern of its route. */
  pattern: string;
  /** What the route sends with every response, failures included. */
  routeHeaders: RouteHeaders;
  ownerId: string | null;
  /** Its place among all that run; null for a probe. */
  place: RequestPlace | null;
  /** The status of its client's bucket; null where it was not counted. */
  rateLimit: RateLimitStatus | null;
}

/** What admission depends on. */
export interface AdmissionServices extends Omit<AuthenticateOptions, "now"> {
  readonly limits: RateLimits;
  readonly knownAddresses: KnownAddresses;
}

/**
 * Authenticates the caller and counts the request: for the account where the credential is valid,
 * otherwise for the address. So no client can use up what another account may send, and one that tries
 * credentials is stopped by address; such a try costs one indexed query at most.
 *
 * All sessions of an account share one limit, and all its tokens another: more tokens are not more
 * requests, and a token that is used up by a program, or by a thief, does not keep the account's owner
 * from ending it.
 *
 * @throws ServiceError `AUTH_REQUIRED`, `FORBIDDEN`, or `HTTP_429` for a client that sent too many.
 */
export async function authenticateCaller(
  call: Call,
  services: AdmissionServices,
  context: RequestContext,
): Promise<Caller> {
  const find = () => authenticate(call.request, { ...services, now: call.now });
  const caller = await countRefusal(find, call, services, context);
  countCaller(caller, call, services, context);
  services.knownAddresses.add(call.address);
  return caller;
}

/**
 * Counts a request for its caller.
 *
 * @throws ServiceError `HTTP_429` for one that sent too many.
 */
export function countCaller(
  caller: Caller,
  { now }: Call,
  { limits }: Pick<AdmissionServices, "limits">,
  context: RequestContext,
): void {
  context.ownerId = caller.account.accountId;
  count(limits.accounts, callerOf(caller), now, context);
}

/** Reverts `countCaller`. */
export function uncountCaller(
  caller: Caller,
  { now }: Call,
  { limits }: Pick<AdmissionServices, "limits">,
): void {
  limits.accounts?.giveBack(callerOf(caller), now);
}

function callerOf({ account, credential }: Caller): string {
  return `${account.accountId} ${credential.kind}`;
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
  context: RequestContext,
): Promise<Result> {
  try {
    return await look();
  } catch (error) {
    if (isRefused(error)) countAddress(call, services, context);
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
  context: RequestContext,
): void {
  count(limits.addresses, address, now, context);
}

/** The headers of the route, and the rate limit's status where the request was counted. */
export function contextHeaders(
  { routeHeaders, rateLimit }: RequestContext,
): Readonly<Record<string, string>> {
  if (rateLimit === null) return routeHeaders;
  const { policy, field } = rateLimit;
  return { ...routeHeaders, "RateLimit-Policy": policy, RateLimit: field };
}

function isRefused(error: unknown): boolean {
  return error instanceof ServiceError && ["AUTH_REQUIRED", "FORBIDDEN"].includes(error.code);
}

function count(limit: RateLimit | null, client: string, now: Date, context: RequestContext): void {
  if (limit === null) return;
  context.rateLimit = limit.consume(client, now);
  const { secondsToWait } = context.rateLimit;
  if (secondsToWait === null) return;
  throw new ServiceError("HTTP_429", { headers: { "Retry-After": String(secondsToWait) } });
}
