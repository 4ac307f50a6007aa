import { assert, assertEquals, assertFalse, assertMatch, assertThrows } from "@std/assert";
import { checkNewOwner, ConfigError } from "../../../../src/operator/config/config.ts";
import { ENVIRONMENT_NAMES, VARIABLES } from "../../../../src/operator/config/env.ts";
import { PASSWORD_RULES } from "../../../../src/validate/new_password.ts";
import { KEYS } from "../../../support/age.ts";
import { configOf, problemsOf, SECRET } from "./reading.ts";

Deno.test("Configuration of an empty environment is the documented default", () => {
  assertEquals(configOf({}), {
    port: 8000,
    host: "127.0.0.1",
    publicOrigin: null,
    databaseUrl: null,
    eraseDatabaseUrl: null,
    databasePoolSize: 8,
    dataDir: "./data",
    attachments: "files",
    serverSecret: null,
    owner: null,
    idempotencyRetentionDays: null,
    trustedProxies: 0,
    zoneinfo: null,
    logLevel: "info",
    limits: { perCredential: 600, perAddress: 60, inFlight: 256 },
    accountStorageBytes: 10_737_418_240,
    accountSpoolBytes: 2_147_483_648,
    importMaximumBytes: 1_073_741_824,
    console: true,
    passkeys: { host: null, origins: [] },
    assistants: null,
    metricsToken: null,
    corsOrigins: [],
    allowedHosts: [],
    sessions: { idleDays: 14, absoluteDays: 30 },
    allowUnsafeDatabase: false,
    evaluation: { workerEnabled: false, endpoint: null, readySeconds: 604_800 },
    scheduledBackups: null,
  });
});

Deno.test("Configuration accepts every setting", () => {
  const config = configOf({
    PORT: "9000",
    HOST: "::1",
    PUBLIC_ORIGIN: "https://records.example",
    DATABASE_URL: "postgres://prs:word@db.example/prs?sslmode=verify-full",
    ERASE_DATABASE_URL: "postgres://prs:word@db.example/new?sslmode=verify-full",
    DATABASE_POOL_SIZE: "2",
    DATA_DIR: "/var/lib/prs",
    ATTACHMENTS: "database",
    SERVER_SECRET: SECRET,
    OWNER_EMAIL: "me@example.org",
    OWNER_PASSWORD: "twelve chars",
    IDEMPOTENCY_RETENTION_DAYS: "30",
    RATE_LIMIT_PER_CREDENTIAL: "0",
    RATE_LIMIT_PER_ADDRESS: "1",
    MAX_IN_FLIGHT: "2",
    CONSOLE: "false",
    ASSISTANTS: "true",
    ASSISTANT_CALLS_PER_MINUTE: "1",
    ASSISTANT_CALLS_PER_DAY: "2",
    ASSISTANT_RECORDS_PER_DAY: "1000000",
    ASSISTANT_REGISTRATION: "true",
    PASSKEY_HOST: "old.example",
    PASSKEY_ORIGINS: "https://old.example,http://localhost:5173",
    METRICS_TOKEN: "a-metrics-token-of-24-ch",
    CORS_ORIGINS: "https://app.example,http://localhost:5173",
    TRUST_PROXY: "2",
    ALLOWED_HOSTS: "records.lan,[fd00::1]",
    SESSION_IDLE_DAYS: "1",
    SESSION_ABSOLUTE_DAYS: "365",
    ALLOW_UNSAFE_DATABASE: "true",
    RELATIONSHIP_EVALUATION_WORKER_ENABLED: "true",
    EVALUATION_PROVIDER_URL: "https://models.example/v1/chat/completions?version=1",
    EVALUATION_PROVIDER_MODEL: "sober 1",
    EVALUATION_PROVIDER_KEY_FILE: "/run/secrets/key",
    ACCOUNT_STORAGE_BYTES: "1000000",
    ACCOUNT_SPOOL_BYTES: "1000000",
    IMPORT_MAXIMUM_BYTES: "1000000",
    EVALUATION_READY_SECONDS: "1",
    BACKUP_EVERY_HOURS: "24",
    BACKUP_KEEP: "7",
    BACKUP_RECIPIENT: KEYS.publicKey,
    ZONEINFO: "/usr/share/zoneinfo",
    LOG_LEVEL: "silent",
  }, { "/run/secrets/key": "\n a-key-of-the-provider\t\r\n" });
  const { databaseUrl, serverSecret, owner, metricsToken, evaluation, ...others } = config;
  const { eraseDatabaseUrl, ...plain } = others;
  assertEquals(plain, {
    port: 9000,
    host: "::1",
    publicOrigin: "https://records.example",
    databasePoolSize: 2,
    dataDir: "/var/lib/prs",
    attachments: "database",
    idempotencyRetentionDays: 30,
    trustedProxies: 2,
    zoneinfo: "/usr/share/zoneinfo",
    logLevel: "silent",
    limits: { perCredential: 0, perAddress: 1, inFlight: 2 },
    accountStorageBytes: 1_000_000,
    accountSpoolBytes: 1_000_000,
    importMaximumBytes: 1_000_000,
    console: false,
    passkeys: {
      host: "old.example",
      origins: ["https://old.example", "http://localhost:5173"],
    },
    assistants: {
      callsPerMinute: 1,
      callsPerDay: 2,
      recordsPerDay: 1_000_000,
      registration: true,
    },
    corsOrigins: ["https://app.example", "http://localhost:5173"],
    allowedHosts: ["records.lan", "[fd00::1]"],
    sessions: { idleDays: 1, absoluteDays: 365 },
    allowUnsafeDatabase: true,
    scheduledBackups: { everyHours: 24, keep: 7, recipient: KEYS.publicKey },
  });
  assertEquals(databaseUrl?.reveal(), "postgres://prs:word@db.example/prs?sslmode=verify-full");
  assertEquals(
    eraseDatabaseUrl?.reveal(),
    "postgres://prs:word@db.example/new?sslmode=verify-full",
  );
  assertEquals(serverSecret?.reveal(), SECRET);
  assertEquals(metricsToken?.reveal(), "a-metrics-token-of-24-ch");
  assertEquals([owner?.email, owner?.password.reveal()], ["me@example.org", "twelve chars"]);
  const { endpoint, ...rest } = evaluation;
  assertEquals(rest, { workerEnabled: true, readySeconds: 1 });
  assertEquals({ ...endpoint, key: endpoint?.key?.reveal() }, {
    url: "https://models.example/v1/chat/completions?version=1",
    model: "sober 1",
    key: "a-key-of-the-provider",
  });
});

