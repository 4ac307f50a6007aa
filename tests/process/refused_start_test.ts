import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { failStart, startServer } from "../support/server_process.ts";

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
    DATABASE_POOL_SIZE: "1",
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

Deno.test("Start rejects an unreadable secret file", async () => {
  await using place = await createInstallation({ untouched: true });
  const path = await Deno.makeTempFile();
  try {
    await Deno.writeTextFile(path, "a password in a folder that no flag names");
    const env = { ...place.env, OWNER_EMAIL: "owner@example.org", OWNER_PASSWORD_FILE: path };
    const ended = await failStart(env);
    assertEquals(ended.code, 78);
    assertStringIncludes(ended.stderr, "OWNER_PASSWORD_FILE: cannot be read");
    assertEquals(ended.stderr.includes(path), false);
    assertEquals(await exists(place.dataDir), false);
  } finally {
    await Deno.remove(path);
  }
});

Deno.test("Start rejects a secret that is not the database's", async () => {
  await using place = await createInstallation();
  {
    await using first = await startServer(place.env);
    first.kill("SIGTERM");
    assertEquals((await first.ended).code, 0);
  }
  const other = "another server secret, long enough to be one";
  const ended = await failStart({ ...place.env, SERVER_SECRET: other });
  assertEquals(ended.code, 78, ended.stderr);
  assertStringIncludes(ended.stderr, "SERVER_SECRET");
  assertEquals(ended.stderr.includes(other), false);
  await using again = await startServer(place.env);
  assertEquals((await again.call("GET", "/api/v2/auth/session")).status, 401);
});

Deno.test("Start rejects a schema newer than the release", async () => {
  await using place = await createInstallation();
  await place.raw(
    "insert into schema_migrations (version, name, checksum) values (9999, 'later', 'x')",
  );
  const ended = await failStart(place.env);
  assertEquals(ended.code, 1);
  assertStringIncludes(ended.stderr, "schema version 9999, which this release does not know");
});

Deno.test("Start rejects a database of the replaced steps and explains the upgrade", async () => {
  await using place = await createInstallation();
  await place.raw("update schema_migrations set name = 'authorization' where version = 6");
  const ended = await failStart(place.env);
  assertEquals(ended.code, 1);
  assertStringIncludes(ended.stderr, "the schema of an earlier revision");
  assertStringIncludes(ended.stderr, "`admin account export` for each account; with this release");
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

Deno.test("Start rejects a used port and keeps the printed set-up link valid", async () => {
  await using place = await createInstallation();
  await using first = await startServer(place.env);
  // A second process shares PostgreSQL; the embedded engine needs another installation.
  await using other = await createInstallation();
  const env = place.env.DATABASE_URL === undefined ? other.env : place.env;
  const ended = await failStart({ ...env, PORT: String(first.port) });
  assertEquals(ended.code, 1);
  assertStringIncludes(ended.stderr, "HOST and PORT are in use");
  const caller = await first.setUp();
  assertEquals((await caller.call("GET", "/api/v2/auth/session")).status, 200);
});

Deno.test("Start reports an unreachable database without its address", async () => {
  await using place = await createInstallation({ untouched: true });
  const ended = await failStart({
    ...place.env,
    // Nothing listens on port 1.
    DATABASE_URL: "postgres://someone:hunter2@127.0.0.1:1/prs",
    SERVER_SECRET: "a server secret that only tests know",
  });
  assertEquals(ended.code, 1);
  assertMatch(ended.stderr, /the database cannot be reached/);
  assertEquals(/hunter2|someone|127\.0\.0\.1/.test(ended.stderr), false, ended.stderr);
});
