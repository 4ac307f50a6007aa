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
 * Authenticates by the `Authorization` header or, without one, by cookie. A cookie authenticates an
 * unsafe method only from the service's own origin (CSRF).
 *
 * @throws ServiceError `AUTH_REQUIRED` without a valid identity, `ACCOUNT_MOVED` for one that the
 *   move of its account ended, `FORBIDDEN` for a foreign origin.
 */
export async function authenticate(
  request: Request,
  options: AuthenticateOptions,
): Promise<Caller> {
  const caller = await lookUp(request.headers, options);
  if (caller === null) throw new ServiceError("AUTH_REQUIRED");
  assertSameOrigin(request, options.origin);
  return caller;
}

/**
 * Returns the caller of a session's cookie, or null without an open session. It does not check the
 * origin, so the answer must neither change the account nor show any of it.
 */
export async function callerByCookie(
  { headers }: Request,
  { authenticators, origin, now }: AuthenticateOptions,
): Promise<Caller | null> {
  const secret = cookieSecret(headers, origin) ?? "";
  if (!SESSION_SECRET.test(secret)) return null;
  return await authenticators.session(secret, now).catch((error) => {
    // The page asks the person to sign in, which shows the new address.
    if (error instanceof ServiceError && error.code === "ACCOUNT_MOVED") return null;
    throw error;
  });
}

/**
 * The CSRF check for unsafe methods.
 *
 * @throws ServiceError `FORBIDDEN`
 */
export function assertSameOrigin(request: Request, origin: string): void {
  if (maySendCookie(request, origin)) return;
  if (cookieSecret(request.headers, origin) !== null) throw new ServiceError("FORBIDDEN");
}

/**
 * True for a safe method, the service's own origin, and next to a Bearer credential, which is used
 * instead and which browsers never add by themselves.
 */
export function maySendCookie({ method, headers }: Request, origin: string): boolean {
  return SAFE_METHODS.has(method) || isSameOrigin(headers, origin) ||
    (bearerSecret(headers) ?? "") !== "";
}

/** Returns the sent credential as a cache key, equal for each spelling of its header. */
export function sentSecret({ headers }: Request, origin: string): string {
  const bearer = bearerSecret(headers);
  return JSON.stringify([bearer, bearer === null ? cookieSecret(headers, origin) : null]);
}

function cookieSecret(headers: Headers, origin: string): string | null {
  return readCookies(headers)[cookieName(origin)] ?? null;
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

/** A cookie may only hold a session. */
async function lookUp(
  headers: Headers,
  { authenticators, origin, now }: AuthenticateOptions,
): Promise<Caller | null> {
  const bearer = bearerSecret(headers);
  if (bearer !== null && TOKEN_SECRET.test(bearer)) return await authenticators.token(bearer, now);
  const secret = bearer ?? cookieSecret(headers, origin) ?? "";
  return SESSION_SECRET.test(secret) ? await authenticators.session(secret, now) : null;
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
export function sessionCookie(value: string, maxAge: number, origin: string): string {
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

export function endedSessionCookie(origin: string): string {
  return sessionCookie("", 0, origin);
}