Deno.test("Configuration accepts session lifetimes in hours, but not in both units", () => {
  const { sessions } = configOf({ SESSION_IDLE_HOURS: "0.5", SESSION_ABSOLUTE_HOURS: "12" });
  assertEquals(sessions, { idleDays: 0.5 / 24, absoluteDays: 0.5 });
  const mixed = configOf({ SESSION_IDLE_HOURS: "1", SESSION_ABSOLUTE_DAYS: "2" });
  assertEquals(mixed.sessions, { idleDays: 1 / 24, absoluteDays: 2 });
  const both = { SESSION_IDLE_HOURS: "24", SESSION_IDLE_DAYS: "1" };
  assertEquals(problemsOf(both), [
    "SESSION_IDLE_HOURS: set it or SESSION_IDLE_DAYS, not both",
  ]);
});

Deno.test("Configuration counts an empty variable as absent", () => {
  const empty = Object.fromEntries(ENVIRONMENT_NAMES.map((name) => [name, ""]));
  assertEquals(configOf(empty), configOf({}));
});

Deno.test("Configuration explains a rejected database URL without quoting it", () => {
  const url = "postgres://someone:hunter2@db.example/prs";
  assertEquals(problemsOf({ DATABASE_URL: url, SERVER_SECRET: SECRET }), [
    "DATABASE_URL: off this machine sslmode=verify-full is needed, " +
    "or sslmode=disable where others cannot listen",
  ]);
});

const PLAIN_HTTP = [
  "http://localhost:8000",
  "http://prs.localhost:8000",
  "http://127.0.0.1",
  "http://127.8.9.10",
  "http://[::1]:8000",
];

for (const origin of ["https://records.example", "https://10.0.0.1:8443", ...PLAIN_HTTP]) {
  Deno.test(`Configuration accepts the public origin ${origin}`, () => {
    assertEquals(configOf({ PUBLIC_ORIGIN: origin }).publicOrigin, origin);
  });
}

