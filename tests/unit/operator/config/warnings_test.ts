import { assertEquals } from "@std/assert";
import { type Environment, readConfig } from "../../../../src/operator/config/config.ts";
import { settingWarnings } from "../../../../src/operator/config/warnings.ts";

/** The names of the settings that are warned of. */
function warned(settings: Readonly<Record<string, string>>): string[] {
  const environment: Environment = { get: (name) => settings[name], readFile: () => "a-key" };
  const warnings = settingWarnings(environment, readConfig(environment));
  for (const text of warnings) {
    for (const value of Object.values(settings)) {
      if (value.length > 8) assertEquals(text.includes(value), false, text);
    }
  }
  return warnings.map((text) => text.split(":")[0] ?? "");
}

const DATABASE = {
  DATABASE_URL: "postgres://prs@localhost/prs",
  SERVER_SECRET: "a server secret of forty characters, yes",
};
const PROVIDER = {
  EVALUATION_PROVIDER_URL: "https://models.example/v1",
  EVALUATION_PROVIDER_MODEL: "sober 1",
  EVALUATION_PROVIDER_KEY_FILE: "/run/secrets/key",
  EVALUATION_READY_SECONDS: "60",
};
const PROXIED = { PUBLIC_ORIGIN: "https://records.example", TRUST_PROXY: "1" };

Deno.test("Settings without effect are warned of by name", () => {
  const cases: readonly (readonly [settings: Record<string, string>, names: string[]])[] = [
    [{ DATABASE_POOL_SIZE: "9", ALLOW_UNSAFE_DATABASE: "true" }, [
      "DATABASE_POOL_SIZE",
      "ALLOW_UNSAFE_DATABASE",
    ]],
    [{ ASSISTANT_CALLS_PER_MINUTE: "9", ASSISTANTS: "false" }, ["ASSISTANT_CALLS_PER_MINUTE"]],
    [{ ASSISTANT_CALLS_PER_DAY: "9" }, ["ASSISTANT_CALLS_PER_DAY"]],
    [{ ASSISTANT_RECORDS_PER_DAY: "9" }, ["ASSISTANT_RECORDS_PER_DAY"]],
    [{ ASSISTANT_REGISTRATION: "true", ASSISTANTS: "true", CONSOLE: "false" }, [
      "ASSISTANT_REGISTRATION",
    ]],
    [PROVIDER, ["EVALUATION_PROVIDER_URL", "EVALUATION_READY_SECONDS"]],
    [{ EVALUATION_PROVIDER_MODEL: "sober 1" }, ["EVALUATION_PROVIDER_MODEL"]],
    [{ SESSION_IDLE_DAYS: "31" }, ["SESSION_IDLE_DAYS"]],
    [{ SESSION_IDLE_HOURS: "2", SESSION_ABSOLUTE_HOURS: "1" }, ["SESSION_IDLE_HOURS"]],
    ...["0.0.0.0", "::", "192.168.1.5"].map((HOST) => [{ HOST }, ["HOST"]] as const),
    [{ PUBLIC_ORIGIN: PROXIED.PUBLIC_ORIGIN }, ["TRUST_PROXY"]],
    [{ ...PROXIED, CORS_ORIGINS: PROXIED.PUBLIC_ORIGIN }, ["CORS_ORIGINS"]],
    [{ ...PROXIED, ALLOWED_HOSTS: "records.example" }, ["ALLOWED_HOSTS"]],
    [{ ALLOWED_HOSTS: "localhost" }, ["ALLOWED_HOSTS"]],
  ].map(([settings, names]) => [settings as Record<string, string>, [...names as string[]]]);
  for (const [settings, names] of cases) assertEquals(warned(settings), names);
});

Deno.test("Settings with their effect are not warned of", () => {
  const cases: readonly Record<string, string>[] = [
    {},
    PROXIED,
    { HOST: "::1" },
    { HOST: "127.0.0.2" },
    { SESSION_ABSOLUTE_HOURS: "12" },
    { ...DATABASE, DATABASE_POOL_SIZE: "9", ALLOW_UNSAFE_DATABASE: "true" },
    { ASSISTANTS: "true", ASSISTANT_CALLS_PER_MINUTE: "9", ASSISTANT_RECORDS_PER_DAY: "9" },
    { ASSISTANTS: "true", ASSISTANT_REGISTRATION: "true" },
    { ...PROVIDER, RELATIONSHIP_EVALUATION_WORKER_ENABLED: "true" },
    { SESSION_IDLE_HOURS: "1", SESSION_ABSOLUTE_HOURS: "1" },
    { HOST: "0.0.0.0", PUBLIC_ORIGIN: "http://localhost:8000" },
    { HOST: "0.0.0.0", ALLOWED_HOSTS: "records.lan" },
    { ...PROXIED, CORS_ORIGINS: "https://app.example", ALLOWED_HOSTS: "records.lan" },
  ];
  for (const settings of cases) assertEquals(warned(settings), []);
});
