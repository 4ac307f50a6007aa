/** Authenticates the caller and counts its requests against the rate limits (decisions §17). */

import { authenticate, type AuthenticateOptions } from "../access/credentials.ts";
import type { Identity } from "../access/identity.ts";
import { ServiceError } from "../errors/service_error.ts";
import type { RouteHeaders } from "./contract.ts";
import type { RateLimit, RateLimits, RateLimitStatus } from "./rate_limit.ts";
import type { Call } from "./route.ts";

/** What the pipeline learns of a request step by step. */
export interface RequestContext {
  /** The pattern of its route. */
  pattern: string;
  /** What the route sends with every response, failures included. */
  routeHeaders: RouteHeaders;
  ownerId: string | null;
  /** The status of its client's bucket; null where it was not counted. */
  rateLimit: RateLimitStatus | null;
}

/** What admission depends on. */
export interface AdmissionServices extends Omit<AuthenticateOptions, "now"> {
  readonly limits: RateLimits;
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
): Promise<Identity> {
  const find = () => authenticate(call.request, { ...services, now: call.now });
  const identity = await countRefusal(find, call, services, context);
  const { account: { accountId }, credential } = identity;
  context.ownerId = accountId;
  count(services.limits.accounts, `${accountId} ${credential.kind}`, call.now, context);
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

/** Sets the headers of the route, and the rate limit's status where the request was counted. */
export function setContextHeaders(
  headers: Headers,
  { routeHeaders, rateLimit }: RequestContext,
): void {
  for (const [name, value] of Object.entries(routeHeaders)) headers.set(name, value);
  if (rateLimit === null) return;
  headers.set("RateLimit-Policy", rateLimit.policy);
  headers.set("RateLimit", rateLimit.field);
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