for (const url of ["https://models.example", "https://10.0.0.1:8443/x?y=z", ...PLAIN_HTTP]) {
  Deno.test(`Configuration accepts the provider at ${url}`, () => {
    const { evaluation } = configOf({
      EVALUATION_PROVIDER_URL: url,
      EVALUATION_PROVIDER_MODEL: "sober-1",
    });
    assertEquals(evaluation.endpoint, { url, model: "sober-1", key: null });
  });
}

Deno.test("Configuration requires a model with a provider's address, and its key file", () => {
  const url = { EVALUATION_PROVIDER_URL: "https://models.example/" };
  assertEquals(problemsOf(url), [
    "EVALUATION_PROVIDER_MODEL: required with EVALUATION_PROVIDER_URL",
  ]);
  assertEquals(problemsOf({ ...url, EVALUATION_PROVIDER_MODEL: " " }), [
    "EVALUATION_PROVIDER_MODEL: must be a name of 1 to 200 characters on one line",
  ]);
  // Only the address selects the provider.
  const model = { EVALUATION_PROVIDER_MODEL: "sober-1" };
  assertEquals(configOf(model).evaluation.endpoint, null);
  assertEquals(problemsOf({ ...url, ...model, EVALUATION_PROVIDER_KEY_FILE: "/absent" }), [
    "EVALUATION_PROVIDER_KEY_FILE: the file cannot be read: it does not exist",
  ]);
});

Deno.test("Configuration accepts the bounds of its ranges", () => {
  for (const seconds of ["1", "31536000"]) {
    const { evaluation } = configOf({ EVALUATION_READY_SECONDS: seconds });
    assertEquals(evaluation.readySeconds, Number(seconds));
  }
  assertEquals(configOf({ PORT: "0" }).port, 0);
  assertEquals(configOf({ PORT: "65535" }).port, 65_535);
  assertEquals(configOf({ DATABASE_POOL_SIZE: "100" }).databasePoolSize, 100);
  const days = configOf({ IDEMPOTENCY_RETENTION_DAYS: "36500" }).idempotencyRetentionDays;
  assertEquals(days, 36_500);
  assertEquals(configOf({ TRUST_PROXY: "10" }).trustedProxies, 10);
  for (
    const password of ["🙂".repeat(8), "p".repeat(252), "🙂".repeat(252)].map((text) =>
      `xkq4${text}`
    )
  ) {
    const { owner } = configOf({ OWNER_EMAIL: "me@example.org", OWNER_PASSWORD: password });
    assertEquals(owner?.password.reveal(), password);
  }
});

Deno.test("Configuration reports every problem at once, without values", () => {
  const wrong = {
    PORT: "eighty",
    HOST: "not a host",
    PUBLIC_ORIGIN: "http://public.example",
    DATABASE_URL: "mysql://someone:hunter2@db.example",
    OWNER_EMAIL: "nobody",
    LOG_LEVEL: "loud",
  };
  const problems = problemsOf(wrong);
  assertEquals(problems.map((problem) => problem.split(":")[0]), Object.keys(wrong));
  for (const value of Object.values(wrong)) {
    assertEquals(problems.join("\n").includes(value), false, value);
  }
});

Deno.test("Configuration requires related settings together", () => {
  const url = { DATABASE_URL: "postgres://prs@localhost/prs" };
  assertEquals(problemsOf(url), ["SERVER_SECRET: required with DATABASE_URL"]);
  assertEquals(problemsOf({ ...url, SERVER_SECRET: "short" }), [
    "SERVER_SECRET: must be at least 32 characters",
  ]);
  assertEquals(problemsOf({ OWNER_EMAIL: "me@example.org" }), [
    "OWNER_PASSWORD: required with OWNER_EMAIL",
  ]);
  assertEquals(problemsOf({ OWNER_PASSWORD: "a good password" }), [
    "OWNER_EMAIL: required with OWNER_PASSWORD",
  ]);
  assertEquals(problemsOf({ ERASE_DATABASE_URL: url.DATABASE_URL }), [
    "DATABASE_URL: required with ERASE_DATABASE_URL",
  ]);
});

Deno.test("Configuration with a password that is easy to guess is only for an existing owner", () => {
  const check = (email: string, password: string) => {
    const { owner } = configOf({ OWNER_EMAIL: email, OWNER_PASSWORD: password });
    assert(owner !== null);
    checkNewOwner(owner);
  };
  check("me@example.org", "a good password");
  for (
    const [password, problem] of [
      ["Password2026!", "The password is too common"],
      ["p".repeat(12), PASSWORD_RULES["account.password_repetitive"]],
      ["Somebody@Example.org", "The password is too similar to the account's email"],
    ] as const
  ) {
    const error = assertThrows(() => check("somebody@example.org", password), ConfigError);
    assertMatch(error.message, new RegExp(`\n  OWNER_PASSWORD: .*${problem}`));
    assertFalse(error.message.includes(password));
  }
});

