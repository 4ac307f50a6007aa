/**
 * Every setting, one row each. The README's table and the permission flags of `deno.json` list the
 * same names; a test compares the three.
 */

import { recipientsProblem } from "../backup/age/keys.ts";
import { LOG_LEVELS } from "../../core/log.ts";
import { isHost, isIpAddress, isLoopback } from "../../core/loopback.ts";
import { databaseUrlProblem } from "../../database/database_url.ts";
import { isEmail } from "../../validate/account_fields.ts";
import { hasPasswordLength } from "../../validate/new_password.ts";
import { hasControlCharacter, isBlank, isLongerThan } from "../../validate/text.ts";

export interface Variable {
  readonly name: string;
  readonly fallback: string | null;
  /** Secrets never enter the printable configuration, and may come from the file `<name>_FILE`. */
  readonly secret: boolean;
  /** True if the text is a file's path, and the setting is the file's trimmed content. */
  readonly filed: boolean;
  readonly accepts: (text: string) => boolean;
  /** Completes "must be"; does not depend on the text. */
  readonly rule: string;
  /** The problem of an invalid text, without its content, if clearer than the rule; or null. */
  readonly problem?: (text: string) => string | null;
}

/** Values that a setting may have. */
type Kind = Pick<Variable, "accepts" | "rule" | "problem">;

const TRUE_OR_FALSE: Kind = {
  accepts: (text) => text === "true" || text === "false",
  rule: "true or false",
};

const STORAGE_SIZE: Kind = {
  accepts: isStorageSize,
  rule: "a whole number of bytes, at least 1000000",
};

/** A folder of the permission flags, in which a comma separates folders. */
const FOLDER: Kind = {
  accepts: (text) => !text.includes(",") && !text.startsWith("~"),
  rule: "the path of a folder without a comma; ~ is not expanded",
};

const ORIGIN_RULE =
  "scheme, host and optional port in lower case without a path; https, or http on this machine";

const DATABASE_URL: Kind = {
  accepts: (text) => databaseUrlProblem(text) === null,
  rule: "postgres://USER:PASSWORD@HOST:PORT/DATABASE",
  // The shape is explained by the rule.
  problem: (text) => databaseUrlProblem(text)?.replace(/^not valid$/, "") || null,
};

export const VARIABLES = [
  variable("PORT", "8000", wholeNumber(0, 65_535)),
  variable("HOST", "127.0.0.1", {
    accepts: isHost,
    rule: "an address or a name of this machine, without a port or brackets",
  }),
  variable("PUBLIC_ORIGIN", null, {
    accepts: isAllowedOrigin,
    rule: `${ORIGIN_RULE}, such as https://records.example.org`,
  }),
  variable("DATABASE_URL", null, DATABASE_URL, { secret: true }),
  variable("ERASE_DATABASE_URL", null, DATABASE_URL, { secret: true }),
  variable("DATABASE_POOL_SIZE", "8", wholeNumber(2, 100)),
  variable("DATA_DIR", "./data", FOLDER),
  variable("ATTACHMENTS", "files", {
    accepts: (text) => text === "files" || text === "database",
    rule: "files or database",
  }),
  variable("SERVER_SECRET", null, {
    accepts: (text) => text.length >= 32,
    rule: "at least 32 characters",
  }, { secret: true }),
  variable("OWNER_EMAIL", null, { accepts: isEmail, rule: "an email address" }),
  variable("OWNER_PASSWORD", null, {
    accepts: hasPasswordLength,
    rule: "12 to 256 characters",
  }, { secret: true }),
  variable("IDEMPOTENCY_RETENTION_DAYS", null, wholeNumber(30, 36_500)),
  variable("RATE_LIMIT_PER_CREDENTIAL", "600", wholeNumber(0, 1_000_000)),
  variable("RATE_LIMIT_PER_ADDRESS", "60", wholeNumber(0, 1_000_000)),
  variable("MAX_IN_FLIGHT", "256", wholeNumber(1, 100_000)),
  variable("ACCOUNT_STORAGE_BYTES", "10737418240", STORAGE_SIZE),
  variable("ACCOUNT_SPOOL_BYTES", "2147483648", STORAGE_SIZE),
  variable("IMPORT_MAXIMUM_BYTES", "1073741824", {
    accepts: isFileSize,
    rule: "a whole number of bytes, from 1000 to 9999999999999",
  }),
  variable("CONSOLE", "true", TRUE_OR_FALSE),
  variable("ASSISTANTS", "false", TRUE_OR_FALSE),
  variable("ASSISTANT_CALLS_PER_MINUTE", "60", wholeNumber(1, 100_000)),
  variable("ASSISTANT_CALLS_PER_DAY", "10000", wholeNumber(1, 1_000_000)),
  variable("ASSISTANT_RECORDS_PER_DAY", "5000", wholeNumber(1, 1_000_000)),
  variable("ASSISTANT_REGISTRATION", "false", TRUE_OR_FALSE),
  variable("PASSKEY_HOST", null, {
    accepts: isPasskeyHost,
    rule: "a name in lower case without a port, and not an IP address",
  }),
  variable("PASSKEY_ORIGINS", null, {
    accepts: isPasskeyOrigins,
    rule: `${ORIGIN_RULE}; at most four different ones, with commas and no blanks between`,
  }),
  // The token is sent in a header.
  variable("METRICS_TOKEN", null, {
    accepts: (text) => /^[\x21-\x7e]{24,}$/.test(text),
    rule: "at least 24 characters of ASCII without blanks",
  }, { secret: true }),
  variable("CORS_ORIGINS", null, {
    accepts: isOriginList,
    rule: `${ORIGIN_RULE}; several with commas and no blanks between, and no wildcards`,
  }),
  variable("TRUST_PROXY", "0", wholeNumber(0, 10)),
  variable("ALLOWED_HOSTS", null, {
    accepts: isHostList,
    rule:
      "names or addresses in lower case, IPv6 in brackets, with commas and no blanks between, " +
      "without ports or wildcards",
  }),
  variable("SESSION_IDLE_DAYS", "14", wholeNumber(1, 90)),
  variable("SESSION_ABSOLUTE_DAYS", "30", wholeNumber(1, 365)),
  variable("SESSION_IDLE_HOURS", null, hours(90 * 24)),
  variable("SESSION_ABSOLUTE_HOURS", null, hours(365 * 24)),
  variable("ALLOW_UNSAFE_DATABASE", "false", TRUE_OR_FALSE),
  variable("RELATIONSHIP_EVALUATION_WORKER_ENABLED", "false", TRUE_OR_FALSE),
  variable("EVALUATION_PROVIDER_URL", null, {
    accepts: isProviderUrl,
    rule: "an address with https, or http on this machine, without a user, a fragment or blanks",
  }),
  variable("EVALUATION_PROVIDER_MODEL", null, {
    accepts: isModelName,
    rule: "a name of 1 to 200 characters on one line",
  }),
  // The key is sent in a header.
  variable("EVALUATION_PROVIDER_KEY_FILE", null, {
    accepts: (text) => /^[\x21-\x7e]+$/.test(text),
    rule: "a file with one key of ASCII without blanks",
  }, { filed: true }),
  variable("EVALUATION_READY_SECONDS", "604800", wholeNumber(1, 31_536_000)),
  variable("BACKUP_EVERY_HOURS", null, wholeNumber(1, 8_760)),
  variable("BACKUP_KEEP", null, wholeNumber(1, 10_000)),
  variable("BACKUP_RECIPIENT", null, {
    accepts: (text) => recipientsProblem(text) === null,
    rule: "public keys of age, age1pq1… or age1…, with commas and no blanks between",
    problem: recipientsProblem,
  }),
  variable("ZONEINFO", null, FOLDER),
  variable("LOG_LEVEL", "info", {
    accepts: (text) => LOG_LEVELS.some((level) => level === text),
    rule: `one of ${LOG_LEVELS.join(", ")}`,
  }),
] as const;

