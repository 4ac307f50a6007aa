import type { LogLevel } from "../../core/log.ts";
import {
  brokenPasswordRules,
  isPasswordOfEmail,
  PASSWORD_RULES,
} from "../../validate/new_password.ts";
import { describeUnreadable } from "./file_errors.ts";
import { type Variable, type VariableName, VARIABLES } from "./env.ts";
import { Secret } from "./secrets.ts";

/** The checked configuration. Printable: secrets hide themselves. */
export interface Config {
  readonly port: number;
  readonly host: string;
  /** Null for this machine, with the port it listens on. */
  readonly publicOrigin: string | null;
  /** Null for the embedded database. */
  readonly databaseUrl: Secret | null;
  /** The empty database that an erasure fills; null if there is none. */
  readonly eraseDatabaseUrl: Secret | null;
  readonly databasePoolSize: number;
  readonly dataDir: string;
  /** The place of the bytes of new attachments. */
  readonly attachments: "files" | "database";
  /** Null if the embedded database stores its own. */
  readonly serverSecret: Secret | null;
  /** The account created at first start; or null. */
  readonly owner: { readonly email: string; readonly password: Secret } | null;
  readonly idempotencyRetentionDays: number | null;
  /** The number of proxies in front of the service, each of which adds to `X-Forwarded-For`. */
  readonly trustedProxies: number;
  /** The folder of compiled zone files; null for the time zones of the runtime. */
  readonly zoneinfo: string | null;
  readonly logLevel: LogLevel;
  readonly limits: {
    /** Per minute and credential; 0 for no limit. */
    readonly perCredential: number;
    /** Per minute and address without a valid credential; 0 for no limit. */
    readonly perAddress: number;
    readonly inFlight: number;
  };
  /** Maximum bytes of content per account, without attachments. */
  readonly accountStorageBytes: number;
  /** Maximum bytes of an account's files that are not in rows: those of imports and exports. */
  readonly accountSpoolBytes: number;
  /** Maximum bytes of a file of another product. */
  readonly importMaximumBytes: number;
  readonly console: boolean;
  /** The limits of each assistant; null if there are no assistants. */
  readonly assistants: null | {
    readonly callsPerMinute: number;
    /** In a day of UTC. */
    readonly callsPerDay: number;
    /** In a day of UTC. */
    readonly recordsPerDay: number;
    /** Whether programs may ask for the name that all of them share. */
    readonly registration: boolean;
  };
  /** Passkeys that survive another address of the service. */
  readonly passkeys: {
    /** The host name that passkeys are made for; null for the stored one, or that of the origin. */
    readonly host: string | null;
    /** Further origins whose pages may use passkeys. */
    readonly origins: readonly string[];
  };
  /** Null without metrics. */
  readonly metricsToken: Secret | null;
  /** Other origins whose pages may call the service. */
  readonly corsOrigins: readonly string[];
  /** Further names for the Host header. */
  readonly allowedHosts: readonly string[];
  readonly sessions: {
    /** Days without a request; may be fractions. */
    readonly idleDays: number;
    /** Days in total; may be fractions. */
    readonly absoluteDays: number;
  };
  /** Whether a PostgreSQL that may lose acknowledged writes is accepted. */
  readonly allowUnsafeDatabase: boolean;
  readonly evaluation: {
    /** Whether this process asks the provider. */
    readonly workerEnabled: boolean;
    /** The chat-completions endpoint; null for the built-in provider. */
    readonly endpoint: {
      /** The full address: https, or http on loopback. */
      readonly url: string;
      readonly model: string;
      /** The key; null if the endpoint needs none. */
      readonly key: Secret | null;
    } | null;
    /** How long a ready proposal can be confirmed. */
    readonly readySeconds: number;
  };
  readonly scheduledBackups: null | {
    readonly everyHours: number;
    /** Null for all of them. */
    readonly keep: number | null;
    /** Public key; null without encryption. */
    readonly recipient: string | null;
  };
}

/** Settings are invalid or missing. The message names each, without any value. */
export class ConfigError extends Error {
  override readonly name = "ConfigError";

  constructor(problems: readonly string[]) {
    super(["The configuration is not valid", ...problems.map((text) => `  ${text}`)].join("\n"));
  }
}

/** The process environment, or a test double. */
export interface Environment {
  get(name: string): string | undefined;
  readFile(path: string): string;
}

export const processEnvironment: Environment = {
  get: (name) => Deno.env.get(name),
  readFile: (path) => Deno.readTextFileSync(path),
};

/**
 * Reads and validates every setting, without side effects.
 *
 * @throws ConfigError naming everything that is invalid or missing.
 */
