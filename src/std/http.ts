/**
 * Cookies, status codes and content negotiation.
 *
 * Our own implementation of the part of the JSR package `@std/http` that this project uses, with
 * the same names, signatures and behaviour, so that `deno.json` may map either to `@std/http`.
 *
 * @module
 */

/** A cookie as set by a server (RFC 6265, section 4.1). */
export interface Cookie {
  /** The name: visible ASCII characters without separators. */
  name: string;
  /** The value: visible ASCII characters without quotes, commas, semicolons or backslashes. */
  value: string;
  /** When the client shall forget the cookie, as a date or in milliseconds since the Unix epoch. */
  expires?: Date | number;
  /** For how many seconds the client shall keep the cookie; a fraction is ignored. */
  maxAge?: number;
  /** The host to which, and to whose subdomains, the client shall send the cookie. */
  domain?: string;
  /** The path under which the client shall send the cookie. */
  path?: string;
  /** Whether the client shall send the cookie over secure connections only. */
  secure?: boolean;
  /** Whether the client shall hide the cookie from scripts. */
  httpOnly?: boolean;
  /** Whether the client shall keep the cookie apart for each top-level site. */
  partitioned?: boolean;
  /** Whether the client shall send the cookie with requests that other sites started. */
  sameSite?: "Strict" | "Lax" | "None";
  /** Further attributes, each as it shall appear in the header, such as `"Priority=High"`. */
  unparsed?: string[];
}

