import { getCookies, setCookie } from "@std/http";
import { ServiceError } from "../errors/service_error.ts";
import type { Authenticators, Caller } from "./identity.ts";

export const SAFE_METHODS: ReadonlySet<string> = new Set(["GET", "HEAD", "OPTIONS"]);
const SESSION_SECRET = /^prs_s_[A-Za-z0-9_-]{43}$/;
const TOKEN_SECRET = /^prs_p_[A-Za-z0-9_-]{43}$/;

export interface AuthenticateOptions {
  readonly authenticators: Authenticators;
  readonly origin: string;
  readonly now: Date;
}

/**
 * Authenticates by cookie or Bearer credential (specification, Authentication). An invalid credential is
 * rejected even next to a valid one; both must belong to the same account. A cookie authenticates an unsafe
 * method only from the service's own origin (CSRF).
 *
 * @throws ServiceError `AUTH_REQUIRED` without a valid identity, `FORBIDDEN` for a foreign origin.
 */
export async function authenticate(
  request: Request,
  options: AuthenticateOptions,
): Promise<Caller> {
  const bearer = bearerSecret(request.headers);
  const cookie = readCookies(request.headers)[cookieName(options.origin)] ?? null;
  const [byBearer, byCookie] = await Promise.all([
    bearer === null ? null : lookUpBearer(bearer, options),
    cookie === null ? null : lookUpSession(cookie, options),
  ]);
  if (bearer !== null) {
    const agree = cookie === null || byCookie?.account.accountId === byBearer?.account.accountId;
    if (byBearer === null || !agree) throw new ServiceError("AUTH_REQUIRED");
    return byBearer;
  }
  if (byCookie === null) throw new ServiceError("AUTH_REQUIRED");
  assertSameOrigin(request, options.origin);
  return byCookie;
}

/**
 * The CSRF check for unsafe methods.
 *
 * @throws ServiceError `FORBIDDEN`
 */
export function assertSameOrigin(request: Request, origin: string): void {
  if (mayUseCookie(request, origin)) return;
  if (cookieName(origin) in readCookies(request.headers)) throw new ServiceError("FORBIDDEN");
}

/** Exactly one credential, in a form that `authenticate` accepts. */
export function bearsOneCredential(request: Request, origin: string): boolean {
  const hasCookie = cookieName(origin) in readCookies(request.headers);
  if (request.headers.has("Authorization")) return !hasCookie;
  return mayUseCookie(request, origin);
}

/**
 * Returns all headers that `authenticate` reads, as a cache key: equal for one credential, however it is
 * sent.
 */
export function sentSecrets({ headers }: Request, origin: string): string {
  return JSON.stringify([bearerSecret(headers), readCookies(headers)[cookieName(origin)] ?? null]);
}

function mayUseCookie(request: Request, origin: string): boolean {
  return SAFE_METHODS.has(request.method) || isSameOrigin(request.headers, origin);
}

/** Empty if the header is malformed. */
function readCookies(headers: Headers): Partial<Record<string, string>> {
  try {
    return getCookies(headers);
  } catch (error) {
    if (error instanceof SyntaxError) return {};
    throw error;
  }
}

async function lookUpBearer(
  secret: string,
  options: AuthenticateOptions,
): Promise<Caller | null> {
  if (!TOKEN_SECRET.test(secret)) return await lookUpSession(secret, options);
  return await options.authenticators.token(secret, options.now);
}

/** A cookie may only hold a session. */
async function lookUpSession(
  secret: string,
  options: AuthenticateOptions,
): Promise<Caller | null> {
  if (!SESSION_SECRET.test(secret)) return null;
  return await options.authenticators.session(secret, options.now);
}

/** Returns the Bearer secret: empty for another form of credential, null without one. */
export function bearerSecret(headers: Headers): string | null {
  const header = headers.get("Authorization");
  if (header === null) return null;
  // Another scheme is a credential that is never valid.
  return /^Bearer +(\S+)$/i.exec(header)?.[1] ?? "";
}

function isSameOrigin(headers: Headers, origin: string): boolean {
  const sent = headers.get("Origin");
  return sent === null ? headers.get("Sec-Fetch-Site") === "same-origin" : sent === origin;
}

/** Browsers bind a cookie with the prefix `__Host-` to HTTPS, this host and the path `/`. */
export function cookieName(origin: string): string {
  return isSecure(origin) ? "__Host-prs_session" : "prs_session";
}

function isSecure(origin: string): boolean {
  return origin.startsWith("https://");
}

/** @param maxAge In seconds. */
export function sessionCookie(secret: string, maxAge: number, origin: string): string {
  return cookieHeader(secret, maxAge, origin);
}

export function endedSessionCookie(origin: string): string {
  return cookieHeader("", 0, origin);
}

function cookieHeader(value: string, maxAge: number, origin: string): string {
  const headers = new Headers();
  setCookie(headers, {
    name: cookieName(origin),
    value,
    maxAge,
    path: "/",
    httpOnly: true,
    secure: isSecure(origin),
    sameSite: "Lax",
  });
  return headers.get("Set-Cookie") ?? "";
}
