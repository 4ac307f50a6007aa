/** Wrong values of every setting. */

import { assertEquals, assertMatch } from "@std/assert";
import { type VariableName, VARIABLES } from "../../../../src/operator/config/env.ts";
import { KEYS } from "../../../support/age.ts";
import { problemsOf, RULES } from "./reading.ts";

// Other settings, so that only the value is wrong.
const COMPANIONS: Partial<Record<VariableName, Record<string, string>>> = {
  OWNER_EMAIL: { OWNER_PASSWORD: "a good password" },
  OWNER_PASSWORD: { OWNER_EMAIL: "me@example.org" },
  EVALUATION_PROVIDER_URL: { EVALUATION_PROVIDER_MODEL: "sober-1" },
  PASSKEY_ORIGINS: { PUBLIC_ORIGIN: "https://records.example" },
  BACKUP_KEEP: { BACKUP_EVERY_HOURS: "24" },
  BACKUP_RECIPIENT: { BACKUP_EVERY_HOURS: "24" },
};
const WRONG: Readonly<Record<VariableName, readonly string[]>> = {
  IMPORT_MAXIMUM_BYTES: ["0", "999", "1e9", "1GB", "9".repeat(16)],
  ACCOUNT_STORAGE_BYTES: ["0", "999999", "-1000000", "1e9", "10GB", "1000000.5", "9".repeat(16)],
  ACCOUNT_SPOOL_BYTES: ["0", "999999", "-1000000", "2GB", "1000000.5", "9".repeat(16)],
  ATTACHMENTS: ["Files", "s3", "true"],
  CONSOLE: ["yes", "TRUE", "0"],
  ASSISTANTS: ["yes", "TRUE", "0"],
  ASSISTANT_CALLS_PER_MINUTE: ["0", "100001", "many"],
  ASSISTANT_CALLS_PER_DAY: ["0", "1000001", "many"],
  ASSISTANT_RECORDS_PER_DAY: ["0", "1000001", "1.5"],
  ASSISTANT_REGISTRATION: ["yes", "TRUE", "1"],
  PASSKEY_HOST: [
    "Records.example",
    "records.example:443",
    "192.0.2.1",
    "[::1]",
    "a.example,b.example",
    "a".repeat(254),
  ],
  PASSKEY_ORIGINS: [
    "https://new.example,https://records.example",
    "https://records.example/",
    "http://records.example",
    "https://a.example,https://a.example",
    "https://a.example, https://b.example",
    "https://a.example,https://b.example,https://c.example,https://d.example,https://e.example",
  ],
  PORT: ["-1", "65536", "80a", "1e3", " 80", "0x50", "8000.0"],
  HOST: ["a b", "host/path", "[::1]", "user@host", "127.0.0.1:8000", "300.0.0.1", "a..b"],
  PUBLIC_ORIGIN: [
    "http://records.example",
    "https://*.example",
    "http://192.168.1.5",
    "http://0.0.0.0:8000",
    "http://localhost.example",
    "http://prslocalhost:8000",
    "http://.localhost",
    "http://128.0.0.1",
    "http://localhost@records.example",
    "https://records.example/",
    "https://records.example/path",
    "https://user@records.example",
    "https://RECORDS.example",
    "https://records.example:443",
    "ftp://records.example",
    "records.example",
    "null",
  ],
  ERASE_DATABASE_URL: ["mysql://prs@db/prs", "postgres://db.example/prs"],
  DATABASE_URL: [
    "mysql://prs@db/prs",
    "db.example:5432",
    "https://prs@db.example/",
    "postgres",
    "postgres://db.example/prs",
    "postgres://:word@db.example/prs",
    "postgres://prs@db.example:port/prs",
  ],
  DATABASE_POOL_SIZE: ["1", "101", "eight", "-2"],
  DATA_DIR: ["./data,/", "~/data", "~someone/data"],
  SERVER_SECRET: ["s".repeat(31)],
  OWNER_EMAIL: ["nobody", "a b@example.org", "@example.org", "me@", `${"m".repeat(250)}@x.org`],
  OWNER_PASSWORD: ["eleven char", "🙂".repeat(11), "p".repeat(257)],
  IDEMPOTENCY_RETENTION_DAYS: ["29", "0", "-30", "36501", "30d"],
  RATE_LIMIT_PER_CREDENTIAL: ["-1", "1000001", "many"],
  RATE_LIMIT_PER_ADDRESS: ["-1", "1000001", "60/m"],
  MAX_IN_FLIGHT: ["0", "100001", "-1"],
  METRICS_TOKEN: ["t".repeat(23), "a token with spaces in it", "ein-schlüssel-mit-einem-umlaut"],
  CORS_ORIGINS: [
    "*",
    "null",
    "https://app.example/",
    "https://app.example,",
    "https://app.example, https://other.example",
    "http://app.example",
    "https://*.example",
  ],
  TRUST_PROXY: ["11", "-1", "true", "127.0.0.1", "1.0"],
  ALLOWED_HOSTS: [
    "records.lan:8000",
    "Records.lan",
    "a,",
    "a b",
    "a/b",
    "https://a",
    "fd00::1",
    "*.lan",
    "*",
  ],
  SESSION_IDLE_DAYS: ["0", "91", "1.5", "forever"],
  SESSION_ABSOLUTE_DAYS: ["0", "366", "-1", "30 days"],
  SESSION_IDLE_HOURS: ["0", "0.2", "2160.5", "1e3", "30m", ".5"],
  SESSION_ABSOLUTE_HOURS: ["0", "-1", "8761", "12h", "0.125"],
  ALLOW_UNSAFE_DATABASE: ["yes", "1", "TRUE"],
  RELATIONSHIP_EVALUATION_WORKER_ENABLED: ["yes", "1", "True", "true "],
  EVALUATION_PROVIDER_URL: [
    "http://models.example/v1/chat/completions",
    "http://192.168.1.5:11434/",
    "http://localhost.example/",
    "https://user@models.example/",
    "https://:word@models.example/",
    "https://models.example/#here",
    " https://models.example/",
    "https://models.example/a b",
    "https://",
    "ftp://models.example/",
    "models.example",
  ],
  EVALUATION_PROVIDER_MODEL: ["  ", "two\nlines", "m".repeat(201), "\ud800"],
  EVALUATION_PROVIDER_KEY_FILE: ["/empty", "/blank", "/two", "/umlaut"],
  EVALUATION_READY_SECONDS: ["0", "31536001", "-1", "1.5", "7d"],
  BACKUP_EVERY_HOURS: ["0", "8761", "daily", "1.5", "24h"],
  BACKUP_KEEP: ["0", "10001", "all", "-1"],
  BACKUP_RECIPIENT: [
    KEYS.secretKey,
    KEYS.publicKey.slice(0, -1),
    "age1",
    "age1pq1",
    "me@example.org",
  ],
  ZONEINFO: ["/usr/share/zoneinfo,/", "~/zoneinfo"],
  LOG_LEVEL: ["INFO", "verbose", "trace"],
};

const WRONG_FILES = { "/empty": "", "/blank": " \n", "/two": "a key", "/umlaut": "schlüssel" };

for (const { name } of VARIABLES) {
  Deno.test(`Configuration rejects a wrong ${name} by its name only`, () => {
    for (const value of WRONG[name]) {
      const problems = problemsOf({ ...COMPANIONS[name], [name]: value }, WRONG_FILES);
      const rule = RULES[name] ?? /^must be ./;
      assertEquals(problems.length, 1, value);
      assertMatch(problems[0]?.slice(`${name}: `.length) ?? "", rule, value);
      assertEquals(problems[0]?.startsWith(`${name}: `), true, value);
    }
  });
}
