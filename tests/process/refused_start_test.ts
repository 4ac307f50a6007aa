/** Starts that fail as processes; `unit/operator/programs/start_failure` has each reason. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { setUpOwner } from "../support/own_service.ts";
import { failStart } from "../support/server_process.ts";

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

Deno.test("Start rejects all invalid settings at once, without values or side effects", async () => {
  await using place = await createInstallation({ untouched: true });
  const wrong = {
    PORT: "eighty",
    HOST: "not a host",
    PUBLIC_ORIGIN: "http://public.example",
    DATABASE_URL: "mysql://someone:hunter2@db.example/x",
    DATABASE_POOL_SIZE: "eight",
    SERVER_SECRET: "too-short-a-secret",
    OWNER_EMAIL: "nobody",
    OWNER_PASSWORD: "too-short",
    IDEMPOTENCY_RETENTION_DAYS: "29",
    RELATIONSHIP_EVALUATION_WORKER_ENABLED: "yes please",
    EVALUATION_PROVIDER_URL: "http://models.example/v1",
    EVALUATION_PROVIDER_KEY_FILE: "/nowhere/the-key",
    EVALUATION_READY_SECONDS: "seven days",
    LOG_LEVEL: "loud",
  };
  const ended = await failStart({ ...place.env, ...wrong });
  assertEquals(ended.code, 78, ended.stderr);
  for (const [name, value] of Object.entries(wrong)) {
    assertStringIncludes(ended.stderr, `  ${name}: `);
    assertEquals(ended.stderr.includes(value), false, `${name} is quoted: ${ended.stderr}`);
  }
  assertEquals(ended.stderr.includes("hunter2"), false);
  assertEquals(ended.stdout, "");
  assertEquals(await exists(place.dataDir), false);
});

Deno.test("Start rejects a database with other authorization identifiers, unchanged", async () => {
  await using place = await createInstallation();
  await place.raw(`
    alter table permissions disable trigger append_only;
    update permissions set name = 'record.destroy' where name = 'record.read'`);
  const state = () =>
    place.rows(`
      select (select json_agg(p) from permissions p) as permissions,
             (select json_agg(m) from schema_migrations m) as migrations,
             (select count(*)::integer from setup_token) as setup_tokens`);
  const stored = await state();
  const ended = await failStart(place.env);
  assertEquals(ended.code, 3, ended.stderr);
  assertStringIncludes(ended.stderr, "AUTHORIZATION_IDENTIFIER_CONFLICT");
  assertEquals(await state(), stored);
});

Deno.test("Start names an address that this machine does not have, and warns of settings", async () => {
  await using place = await createInstallation();
  const settings = { HOST: "192.0.2.1", ASSISTANT_RECORDS_PER_DAY: "9" };
  const { code, stderr } = await failStart({ ...place.env, ...settings });
  assertEquals([code, stderr.split("\n").slice(0, 3)], [1, [
    "ASSISTANT_RECORDS_PER_DAY: has no effect without ASSISTANTS=true",
    "HOST: other machines can connect, but are answered with 421: set PUBLIC_ORIGIN to what people " +
    "type, or name this machine in ALLOWED_HOSTS",
    "Cannot listen on HOST 192.0.2.1 and PORT 0: this machine does not have that address",
  ]]);
});

Deno.test("Start rejects a used port and keeps the printed set-up link valid", async () => {
  await using place = await createInstallation();
  await using first = await place.serve();
  // A second process shares PostgreSQL; the embedded engine needs another installation.
  await using other = await createInstallation();
  const env = place.env.DATABASE_URL === undefined ? other.env : place.env;
  const ended = await failStart({ ...env, PORT: String(first.port) });
  assertEquals(ended.code, 1);
  assertStringIncludes(ended.stderr, "HOST and PORT are in use");
  const caller = await setUpOwner(first);
  assertEquals((await caller.call("GET", "/api/v2/auth/session")).status, 200);
});
