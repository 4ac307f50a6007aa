/**
 * Every setting, one row each. The README's table and the permission flags of `deno.json` list the same
 * names; a test compares the three.
 */

import { isRecipient } from "../backup/age/x25519.ts";
import { LOG_LEVELS } from "../../core/log.ts";
import { isHost, isLoopback } from "../../core/loopback.ts";
import { databaseUrlProblem } from "../../database/database_url.ts";
import { isAllowedPassword, isEmail } from "../../validate/account_fields.ts";
import { hasControlCharacter, isBlank, isLongerThan } from "../../validate/text.ts";

export interface Variable {
  readonly name: string;
  readonly fallback: string | null;
  /** Secrets never enter the printable configuration, and may come from the file `<name>_FILE`. */
  readonly secret: boolean;
  /** True if the text is a file's path, and the setting is the file's trimmed content. */
  readonly filed: boolean;
  readonly accepts: (text: string) => boolean;
  /** The error of an invalid text, without any part of it, if "not valid" is not clear enough. */
  readonly problem?: (text: string) => string | null;
}

export const VARIABLES = [
  variable("PORT", "8000", (text) => isWholeNumber(text, 0, 65_535)),
  variable("HOST", "127.0.0.1", isHost),
  variable("PUBLIC_ORIGIN", null, isAllowedOrigin),
  variable("DATABASE_URL", null, isDatabaseUrl, { secret: true, problem: databaseUrlProblem }),
  variable("ERASE_DATABASE_URL", null, isDatabaseUrl, {
    secret: true,
    problem: databaseUrlProblem,
  }),
  variable("DATABASE_POOL_SIZE", "8", (text) => isWholeNumber(text, 2, 100)),
  // The folder is part of the permission flags, in which a comma separates folders.
  variable("DATA_DIR", "./data", (text) => !text.includes(",")),
  variable("SERVER_SECRET", null, (text) => text.length >= 32, { secret: true }),
  variable("OWNER_EMAIL", null, isEmail),
  variable("OWNER_PASSWORD", null, isAllowedPassword, { secret: true }),
  variable("IDEMPOTENCY_RETENTION_DAYS", null, (text) => isWholeNumber(text, 30, 36_500)),
  variable("RATE_LIMIT_PER_CREDENTIAL", "600", (text) => isWholeNumber(text, 0, 1_000_000)),
  variable("RATE_LIMIT_PER_ADDRESS", "60", (text) => isWholeNumber(text, 0, 1_000_000)),
  variable("MAX_IN_FLIGHT", "256", (text) => isWholeNumber(text, 1, 100_000)),
  variable("ACCOUNT_STORAGE_BYTES", "10737418240", isStorageSize),
  variable("IMPORT_MAXIMUM_BYTES", "1073741824", isFileSize),
  variable("CONSOLE", "true", isTrueOrFalse),
  variable("ASSISTANTS", "false", isTrueOrFalse),
  variable("ASSISTANT_CALLS_PER_MINUTE", "60", (text) => isWholeNumber(text, 1, 100_000)),
  variable("ASSISTANT_RECORDS_PER_DAY", "5000", (text) => isWholeNumber(text, 1, 1_000_000)),
  // The token is sent in a header.
  variable("METRICS_TOKEN", null, (text) => /^[\x21-\x7e]{24,}$/.test(text), { secret: true }),
  variable("CORS_ORIGINS", null, isOriginList),
  variable("TRUST_PROXY", "0", (text) => isWholeNumber(text, 0, 10)),
  variable("ALLOWED_HOSTS", null, isHostList),
  variable("SESSION_IDLE_DAYS", "14", (text) => isWholeNumber(text, 1, 90)),
  variable("SESSION_ABSOLUTE_DAYS", "30", (text) => isWholeNumber(text, 1, 365)),
  variable("SESSION_IDLE_HOURS", null, (text) => isHours(text, 90 * 24)),
  variable("SESSION_ABSOLUTE_HOURS", null, (text) => isHours(text, 365 * 24)),
  variable("ALLOW_UNSAFE_DATABASE", "false", isTrueOrFalse),
  variable("RELATIONSHIP_EVALUATION_WORKER_ENABLED", "false", isTrueOrFalse),
  variable("EVALUATION_PROVIDER_URL", null, isProviderUrl),
  variable("EVALUATION_PROVIDER_MODEL", null, isModelName),
  // The key is sent in a header.
  variable("EVALUATION_PROVIDER_KEY_FILE", null, (text) => /^[\x21-\x7e]+$/.test(text), {
    filed: true,
  }),
  variable("EVALUATION_READY_SECONDS", "604800", (text) => isWholeNumber(text, 1, 31_536_000)),
  variable("BACKUP_EVERY_HOURS", null, (text) => isWholeNumber(text, 1, 8_760)),
  variable("BACKUP_KEEP", null, (text) => isWholeNumber(text, 1, 10_000)),
  variable("BACKUP_RECIPIENT", null, isRecipient),
  variable("LOG_LEVEL", "info", (text) => LOG_LEVELS.some((level) => level === text)),
] as const;

