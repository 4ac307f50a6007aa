/** Output and exit codes of the operator's commands. */

import { assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runAdmin } from "../support/admin_process.ts";
import { createInstallation } from "../support/installation.ts";
import { startServer } from "../support/server_process.ts";

const EMAIL = "me@example.org";
const PASSWORD = "a password that only tests know";
const CREATE = ["account", "create", "--email", EMAIL, "--name", "Me"];

Deno.test("First command creates the schema like a first start", async () => {
  await using place = await createInstallation({ untouched: true });
  assertEquals(await place.operate("account", "list"), ["No account exists"]);
});

Deno.test("Set-up link works once, at the server, until an account exists", async () => {
  await using place = await createInstallation();
  await using server = await startServer(place.env);
  const env = { ...place.env, PORT: String(server.port) };
  const { code, stdout, stderr } = await runAdmin(env, ["setup-link"]);
  assertEquals(code, 0, stderr);
  const [, origin, setupToken = ""] = /^ {2}(\S+)\/#setup=(prs_i_[\w-]{43})$/m.exec(stdout) ?? [];
  assertEquals(origin, `http://localhost:${server.port}`, stdout);
  assertStringIncludes(stdout, `"setupToken":"${setupToken}"`);
  const body = { setupToken, email: EMAIL, password: PASSWORD, displayName: "Me" };
  const made = await server.call("POST", "/api/v2/auth/setup", { body });
  assertEquals(made.status, 200, made.text);
});

// `unit/operator/programs/start_failure` has the other exit codes.
Deno.test("Commands report errors by exit code and one sentence", async () => {
  await using place = await createInstallation();
  const short = await runAdmin(place.env, CREATE, "too short");
  assertEquals([short.code, short.stderr], [1, "A password has 12 to 256 characters\n"]);
  const misspelt = await runAdmin(place.env, ["account", "drop"]);
  assertEquals(misspelt.code, 2);
  assertMatch(misspelt.stderr, /^The command is missing or unknown\nUsage:\n/);
  assertEquals([short.stdout, misspelt.stdout], ["", ""]);
});