export type VariableName = (typeof VARIABLES)[number]["name"];

/** Every name read from the environment: variables, and `_FILE` forms of secrets. */
export const ENVIRONMENT_NAMES: readonly string[] = VARIABLES.flatMap(({ name, secret }) =>
  secret ? [name, `${name}_FILE`] : [name]
);

function variable<const Name extends string>(
  name: Name,
  fallback: string | null,
  kind: Kind,
  options: Partial<Pick<Variable, "secret" | "filed">> = {},
): Variable & { readonly name: Name } {
  return { name, fallback, secret: false, filed: false, ...kind, ...options };
}

/** Bytes of a file: a thousand or more. */
function isFileSize(text: string): boolean {
  return /^\d{1,13}$/.test(text) && Number(text) >= 1_000;
}

function wholeNumber(minimum: number, maximum: number): Kind {
  return {
    accepts: (text) => /^\d{1,9}$/.test(text) && Number(text) >= minimum && Number(text) <= maximum,
    rule: `a whole number from ${minimum} to ${maximum}`,
  };
}

/** Hours such as `12` or `0.5`; at least a quarter. */
function hours(maximum: number): Kind {
  return {
    accepts: (text) =>
      /^\d{1,4}(\.\d{1,2})?$/.test(text) && Number(text) >= 0.25 && Number(text) <= maximum,
    rule: `a number of hours from 0.25 to ${maximum}, such as 12 or 0.5`,
  };
}

/** True for a number of bytes that is exact in JavaScript and the database. */
function isStorageSize(text: string): boolean {
  return /^\d{7,16}$/.test(text) && Number(text) >= 1_000_000 && Number.isSafeInteger(Number(text));
}

/** Scheme, host and optional port. URLs allow wildcards and characters of shell commands too. */
const PLAIN_ORIGIN = /^[a-z]+:\/\/[\w.:[\]-]+$/;

/** True for an origin in its usual spelling; without TLS only on this machine. */
export function isAllowedOrigin(text: string): boolean {
  const url = parseUrl(text);
  return url !== null && url.origin === text && isGuarded(url) && PLAIN_ORIGIN.test(text);
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

function isOriginList(text: string): boolean {
  return text.split(",").every(isAllowedOrigin);
}

/** True for a name for which browsers make passkeys. */
function isPasskeyHost(text: string): boolean {
  return text.length <= 253 && !text.includes(",") && isHostList(text) && !isIpAddress(text);
}

/** Browsers do not read a sixth name of a list, and PUBLIC_ORIGIN is one. */
function isPasskeyOrigins(text: string): boolean {
  const origins = text.split(",");
  return origins.length <= 4 && new Set(origins).size === origins.length && isOriginList(text);
}

/** True for names as in the Host header, without ports. A wildcard matches nothing. */
function isHostList(text: string): boolean {
  return !text.includes("*") &&
    text.split(",").every((name) => URL.parse(`http://${name}/`)?.hostname === name);
}

function parseUrl(text: string): URL | null {
  return URL.canParse(text) ? new URL(text) : null;
}