const COOKIE_NAME = /^[\w!#$%&'*+\-./^`|~]+$/;
const COOKIE_VALUE = /^[\x21\x23-\x2B\x2D-\x3A\x3C-\x5B\x5D-\x7E]*$/;
const COOKIE_ATTRIBUTE = /^[\x20-\x3A\x3C-\x7E]*$/;

/**
 * Reads the cookies that a client sent. Values are given as sent: nothing is decoded.
 *
 * @example
 * ```ts
 * import { getCookies } from "@std/http";
 * import { assertEquals } from "@std/assert";
 *
 * const headers = new Headers({ cookie: "full=of; tasty=chocolate" });
 * assertEquals(getCookies(headers), { full: "of", tasty: "chocolate" });
 * ```
 *
 * @param headers The headers of a request.
 * @returns The values by name; of cookies with one name, the last.
 * @throws {SyntaxError} When nothing stands before an equals sign, or between or after semicolons.
 */
export function getCookies(headers: Headers): Partial<Record<string, string>> {
  // Without a prototype, since a client may send a cookie named "__proto__" or "constructor".
  const cookies: Partial<Record<string, string>> = Object.create(null);
  for (const pair of headers.get("cookie")?.split(";") ?? []) {
    const [name = "", ...value] = pair.split("=");
    if (name === "") throw new SyntaxError("A cookie must have a name");
    cookies[name.trim()] = value.join("=");
  }
  return cookies;
}

/**
 * Adds a `Set-Cookie` header.
 *
 * The attributes that the name prefixes `__Secure` and `__Host` demand are added. A cookie without
 * a name is ignored.
 *
 * @example
 * ```ts
 * import { setCookie } from "@std/http";
 * import { assertEquals } from "@std/assert";
 *
 * const headers = new Headers();
 * setCookie(headers, { name: "space", value: "cat", httpOnly: true });
 * assertEquals(headers.get("set-cookie"), "space=cat; HttpOnly");
 * ```
 *
 * @param headers The headers of a response.
 * @param cookie The cookie to set.
 * @throws {SyntaxError} When the name, value, path or domain cannot stand in the header.
 * @throws {RangeError} When the maximum age is negative.
 */
export function setCookie(headers: Headers, cookie: Cookie): void {
  if (cookie.name === "") return;
  const completed = withPrefixAttributes(cookie);
  requireValidCookie(completed);
  const attributes = cookieAttributes(completed);
  headers.append("set-cookie", [`${cookie.name}=${cookie.value}`, ...attributes].join("; "));
}

/**
 * Adds a `Set-Cookie` header that makes the client forget a cookie.
 *
 * @example
 * ```ts
 * import { deleteCookie } from "@std/http";
 * import { assertEquals } from "@std/assert";
 *
 * const headers = new Headers();
 * deleteCookie(headers, "space");
 * assertEquals(headers.get("set-cookie"), "space=; Expires=Thu, 01 Jan 1970 00:00:00 GMT");
 * ```
 *
 * @param headers The headers of a response.
 * @param name The name of the cookie.
 * @param attributes The attributes with which the cookie was set.
 * @throws {SyntaxError} When the name, path or domain cannot stand in the header.
 */
export function deleteCookie(
  headers: Headers,
  name: string,
  attributes?: Pick<Cookie, "path" | "domain" | "secure" | "httpOnly" | "partitioned">,
): void {
  setCookie(headers, { name, value: "", expires: new Date(0), ...attributes });
}

/** Browsers refuse a cookie whose name has a prefix without the attributes it stands for. */
function withPrefixAttributes(cookie: Cookie): Cookie {
  if (cookie.name.startsWith("__Host")) {
    const { domain: _domain, ...hostBound } = cookie;
    return { ...hostBound, path: "/", secure: true };
  }
  return cookie.name.startsWith("__Secure") ? { ...cookie, secure: true } : cookie;
}

function requireValidCookie({ name, value, path = "", domain = "", maxAge = 0 }: Cookie): void {
  if (!COOKIE_NAME.test(name)) throw new SyntaxError(`Invalid cookie name: "${name}"`);
  if (!COOKIE_VALUE.test(value)) {
    throw new SyntaxError(`Invalid character in the value of cookie "${name}"`);
  }
  if (!COOKIE_ATTRIBUTE.test(path)) throw new SyntaxError(`Invalid cookie path: "${path}"`);
  if (!COOKIE_ATTRIBUTE.test(domain) || /^-|[-.]$/.test(domain)) {
    throw new SyntaxError(`Invalid cookie domain: "${domain}"`);
  }
  if (Number.isInteger(maxAge) && maxAge < 0) {
    throw new RangeError(`Max-Age of cookie "${name}" must not be negative, but was "${maxAge}"`);
  }
}

function cookieAttributes(cookie: Cookie): string[] {
  const attributes: string[] = [];
  if (cookie.secure) attributes.push("Secure");
  if (cookie.httpOnly) attributes.push("HttpOnly");
  if (cookie.partitioned) attributes.push("Partitioned");
  if (Number.isInteger(cookie.maxAge)) attributes.push(`Max-Age=${cookie.maxAge}`);
  if (cookie.domain) attributes.push(`Domain=${cookie.domain}`);
  if (cookie.sameSite) attributes.push(`SameSite=${cookie.sameSite}`);
  if (cookie.path) attributes.push(`Path=${cookie.path}`);
  if (cookie.expires !== undefined) {
    attributes.push(`Expires=${new Date(cookie.expires).toUTCString()}`);
  }
  return attributes.concat(cookie.unparsed ?? []);
}

/** The registered status codes by name. */
export const STATUS_CODE = {
  Continue: 100,
  SwitchingProtocols: 101,
  Processing: 102,
  EarlyHints: 103,
  OK: 200,
  Created: 201,
  Accepted: 202,
  NonAuthoritativeInfo: 203,
  NoContent: 204,
  ResetContent: 205,
  PartialContent: 206,
  MultiStatus: 207,
  AlreadyReported: 208,
  IMUsed: 226,
  MultipleChoices: 300,
  MovedPermanently: 301,
  Found: 302,
  SeeOther: 303,
  NotModified: 304,
  UseProxy: 305,
  TemporaryRedirect: 307,
  PermanentRedirect: 308,
  BadRequest: 400,
  Unauthorized: 401,
  PaymentRequired: 402,
  Forbidden: 403,
  NotFound: 404,
  MethodNotAllowed: 405,
  NotAcceptable: 406,
  ProxyAuthRequired: 407,
  RequestTimeout: 408,
  Conflict: 409,
  Gone: 410,
  LengthRequired: 411,
  PreconditionFailed: 412,
  ContentTooLarge: 413,
  URITooLong: 414,
  UnsupportedMediaType: 415,
  RangeNotSatisfiable: 416,
  ExpectationFailed: 417,
  Teapot: 418,
  MisdirectedRequest: 421,
  UnprocessableEntity: 422,
  Locked: 423,
  FailedDependency: 424,
  TooEarly: 425,
  UpgradeRequired: 426,
  PreconditionRequired: 428,
  TooManyRequests: 429,
  RequestHeaderFieldsTooLarge: 431,
  UnavailableForLegalReasons: 451,
  InternalServerError: 500,
  NotImplemented: 501,
  BadGateway: 502,
  ServiceUnavailable: 503,
  GatewayTimeout: 504,
  HTTPVersionNotSupported: 505,
  VariantAlsoNegotiates: 506,
  InsufficientStorage: 507,
  LoopDetected: 508,
  NotExtended: 510,
  NetworkAuthenticationRequired: 511,
} as const;

/** A registered status code. */
export type StatusCode = typeof STATUS_CODE[keyof typeof STATUS_CODE];

/** The reason phrases by status code. */
export const STATUS_TEXT = {
  100: "Continue",
  101: "Switching Protocols",
  102: "Processing",
  103: "Early Hints",
  200: "OK",
  201: "Created",
  202: "Accepted",
  203: "Non Authoritative Info",
  204: "No Content",
  205: "Reset Content",
  206: "Partial Content",
  207: "Multi Status",
  208: "Already Reported",
  226: "IM Used",
  300: "Multiple Choices",
  301: "Moved Permanently",
  302: "Found",
  303: "See Other",
  304: "Not Modified",
  305: "Use Proxy",
  307: "Temporary Redirect",
  308: "Permanent Redirect",
  400: "Bad Request",
  401: "Unauthorized",
  402: "Payment Required",
  403: "Forbidden",
  404: "Not Found",
  405: "Method Not Allowed",
  406: "Not Acceptable",
  407: "Proxy Auth Required",
  408: "Request Timeout",
  409: "Conflict",
  410: "Gone",
  411: "Length Required",
  412: "Precondition Failed",
  413: "Content Too Large",
  414: "URI Too Long",
  415: "Unsupported Media Type",
  416: "Range Not Satisfiable",
  417: "Expectation Failed",
  418: "I'm a teapot",
  421: "Misdirected Request",
  422: "Unprocessable Entity",
  423: "Locked",
  424: "Failed Dependency",
  425: "Too Early",
  426: "Upgrade Required",
  428: "Precondition Required",
  429: "Too Many Requests",
  431: "Request Header Fields Too Large",
  451: "Unavailable For Legal Reasons",
  500: "Internal Server Error",
  501: "Not Implemented",
  502: "Bad Gateway",
  503: "Service Unavailable",
  504: "Gateway Timeout",
  505: "HTTP Version Not Supported",
  506: "Variant Also Negotiates",
  507: "Insufficient Storage",
  508: "Loop Detected",
  510: "Not Extended",
  511: "Network Authentication Required",
} as const satisfies Record<StatusCode, string>;

/** The reason phrase of a registered status code. */
export type StatusText = typeof STATUS_TEXT[StatusCode];

/** A registered status code of an error: of the client, 4xx, or of the server, 5xx. */
export type ErrorStatus = {
  [Code in StatusCode]: `${Code}` extends `${4 | 5}${string}` ? Code : never;
}[StatusCode];

/** Tells whether a number is a registered status code. */
export function isStatus(status: number): status is StatusCode {
  return Object.hasOwn(STATUS_TEXT, status);
}

/** Tells whether a number is a registered status code of an error, 4xx or 5xx. */
export function isErrorStatus(status: number): status is ErrorStatus {
  return isStatus(status) && status >= 400 && status < 600;
}

/** An element of an `Accept` header, such as `text/*;level=1;q=0.8`, taken apart. */
interface MediaRange {
  /** The type and subtype, either of which may be `*`. */
  essence: string;
  /** The parameters before the quality, each in lower case as `name=value`. */
  parameters: string[];
  /** How much the client likes the media types of the range, from 0 to 1. */
  quality: number;
}

/**
 * Lists the media types that a client accepts, in its order of preference.
 *
 * @param request The request, of which the `Accept` header is read.
 * @returns The media types without parameters; only `"*\/*"` when the header is absent.
 */
export function accepts(request: Pick<Request, "headers">): string[];
/**
 * Chooses the media type that a client prefers.
 *
 * @example
 * ```ts
 * import { accepts } from "@std/http";
 * import { assertEquals } from "@std/assert";
 *
 * const headers = new Headers({ accept: "text/html;q=0.9, application/json" });
 * assertEquals(accepts({ headers }, "text/html", "application/json"), "application/json");
 * ```
 *
 * @param request The request, of which the `Accept` header is read.
 * @param types The media types to choose from; of equally good ones the first is chosen.
 * @returns The chosen type, or `undefined` when the client accepts none of them.
 */
export function accepts(request: Pick<Request, "headers">, ...types: string[]): string | undefined;
export function accepts(
  request: Pick<Request, "headers">,
  ...types: string[]
): string | string[] | undefined {
  const header = request.headers.get("accept");
  if (!header) return types.length === 0 ? ["*/*"] : types[0];
  const ranges = header.split(",").map(parseMediaRange).filter((range) => range !== undefined);
  if (types.length > 0) return chooseType(types, ranges);
  return ranges
    .filter((range) => range.quality > 0)
    .sort((a, b) => b.quality - a.quality)
    .map((range) => range.essence);
}

function parseMediaRange(text: string): MediaRange | undefined {
  const [essence = "", ...attributes] = text.split(";").map((part) => part.trim());
  if (!/^[^\s/]+\/[^\s/]+$/.test(essence)) return undefined;
  const parameters = attributes.map((attribute) => attribute.toLowerCase().replaceAll('"', ""));
  const qualityIndex = parameters.findIndex((parameter) => parameter.startsWith("q="));
  if (qualityIndex === -1) return { essence, parameters, quality: 1 };
  const quality = Number.parseFloat(parameters[qualityIndex]?.slice(2) ?? "");
  return { essence, parameters: parameters.slice(0, qualityIndex), quality };
}

function chooseType(types: string[], ranges: MediaRange[]): string | undefined {
  const choices = types.flatMap((type) => {
    const offered = parseMediaRange(type);
    const covering = ranges.filter((range) => offered !== undefined && covers(range, offered));
    // The most specific range decides (RFC 9110, section 12.5.1), so one type can be refused.
    const [decisive] = covering.sort((a, b) =>
      specificity(b) - specificity(a) || b.quality - a.quality
    );
    return decisive !== undefined && decisive.quality > 0 ? [{ type, decisive }] : [];
  });
  const [best] = choices.sort(({ decisive: a }, { decisive: b }) =>
    b.quality - a.quality || specificity(b) - specificity(a)
  );
  return best?.type;
}

function covers(range: MediaRange, offered: MediaRange): boolean {
  const [type, subtype] = range.essence.toLowerCase().split("/");
  const [offeredType, offeredSubtype] = offered.essence.toLowerCase().split("/");
  return (type === "*" || type === offeredType) &&
    (subtype === "*" || subtype === offeredSubtype) &&
    range.parameters.every((parameter) => offered.parameters.includes(parameter));
}

/** Orders ranges from any type, over any subtype, to a full type with parameters. */
function specificity(range: MediaRange): number {
  const wildcards = range.essence.split("/").filter((part) => part === "*").length;
  return (2 - wildcards) * 2 + (range.parameters.length > 0 ? 1 : 0);
}
