/**
 * Keeps credentials and stored values out of public errors, and recognises credentials in values
 * that must not be stored (specification, Errors, rule 3). It recognises them by the key's name or
 * an unmistakable form; a test for randomness would also reject ordinary notes.
 */
import { isJsonObject, type JsonValue } from "../core/json.ts";
import { type DetailField, ERROR_CODES, type ErrorCode } from "./codes.ts";
import type { ErrorDetails } from "./service_error.ts";

/** Key names in lower case and without `_` and `-`. */
const CREDENTIAL_KEYS: ReadonlySet<string> = new Set([
  "password",
  "passwd",
  "secret",
  "token",
  "accesstoken",
  "refreshtoken",
  "apikey",
  "authorization",
  "cookie",
  "setcookie",
  "privatekey",
  "clientsecret",
  "connectionstring",
]);

/**
 * To run in linear time, every pattern starts at a fixed text whose continuation cannot contain a
 * second start, or after a character that the rest cannot contain.
 */
const CREDENTIAL_FORMS: readonly RegExp[] = [
  // This service's own secrets.
  /prs_[a-z]_[\w-]/,
  // JSON Web Token; an unsecured one has an empty signature.
  /(?<![\w-])eyJ[\w-]*\.[\w-]+\.[\w-]*/,
  /-----BEGIN [A-Z0-9]/,
  // Bearer headers: the second pattern matches a whole value.
  /\bBearer [\w.~+/-]/,
  /^\s*bearer\s+\S+\s*$/i,
  // URLs with user information: "@" in the authority.
  /:\/\/[^\s/?#@"<>\\]+@/,
];

/** A field, rule, module, feature or operation name. */
const STABLE_NAME = /^[A-Za-z0-9_.:[\]-]{1,64}$/;

/** Further names are dropped. */
const MAX_NAMES = 50;

/**
 * True if the value, or anything inside it, looks like a credential (specification, Errors, rule
 * 3). The time is linear.
 */
export function hasCredential(value: JsonValue): boolean {
  if (typeof value === "string") return CREDENTIAL_FORMS.some((form) => form.test(value));
  if (Array.isArray(value)) return value.some(hasCredential);
  if (!isJsonObject(value)) return false;
  return Object.entries(value).some(([key, member]) =>
    isCredentialKey(key) || hasCredential(key) || hasCredential(member)
  );
}

/**
 * The fields permitted for the code, each a stable name, a whole number or a list of at most 50
 * stable names, and `movedTo` an origin (specification, Errors, rule 3). Undefined if nothing
 * remains.
 */
export function scrubDetails(code: ErrorCode, details: ErrorDetails): ErrorDetails | undefined {
  const kept: { [Field in DetailField]?: string | number | readonly string[] } = {};
  for (const field of ERROR_CODES[code].details) {
    const detail = field === "movedTo" ? scrubOrigin(details.movedTo) : scrubDetail(details[field]);
    if (detail !== undefined) kept[field] = detail;
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** Does not trust the declared type. */
function scrubDetail(detail: unknown): string | number | readonly string[] | undefined {
  if (typeof detail === "number") return Number.isSafeInteger(detail) ? detail : undefined;
  if (isSafeName(detail)) return detail;
  if (!Array.isArray(detail)) return undefined;
  const names = detail.slice(0, MAX_NAMES).filter(isSafeName);
  return names.length > 0 ? names : undefined;
}

/** Reduces the URL of another installation to its origin. */
function scrubOrigin(detail: unknown): string | undefined {
  const isOrigin = typeof detail === "string" && URL.parse(detail)?.origin === detail;
  return isOrigin ? detail : undefined;
}

function isSafeName(value: unknown): value is string {
  return typeof value === "string" && STABLE_NAME.test(value) && !hasCredential(value);
}

function isCredentialKey(key: string): boolean {
  return CREDENTIAL_KEYS.has(key.toLowerCase().replaceAll(/[_-]/g, ""));
}
