/**
 * Keeps credentials and stored values out of public errors, and recognises credentials in values that must
 * not be stored (specification, Errors, rule 3).
 *
 * A credential is recognised by the name of its key or by its unmistakable form. Randomness is not
 * considered, because that would also reject ordinary notes.
 */
import { isJsonObject, type JsonValue } from "../core/json.ts";
import { type DetailField, ERROR_CODES, type ErrorCode } from "./codes.ts";
import type { ErrorDetails } from "./service_error.ts";

/** Keys, in lower case and without `_` and `-`, whose value is always a credential. */
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
 * The forms of credentials anywhere in a text. Every pattern runs in linear time: it starts at a fixed
 * text, and what follows cannot contain a second start, or the start must follow a character that the rest
 * cannot contain.
 */
const CREDENTIAL_FORMS: readonly RegExp[] = [
  // This service's own session, access, proof and set-up tokens.
  /prs_[a-z]_[\w-]/,
  // A JSON Web Token. The signature is empty in an unsecured one.
  /(?<![\w-])eyJ[\w-]*\.[\w-]+\.[\w-]*/,
  // The header of a PEM block: a private key, a certificate.
  /-----BEGIN [A-Z0-9]/,
  // The Bearer scheme inside a text, and as the whole value in any letter case.
  /\bBearer [\w.~+/-]/,
  /^\s*bearer\s+\S+\s*$/i,
  // A URL with user information: its authority has an "@".
  /:\/\/[^\s/?#@"<>\\]+@/,
];

/** A field, rule, module, feature or operation name: short, and of one word. */
const STABLE_NAME = /^[A-Za-z0-9_.:[\]-]{1,64}$/;

/** How many names one list in the details may hold; the rest is left out. */
const MAX_NAMES = 50;

/**
 * True if the value, or anything inside it, looks like a credential: a key such as `password` or `api_key`,
 * or a text that contains a token, a PEM block, a Bearer header or a URL with user information
 * (specification, Errors, rule 3). Takes time linear in the size of the value.
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
 * The public part of an error's details: the fields in the code's row of {@linkcode ERROR_CODES}, each a
 * stable name, a whole number or a list of at most 50 stable names, and `movedTo` an origin (specification,
 * Errors, rule 3). Undefined if nothing is left.
 */
export function scrubDetails(code: ErrorCode, details: ErrorDetails): ErrorDetails | undefined {
  const kept: { [Field in DetailField]?: string | number | readonly string[] } = {};
  for (const field of ERROR_CODES[code].details) {
    const detail = field === "movedTo" ? scrubOrigin(details.movedTo) : scrubDetail(details[field]);
    if (detail !== undefined) kept[field] = detail;
  }
  return Object.keys(kept).length > 0 ? kept : undefined;
}

/** The public form of a detail. Its declared type is not trusted. */
function scrubDetail(detail: unknown): string | number | readonly string[] | undefined {
  if (typeof detail === "number") return Number.isSafeInteger(detail) ? detail : undefined;
  if (isTellableName(detail)) return detail;
  if (!Array.isArray(detail)) return undefined;
  const names = detail.slice(0, MAX_NAMES).filter(isTellableName);
  return names.length > 0 ? names : undefined;
}

/** The address of another installation, reduced to its origin. */
function scrubOrigin(detail: unknown): string | undefined {
  const isOrigin = typeof detail === "string" && URL.parse(detail)?.origin === detail;
  return isOrigin ? detail : undefined;
}

function isTellableName(value: unknown): value is string {
  return typeof value === "string" && STABLE_NAME.test(value) && !hasCredential(value);
}

function isCredentialKey(key: string): boolean {
  return CREDENTIAL_KEYS.has(key.toLowerCase().replaceAll(/[_-]/g, ""));
}