const FILED = VARIABLES.filter(({ secret }) => secret).map(({ name }) => name);
const GOOD: Readonly<Record<string, string>> = {
  DATABASE_URL: "postgres://prs:word@localhost/prs",
  ERASE_DATABASE_URL: "postgres://prs:word@localhost/new",
  SERVER_SECRET: SECRET,
  OWNER_PASSWORD: "a good password",
  METRICS_TOKEN: "a-metrics-token-of-24-ch",
};
const BESIDE = { OWNER_EMAIL: "me@example.org", ...GOOD };

Deno.test("Configuration accepts files for exactly its secrets", () => {
  assertEquals(FILED, [
    "DATABASE_URL",
    "ERASE_DATABASE_URL",
    "SERVER_SECRET",
    "OWNER_PASSWORD",
    "METRICS_TOKEN",
  ]);
  const files = VARIABLES.filter(({ secret }) => !secret).map(({ name }) => `${name}_FILE`);
  for (const name of files) assertEquals(ENVIRONMENT_NAMES.includes(name), false, name);
});

for (const name of FILED) {
  const { [name]: _, ...others } = BESIDE as Record<string, string>;
  const value = GOOD[name] ?? "";

  Deno.test(`Configuration reads ${name} from a file without its last line break`, () => {
    for (const ending of ["", "\n", "\r\n"]) {
      const config = configOf(
        { ...others, [`${name}_FILE`]: "/run/secrets/it" },
        { "/run/secrets/it": value + ending },
      );
      const read = {
        DATABASE_URL: config.databaseUrl,
        ERASE_DATABASE_URL: config.eraseDatabaseUrl,
        SERVER_SECRET: config.serverSecret,
        OWNER_PASSWORD: config.owner?.password,
        METRICS_TOKEN: config.metricsToken,
      }[name as string];
      assertEquals(read?.reveal(), value);
    }
  });

  Deno.test(`Configuration rejects a wrong, missing or redundant file for ${name}`, () => {
    const environment = { ...others, [`${name}_FILE`]: "/run/secrets/it" };
    assertEquals(problemsOf(environment, {}), [
      `${name}_FILE: the file cannot be read: it does not exist`,
    ]);
    const [empty = ""] = problemsOf(environment, { "/run/secrets/it": "" });
    assertMatch(empty, /: must be ./);
    assertEquals(problemsOf({ ...environment, [name]: value }, { "/run/secrets/it": value }), [
      `${name}: set it or ${name}_FILE, not both`,
    ]);
  });
}

Deno.test("Configuration can be printed without a secret", () => {
  const KEY = "a-key-of-the-provider";
  const config = configOf({
    OWNER_EMAIL: "me@example.org",
    ...GOOD,
    EVALUATION_PROVIDER_URL: "https://models.example/",
    EVALUATION_PROVIDER_MODEL: "sober-1",
    EVALUATION_PROVIDER_KEY_FILE: "/key",
  }, { "/key": KEY });
  const printed = [
    JSON.stringify(config),
    Deno.inspect(config, { depth: 10, showHidden: true }),
    `${config.databaseUrl} ${config.serverSecret} ${config.owner?.password} ${config.metricsToken}`,
  ].join("\n");
  for (const value of [...Object.values(GOOD), KEY]) {
    assertEquals(printed.includes(value), false, printed);
  }
});

Deno.test("Configuration says which setting a backup setting needs", () => {
  for (const [name, value] of [["BACKUP_KEEP", "7"], ["BACKUP_RECIPIENT", KEYS.publicKey]]) {
    const settings = { [name as string]: value as string };
    assertEquals(problemsOf(settings), [`BACKUP_EVERY_HOURS: required with ${name}`]);
    assertEquals(problemsOf({ ...settings, BACKUP_EVERY_HOURS: "0" }), [
      "BACKUP_EVERY_HOURS: must be a whole number from 1 to 8760",
    ]);
  }
  assertEquals(configOf({ BACKUP_EVERY_HOURS: "12" }).scheduledBackups, {
    everyHours: 12,
    keep: null,
    recipient: null,
  });
});
