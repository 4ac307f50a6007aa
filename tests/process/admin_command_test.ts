/** Output and exit codes of the operator's commands. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runAdmin } from "../support/admin_process.ts";
import { createInstallation } from "../support/installation.ts";
import { type Ended, startServer } from "../support/server_process.ts";

const EMAIL = "me@example.org";
const PASSWORD = "a password that only tests know";
const CREATE = ["account", "create", "--email", EMAIL, "--name", "Me"];

function assertDone(ended: Ended): void {
  assertEquals(ended.code, 0, ended.stderr);
}

Deno.test("First command creates the schema like a first start", async () => {
  await using place = await createInstallation({ untouched: true });
  const ended = await runAdmin(place.env, ["account", "list"]);
  assertDone(ended);
  assertEquals(ended.stdout, "No account exists\n");
});

Deno.test("Set-up link works once, at the server, until an account exists", async () => {
  await using place = await createInstallation();
  await using server = await startServer(place.env);
  const env = { ...place.env, PORT: String(server.port) };
  const { stdout, ...ended } = await runAdmin(env, ["setup-link"]);
  assertDone({ stdout, ...ended });
  const [, origin, setupToken = ""] = /^ {2}(\S+)\/#setup=(prs_i_[\w-]{43})$/m.exec(stdout) ?? [];
  assertEquals(origin, `http://localhost:${server.port}`, stdout);
  assertStringIncludes(stdout, `"setupToken":"${setupToken}"`);
  const body = { setupToken, email: EMAIL, password: PASSWORD, displayName: "Me" };
  const made = await server.call("POST", "/api/v2/auth/setup", { body });
  assertEquals(made.status, 200, made.text);
  const late = await runAdmin(env, ["setup-link"]);
  assertEquals([late.code, late.stdout, late.stderr], [
    ...[1, "", "An account exists, so set-up is closed\n"],
  ]);
});

Deno.test("Commands report errors by exit code and one sentence", async () => {
  await using place = await createInstallation();
  const unknown = await runAdmin(place.env, ["account", "disable", "--email", EMAIL]);
  assertEquals([unknown.code, unknown.stderr], [1, "No account has this email\n"]);
  const short = await runAdmin(place.env, CREATE, "too short");
  assertEquals([short.code, short.stderr], [1, "A password has 12 to 256 characters\n"]);
  const absent = await runAdmin(place.env, [...CREATE, "--password-file", "./nowhere"]);
  assertEquals(absent.code, 1);
  assertStringIncludes(absent.stderr, "--password-file: cannot be read; it must be in ./secrets");
  const misspelt = await runAdmin(place.env, ["account", "drop"]);
  assertEquals(misspelt.code, 2);
  assertMatch(misspelt.stderr, /^The command is missing or unknown\nUsage:\n/);
  const configuration = await runAdmin({ ...place.env, PORT: "eighty" }, ["account", "list"]);
  assertEquals(configuration.code, 78);
  assertStringIncludes(configuration.stderr, "  PORT: not valid");
  for (const { stdout } of [unknown, short, absent, misspelt, configuration]) {
    assertEquals(stdout, "");
  }
});

Deno.test("A command on a database with other permission identifiers exits with 3", async () => {
  await using place = await createInstallation();
  await place.raw(`insert into permissions (permission_id, name)
    values ('01KAGQ0000PERM000000000099', 'later.permission')`);
  assertDone(await runAdmin(place.env, ["account", "list"]));
  await place.raw(`
    alter table permissions disable trigger all;
    update permissions set name = 'other' where name = 'audit.read';
    alter table permissions enable trigger all`);
  const ended = await runAdmin(place.env, ["account", "list"]);
  assertEquals(ended.code, 3, ended.stderr);
  assertMatch(ended.stderr, /^AUTHORIZATION_IDENTIFIER_CONFLICT: /);
});