export type VariableName = (typeof VARIABLES)[number]["name"];

/** Every name read from the environment: variables, and `_FILE` forms of secrets. */
export const ENVIRONMENT_NAMES: readonly string[] = VARIABLES.flatMap(({ name, secret }) =>
  secret ? [name, `${name}_FILE`] : [name]
);

function variable<const Name extends string>(
  name: Name,
  fallback: string | null,
  accepts: (text: string) => boolean,
  options: Partial<Pick<Variable, "secret" | "filed" | "problem">> = {},
): Variable & { readonly name: Name } {
  return { name, fallback, secret: false, filed: false, accepts, ...options };
}

function isTrueOrFalse(text: string): boolean {
  return text === "true" || text === "false";
}

/** Bytes of a file: a thousand or more. */
function isFileSize(text: string): boolean {
  return /^\d{1,13}$/.test(text) && Number(text) >= 1_000;
}

function isWholeNumber(text: string, minimum: number, maximum: number): boolean {
  return /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum;
}

/** True for hours such as `12` or `0.5`; at least a quarter. */
function isHours(text: string, maximum: number): boolean {
  return /^\d{1,4}(\.\d{1,2})?$/.test(text) && Number(text) >= 0.25 && Number(text) <= maximum;
}

/** True for a number of bytes that is exact in JavaScript and the database. */
function isStorageSize(text: string): boolean {
  return /^\d{7,16}$/.test(text) && Number(text) >= 1_000_000 && Number.isSafeInteger(Number(text));
}

/** True for scheme, host and optional port; without TLS only on this machine. */
export function isAllowedOrigin(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && url.origin === text && isGuarded(url);
}

/** True for https, and for http that cannot leave the machine. */
function isGuarded({ protocol, hostname }: URL): boolean {
  return protocol === "https:" || (protocol === "http:" && isLoopback(hostname));
}

/** Used unchanged. Rejects a user or a fragment, which requests cannot contain. */
function isProviderUrl(text: string): boolean {
  const url = parseUrl(text);
  if (url === null || url.username !== "" || url.password !== "") return false;
  return isGuarded(url) && !/[\s#]/.test(text);
}

/** True for a model's name, which is shown with its proposals. */
function isModelName(text: string): boolean {
  return !isBlank(text) && !hasControlCharacter(text) && text.isWellFormed() &&
    !isLongerThan(text, 200);
}

/** True for exact origins; wildcards are rejected. */
function isOriginList(text: string): boolean {
  return !text.includes("*") && text.split(",").every(isAllowedOrigin);
}

/** True for names as in the Host header, without ports. */
function isHostList(text: string): boolean {
  return text.split(",").every((name) => URL.parse(`http://${name}/`)?.hostname === name);
}

function isDatabaseUrl(text: string): boolean {
  return databaseUrlProblem(text) === null;
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
