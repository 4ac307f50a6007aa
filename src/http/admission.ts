/** Counts requests against the rate limits (decisions §17). */

import { authenticate, type AuthenticateOptions } from "../access/credentials.ts";
import type { Caller } from "../access/identity.ts";
import { ServiceError, tooManyRequests } from "../errors/service_error.ts";
import type { RouteHeaders } from "./contract.ts";
import type { RequestPlace } from "./in_flight_requests.ts";
import type { KnownAddresses } from "./known_addresses.ts";
import type { RateLimit, RateLimits, RateLimitStatus } from "./rate_limit.ts";
import type { Call } from "./route.ts";

export interface RequestContext {
  pattern: string;
  routeHeaders: RouteHeaders;
  /** Whether failures have the form of OAuth. */
  isOAuth: boolean;
  /** Whether no other origin may read the answer. */
  isUnshared: boolean;
  ownerId: string | null;
  /** Null for a probe. */
  place: RequestPlace | null;
  /** Null if it was not counted. */
  rateLimit: RateLimitStatus | null;
}

export interface AdmissionServices extends Omit<AuthenticateOptions, "now"> {
  readonly limits: RateLimits;
  readonly knownAddresses: KnownAddresses;
}

/**
 * Counts the request for the account if the credential is valid, otherwise for the address. So no
 * client can use up another account's limit, and guesses at credentials are limited by address; a
 * guess costs at most one indexed query.
 *
 * Sessions of an account share one limit, and its tokens another: more tokens do not allow more
 * requests, and a token cannot prevent its own revocation.
 *
 * @throws ServiceError `AUTH_REQUIRED`, `ACCOUNT_MOVED`, `FORBIDDEN`, or `HTTP_429` for a client
 *   that sent too many.
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

export function countCaller(
  caller: Caller,
  { now }: Call,
  { limits }: Pick<AdmissionServices, "limits">,
  context: RequestContext,
): void {
  context.ownerId = caller.account.accountId;
  count(limits.accounts, callerOf(caller), now, context);
}

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
 * Counts a refused credential for the address.
 *
 * @throws ServiceError `HTTP_429` instead, after too many refusals.
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

/** @throws ServiceError `HTTP_429` for an address that sent too many. */
export function countAddress(
  { address, now }: Call,
  { limits }: Pick<AdmissionServices, "limits">,
  context: RequestContext,
): void {
  count(limits.addresses, address, now, context);
}

/**
 * Counts a request with a wrong secret in its path for its address. The refusal does not show the
 * limit, like that of an unknown path.
 *
 * @throws ServiceError `HTTP_429` for a client that sent too many.
 */
export function countWrongSecret(
  call: Call,
  services: Pick<AdmissionServices, "limits">,
  context: RequestContext,
): void {
  countAddress(call, services, context);
  context.rateLimit = null;
}

export function contextHeaders(
  { routeHeaders, rateLimit }: RequestContext,
): Readonly<Record<string, string>> {
  if (rateLimit === null) return routeHeaders;
  const { policy, field } = rateLimit;
  return { ...routeHeaders, "RateLimit-Policy": policy, RateLimit: field };
}

function isRefused(error: unknown): boolean {
  return error instanceof ServiceError &&
    ["AUTH_REQUIRED", "ACCOUNT_MOVED", "FORBIDDEN"].includes(error.code);
}

function count(
  limit: Pick<RateLimit, "consume"> | null,
  client: string,
  now: Date,
  context: RequestContext,
): void {
  if (limit === null) return;
  context.rateLimit = limit.consume(client, now);
  const { secondsToWait } = context.rateLimit;
  if (secondsToWait === null) return;
  throw tooManyRequests(secondsToWait);
}
