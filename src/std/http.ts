/**
 * Cookies. Has the API of the part of JSR's `@std/http` that this project uses: `deno.json` may map
 * either.
 *
 * @module
 */

/** A cookie as set by a server (RFC 6265, section 4.1). */
export interface Cookie {
  /** Visible ASCII characters without separators. */
  name: string;
  /** Visible ASCII characters without quotes, commas, semicolons or backslashes. */
  value: string;
  /** In seconds; a fraction is ignored. */
  maxAge?: number;
  path?: string;
  secure?: boolean;
  httpOnly?: boolean;
  sameSite?: "Strict" | "Lax" | "None";
}

const COOKIE_NAME = /^[\w!#$%&'*+\-./^`|~]+$/;
const COOKIE_VALUE = /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]*$/;
const COOKIE_PATH = /^[\x20-\x3A\x3C-\x7E]*$/;

/**
 * Values are not decoded.
 *
 * @returns The values by name; of several cookies with one name, the last.
 * @throws {SyntaxError} If a name, or a part between semicolons, is empty.
 */
export function getCookies(headers: Headers): Partial<Record<string, string>> {
  // Without a prototype, because a client may send a cookie named "__proto__" or "constructor".
  const cookies: Partial<Record<string, string>> = Object.create(null);
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const [name = "", ...value] = pair.split("=");
    if (name === "") throw new SyntaxError("A cookie must have a name");
    cookies[name.trim()] = value.join("=");
  }
  return cookies;
}

/**
 * Adds the attributes that the name prefixes `__Secure` and `__Host` require. Ignores a cookie
 * without a name.
 *
 * @throws {SyntaxError} If the name, value or path is not allowed in the header.
 * @throws {RangeError} If the maximum age is negative.
 */
export function setCookie(headers: Headers, cookie: Cookie): void {
  if (cookie.name === "") return;
  const completed = withPrefixAttributes(cookie);
  requireValidCookie(completed);
  const attributes = cookieAttributes(completed);
  headers.append("set-cookie", [`${cookie.name}=${cookie.value}`, ...attributes].join("; "));
}

/** Browsers reject a cookie whose name has a prefix without the required attributes. */
function withPrefixAttributes(cookie: Cookie): Cookie {
  if (cookie.name.startsWith("__Host")) return { ...cookie, path: "/", secure: true };
  return cookie.name.startsWith("__Secure") ? { ...cookie, secure: true } : cookie;
}

function requireValidCookie({ name, value, path = "", maxAge = 0 }: Cookie): void {
  if (!COOKIE_NAME.test(name)) throw new SyntaxError(`Invalid cookie name: "${name}"`);
  if (!COOKIE_VALUE.test(value)) {
    throw new SyntaxError(`Invalid character in the value of cookie "${name}"`);
  }
  if (!COOKIE_PATH.test(path)) throw new SyntaxError(`Invalid cookie path: "${path}"`);
  if (Number.isInteger(maxAge) && maxAge < 0) {
    throw new RangeError(`Max-Age of cookie "${name}" must not be negative, but was "${maxAge}"`);
  }
}

function cookieAttributes(cookie: Cookie): string[] {
  const attributes: string[] = [];
  if (cookie.secure) attributes.push("Secure");
  if (cookie.httpOnly) attributes.push("HttpOnly");
  if (Number.isInteger(cookie.maxAge)) attributes.push(`Max-Age=${cookie.maxAge}`);
  if (cookie.sameSite) attributes.push(`SameSite=${cookie.sameSite}`);
  if (cookie.path) attributes.push(`Path=${cookie.path}`);
  return attributes;
}