export function readConfig(environment: Environment): Config {
  const problems: string[] = [];
  const values = new Map<VariableName, string>();
  for (const variable of VARIABLES) {
    const value = readVariable(variable, environment, problems);
    if (value !== null) values.set(variable.name, value);
  }
  checkTogether(values, problems);
  checkSessionLives(environment, problems);
  if (problems.length > 0) throw new ConfigError(problems);
  return toConfig(new CheckedValues(values));
}

function readVariable(
  variable: Variable,
  environment: Environment,
  problems: string[],
): string | null {
  const value = readText(variable, environment, problems);
  if (value === null || variable.accepts(value)) return value;
  problems.push(`${variable.name}: ${variable.problem?.(value) ?? `must be ${variable.rule}`}`);
  return null;
}

/** Null if the variable is missing, or cannot be read. */
function readText(
  { name, secret, filed, fallback }: Variable,
  environment: Environment,
  problems: string[],
): string | null {
  // An empty variable counts as absent, as compose files and shells omit one.
  const direct = environment.get(name) || null;
  if (filed) {
    return direct === null ? null : readFile(name, direct, environment, problems)?.trim() ?? null;
  }
  const path = secret ? environment.get(`${name}_FILE`) || null : null;
  if (path === null) return direct ?? fallback;
  if (direct === null) {
    const content = readFile(`${name}_FILE`, path, environment, problems);
    return content?.replace(/\r?\n$/, "") ?? null;
  }
  problems.push(`${name}: set it or ${name}_FILE, not both`);
  return null;
}

function readFile(
  name: string,
  path: string,
  environment: Environment,
  problems: string[],
): string | null {
  try {
    return environment.readFile(path);
  } catch (error) {
    problems.push(`${name}: the file ${describeUnreadable(error)}`);
    return null;
  }
}

/** Settings that require another one. */
const REQUIRED_WITH: readonly (readonly [name: VariableName, required: VariableName])[] = [
  ["DATABASE_URL", "SERVER_SECRET"],
  ["OWNER_EMAIL", "OWNER_PASSWORD"],
  ["OWNER_PASSWORD", "OWNER_EMAIL"],
  ["ERASE_DATABASE_URL", "DATABASE_URL"],
  ["BACKUP_KEEP", "BACKUP_EVERY_HOURS"],
  ["BACKUP_RECIPIENT", "BACKUP_EVERY_HOURS"],
  ["EVALUATION_PROVIDER_URL", "EVALUATION_PROVIDER_MODEL"],
];

/** Checks that involve several settings. */
function checkTogether(values: ReadonlyMap<VariableName, string>, problems: string[]): void {
  for (const [name, required] of REQUIRED_WITH) {
    const isReported = problems.some((problem) => problem.startsWith(required));
    if (values.has(name) && !values.has(required) && !isReported) {
      problems.push(`${required}: required with ${name}`);
    }
  }
  const origin = values.get("PUBLIC_ORIGIN");
  if (origin !== undefined && values.get("PASSKEY_ORIGINS")?.split(",").includes(origin)) {
    problems.push("PASSKEY_ORIGINS: must not name PUBLIC_ORIGIN, which is always accepted");
  }
}

/**
 * Checks that the password of a new owner is hard to guess. Once the account exists, the setting
 * has no effect, so a start must not fail because a later release knows more passwords.
 *
 * @throws ConfigError with all rules that it breaks.
 */
export function checkNewOwner({ email, password }: NonNullable<Config["owner"]>): void {
  const text = password.reveal();
  const rules = brokenPasswordRules(text);
  if (isPasswordOfEmail(text, email)) rules.push("account.password_is_email");
  if (rules.length === 0) return;
  const problems = rules.map((rule) => PASSWORD_RULES[rule]);
  throw new ConfigError([`OWNER_PASSWORD: ${problems.join("; ")}`]);
}

/** Either days or hours may be set. */
function checkSessionLives(environment: Environment, problems: string[]): void {
  for (const life of ["SESSION_IDLE", "SESSION_ABSOLUTE"]) {
    if (environment.get(`${life}_HOURS`) && environment.get(`${life}_DAYS`)) {
      problems.push(`${life}_HOURS: set it or ${life}_DAYS, not both`);
    }
  }
}

/** Converts checked values to the types of the configuration. */
class CheckedValues {
  readonly #values: ReadonlyMap<VariableName, string>;

  constructor(values: ReadonlyMap<VariableName, string>) {
    this.#values = values;
  }

  optionalText(name: VariableName): string | null {
    return this.#values.get(name) ?? null;
  }

  text(name: VariableName): string {
    return this.#values.get(name) ?? "";
  }

