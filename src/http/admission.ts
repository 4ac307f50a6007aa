/** Authenticates the caller and counts its requests against the rate limits (decisions §17). */

import { authenticate, type AuthenticateOptions } from "../access/credentials.ts";
import type { Caller } from "../access/identity.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { RouteHeaders } from "./contract.ts";
import type { RequestPlace } from "./in_flight_requests.ts";
import type { KnownAddresses } from "./known_addresses.ts";
import type { RateLimit, RateLimits, RateLimitStatus } from "./rate_limit.ts";
import type { Call } from "./route.ts";

/** What the pipeline knows about a request, filled step by step. */
export interface RequestContext {
  /** The pattern of its route. */
  pattern: string;
  /** The route's headers for every response, including failures. */
  routeHeaders: RouteHeaders;
  ownerId: string | null;
  /** Its place among all that run; null for a probe. */
  place: RequestPlace | null;
  /** The status of its client's bucket; null if it was not counted. */
  rateLimit: RateLimitStatus | null;
}

/** The dependencies of admission. */
export interface AdmissionServices extends Omit<AuthenticateOptions, "now"> {
  readonly limits: RateLimits;
  readonly knownAddresses: KnownAddresses;
}

/**
 * Authenticates the caller and counts the request: for the account if the credential is valid, otherwise
 * for the address. So no client can use up another account's limit, and one that guesses credentials is
 * stopped by address; a guess costs at most one indexed query.
 *
 * All sessions of an account share one limit, and all its tokens another: more tokens do not allow more
 * requests, and a token that a program, or a thief, uses up does not keep the account's owner from revoking
 * it.
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

/** The headers of the route, and the rate limit's status if the request was counted. */
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
