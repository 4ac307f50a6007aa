import type { LogLevel } from "../../core/log.ts";
import { isPasswordOfEmail, PASSWORD_RULES } from "../../validate/new_password.ts";
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
  /** Null if the embedded database stores its own. */
  readonly serverSecret: Secret | null;
  /** The account created at first start; or null. */
  readonly owner: { readonly email: string; readonly password: Secret } | null;
  readonly idempotencyRetentionDays: number | null;
  /** The number of proxies in front of the service, each of which adds to `X-Forwarded-For`. */
  readonly trustedProxies: number;
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
  return toConfig(values);
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

/** Checks that involve several settings. */
function checkTogether(values: ReadonlyMap<VariableName, string>, problems: string[]): void {
  const named = (name: string) => problems.some((problem) => problem.startsWith(name));
  if (values.has("DATABASE_URL") && !values.has("SERVER_SECRET") && !named("SERVER_SECRET")) {
    problems.push("SERVER_SECRET: required with DATABASE_URL");
  }
  if (values.has("OWNER_EMAIL") && !values.has("OWNER_PASSWORD") && !named("OWNER_PASSWORD")) {
    problems.push("OWNER_PASSWORD: required with OWNER_EMAIL");
  }
  if (values.has("OWNER_PASSWORD") && !values.has("OWNER_EMAIL") && !named("OWNER_EMAIL")) {
    problems.push("OWNER_EMAIL: required with OWNER_PASSWORD");
  }
  if (values.has("ERASE_DATABASE_URL") && !values.has("DATABASE_URL") && !named("DATABASE_URL")) {
    problems.push("DATABASE_URL: required with ERASE_DATABASE_URL");
  }
  for (const name of ["BACKUP_KEEP", "BACKUP_RECIPIENT"] as const) {
    if (values.has(name) && !values.has("BACKUP_EVERY_HOURS") && !named("BACKUP_EVERY_HOURS")) {
      problems.push(`BACKUP_EVERY_HOURS: required with ${name}`);
    }
  }
  if (isPasswordOfEmail(values.get("OWNER_PASSWORD") ?? "", values.get("OWNER_EMAIL") ?? "")) {
    problems.push(`OWNER_PASSWORD: ${PASSWORD_RULES["account.password_is_email"]}`);
  }
  const model = "EVALUATION_PROVIDER_MODEL";
  if (values.has("EVALUATION_PROVIDER_URL") && !values.has(model) && !named(model)) {
    problems.push(`${model}: required with EVALUATION_PROVIDER_URL`);
  }
}

/** Either days or hours may be set. */
function checkSessionLives(environment: Environment, problems: string[]): void {
  for (const life of ["SESSION_IDLE", "SESSION_ABSOLUTE"]) {
    if (environment.get(`${life}_HOURS`) && environment.get(`${life}_DAYS`)) {
      problems.push(`${life}_HOURS: set it or ${life}_DAYS, not both`);
    }
  }
}

function toConfig(values: ReadonlyMap<VariableName, string>): Config {
  const text = (name: VariableName) => values.get(name) ?? "";
  const secret = (name: VariableName) => {
    const value = values.get(name);
    return value === undefined ? null : new Secret(value);
  };
  const days = (life: "SESSION_IDLE" | "SESSION_ABSOLUTE") => {
    const hours = values.get(`${life}_HOURS`);
    return hours === undefined ? Number(text(`${life}_DAYS`)) : Number(hours) / 24;
  };
  const password = secret("OWNER_PASSWORD");
  const url = values.get("EVALUATION_PROVIDER_URL");
  const retention = values.get("IDEMPOTENCY_RETENTION_DAYS");
  const everyHours = values.get("BACKUP_EVERY_HOURS");
  const keep = values.get("BACKUP_KEEP");
  return {
    port: Number(text("PORT")),
    host: text("HOST"),
    publicOrigin: values.get("PUBLIC_ORIGIN") ?? null,
    databaseUrl: secret("DATABASE_URL"),
    eraseDatabaseUrl: secret("ERASE_DATABASE_URL"),
    databasePoolSize: Number(text("DATABASE_POOL_SIZE")),
    dataDir: text("DATA_DIR"),
    serverSecret: secret("SERVER_SECRET"),
    owner: password === null ? null : { email: text("OWNER_EMAIL"), password },
    idempotencyRetentionDays: retention === undefined ? null : Number(retention),
    trustedProxies: Number(text("TRUST_PROXY")),
    logLevel: text("LOG_LEVEL") as LogLevel,
    limits: {
      perCredential: Number(text("RATE_LIMIT_PER_CREDENTIAL")),
      perAddress: Number(text("RATE_LIMIT_PER_ADDRESS")),
      inFlight: Number(text("MAX_IN_FLIGHT")),
    },
    accountStorageBytes: Number(text("ACCOUNT_STORAGE_BYTES")),
    accountSpoolBytes: Number(text("ACCOUNT_SPOOL_BYTES")),
    importMaximumBytes: Number(text("IMPORT_MAXIMUM_BYTES")),
    console: text("CONSOLE") === "true",
    assistants: text("ASSISTANTS") === "true"
      ? {
        callsPerMinute: Number(text("ASSISTANT_CALLS_PER_MINUTE")),
        callsPerDay: Number(text("ASSISTANT_CALLS_PER_DAY")),
        recordsPerDay: Number(text("ASSISTANT_RECORDS_PER_DAY")),
      }
      : null,
    metricsToken: secret("METRICS_TOKEN"),
    corsOrigins: values.get("CORS_ORIGINS")?.split(",") ?? [],
    allowedHosts: values.get("ALLOWED_HOSTS")?.split(",") ?? [],
    sessions: {
      idleDays: days("SESSION_IDLE"),
      absoluteDays: days("SESSION_ABSOLUTE"),
    },
    allowUnsafeDatabase: text("ALLOW_UNSAFE_DATABASE") === "true",
    evaluation: {
      workerEnabled: text("RELATIONSHIP_EVALUATION_WORKER_ENABLED") === "true",
      endpoint: url === undefined ? null : {
        url,
        model: text("EVALUATION_PROVIDER_MODEL"),
        key: secret("EVALUATION_PROVIDER_KEY_FILE"),
      },
      readySeconds: Number(text("EVALUATION_READY_SECONDS")),
    },
    scheduledBackups: everyHours === undefined ? null : {
      everyHours: Number(everyHours),
      keep: keep === undefined ? null : Number(keep),
      recipient: values.get("BACKUP_RECIPIENT") ?? null,
    },
  };
}