  list(name: VariableName): readonly string[] {
    return this.#values.get(name)?.split(",") ?? [];
  }

  secret(name: VariableName): Secret | null {
    const value = this.#values.get(name);
    return value === undefined ? null : new Secret(value);
  }

  number(name: VariableName): number {
    return Number(this.text(name));
  }

  optionalNumber(name: VariableName): number | null {
    const value = this.#values.get(name);
    return value === undefined ? null : Number(value);
  }

  isTrue(name: VariableName): boolean {
    return this.text(name) === "true";
  }
}

function toConfig(values: CheckedValues): Config {
  return {
    port: values.number("PORT"),
    host: values.text("HOST"),
    publicOrigin: values.optionalText("PUBLIC_ORIGIN"),
    databaseUrl: values.secret("DATABASE_URL"),
    eraseDatabaseUrl: values.secret("ERASE_DATABASE_URL"),
    databasePoolSize: values.number("DATABASE_POOL_SIZE"),
    dataDir: values.text("DATA_DIR"),
    attachments: values.text("ATTACHMENTS") as Config["attachments"],
    serverSecret: values.secret("SERVER_SECRET"),
    owner: toOwner(values),
    idempotencyRetentionDays: values.optionalNumber("IDEMPOTENCY_RETENTION_DAYS"),
    trustedProxies: values.number("TRUST_PROXY"),
    zoneinfo: values.optionalText("ZONEINFO"),
    logLevel: values.text("LOG_LEVEL") as LogLevel,
    limits: {
      perCredential: values.number("RATE_LIMIT_PER_CREDENTIAL"),
      perAddress: values.number("RATE_LIMIT_PER_ADDRESS"),
      inFlight: values.number("MAX_IN_FLIGHT"),
    },
    accountStorageBytes: values.number("ACCOUNT_STORAGE_BYTES"),
    accountSpoolBytes: values.number("ACCOUNT_SPOOL_BYTES"),
    importMaximumBytes: values.number("IMPORT_MAXIMUM_BYTES"),
    console: values.isTrue("CONSOLE"),
    assistants: toAssistants(values),
    passkeys: {
      host: values.optionalText("PASSKEY_HOST"),
      origins: values.list("PASSKEY_ORIGINS"),
    },
    metricsToken: values.secret("METRICS_TOKEN"),
    corsOrigins: values.list("CORS_ORIGINS"),
    allowedHosts: values.list("ALLOWED_HOSTS"),
    sessions: {
      idleDays: daysOf("SESSION_IDLE", values),
      absoluteDays: daysOf("SESSION_ABSOLUTE", values),
    },
    allowUnsafeDatabase: values.isTrue("ALLOW_UNSAFE_DATABASE"),
    evaluation: toEvaluation(values),
    scheduledBackups: toScheduledBackups(values),
  };
}

function toOwner(values: CheckedValues): Config["owner"] {
  const password = values.secret("OWNER_PASSWORD");
  return password === null ? null : { email: values.text("OWNER_EMAIL"), password };
}

function toAssistants(values: CheckedValues): Config["assistants"] {
  if (!values.isTrue("ASSISTANTS")) return null;
  return {
    callsPerMinute: values.number("ASSISTANT_CALLS_PER_MINUTE"),
    callsPerDay: values.number("ASSISTANT_CALLS_PER_DAY"),
    recordsPerDay: values.number("ASSISTANT_RECORDS_PER_DAY"),
    registration: values.isTrue("ASSISTANT_REGISTRATION"),
  };
}

function daysOf(life: "SESSION_IDLE" | "SESSION_ABSOLUTE", values: CheckedValues): number {
  const hours = values.optionalNumber(`${life}_HOURS`);
  return hours === null ? values.number(`${life}_DAYS`) : hours / 24;
}

function toEvaluation(values: CheckedValues): Config["evaluation"] {
  const url = values.optionalText("EVALUATION_PROVIDER_URL");
  return {
    workerEnabled: values.isTrue("RELATIONSHIP_EVALUATION_WORKER_ENABLED"),
    endpoint: url === null ? null : {
      url,
      model: values.text("EVALUATION_PROVIDER_MODEL"),
      key: values.secret("EVALUATION_PROVIDER_KEY_FILE"),
    },
    readySeconds: values.number("EVALUATION_READY_SECONDS"),
  };
}

function toScheduledBackups(values: CheckedValues): Config["scheduledBackups"] {
  const everyHours = values.optionalNumber("BACKUP_EVERY_HOURS");
  return everyHours === null ? null : {
    everyHours,
    keep: values.optionalNumber("BACKUP_KEEP"),
    recipient: values.optionalText("BACKUP_RECIPIENT"),
  };
}
