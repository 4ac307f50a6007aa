// engines: both
/** The operator's commands as processes: with and without a server. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { runAdmin } from "../support/admin_process.ts";
import { createInstallation } from "../support/installation.ts";
import { type Ended, type ServerProcess, startServer } from "../support/server_process.ts";
import { copyTemplate } from "../support/template.ts";
import { ENGINE, type TestResponse } from "../support/world.ts";

const EMAIL = "me@example.org";
const PASSWORD = "a password that only tests know";
const CREATE = ["account", "create", "--email", EMAIL, "--name", "Me & my name"];

function onEmbedded(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ignore: ENGINE !== "embedded" });
}

function signIn(server: ServerProcess, password = PASSWORD): Promise<TestResponse> {
  const body = { email: EMAIL, password, transport: "bearer" };
  return server.call("POST", "/api/v2/auth/login", { body });
}

async function sessionStatus(server: ServerProcess, secret: string): Promise<number> {
  const headers = { Authorization: `Bearer ${secret}` };
  return (await server.call("GET", "/api/v2/auth/session", { headers })).status;
}

function assertDone(ended: Ended): void {
  assertEquals(ended.code, 0, ended.stderr);
}

async function exists(path: string): Promise<boolean> {
  return await Deno.lstat(path).then(() => true, () => false);
}

/** Stops it with SIGTERM. */
async function stop(server: ServerProcess): Promise<Ended> {
  server.kill("SIGTERM");
  const ended = await server.ended;
  assertEquals(ended.code, 0, ended.stderr);
  return ended;
}

Deno.test("Commands next to a running server take effect at its next request", async () => {
  await using place = await createInstallation();
  await using server = await startServer(place.env);
  const socket = `${place.dataDir}/admin.sock`;
  if (ENGINE === "embedded") {
    const { mode, isSocket } = await Deno.lstat(socket);
    assertEquals([isSocket, (mode ?? 0) & 0o777], [true, 0o600]);
  } else assertEquals(await exists(socket), false);
  const said: string[] = [];
  const run = async (words: readonly string[], input?: string) => {
    const ended = await runAdmin(place.env, words, input);
    said.push(ended.stdout, ended.stderr);
    assertDone(ended);
    return ended.stdout;
  };
  assertMatch(
    await run(CREATE, `${PASSWORD}\n`),
    /^The account \w{26} was created with the role OWNER\n$/,
  );
  const login = await signIn(server);
  assertEquals(login.status, 200, login.text);
  const { accessToken, account } = login.body.data;
  assertEquals(account.displayName, "Me & my name");
  assertStringIncludes(await run(["account", "list"]), `${EMAIL}  OWNER  enabled`);

  await run(["account", "disable", "--email", EMAIL]);
  assertEquals(await sessionStatus(server, accessToken), 401);
  assertMatch(await run(["account", "disable", "--email", EMAIL]), /^Nothing was changed: /);
  await run(["account", "enable", "--email", EMAIL]);
  const other = "another password that only tests know";
  await run(["account", "reset-password", "--email", EMAIL], other);
  assertEquals((await signIn(server, other)).status, 200);

  const { stdout, stderr } = await stop(server);
  for (const text of [...said, stdout, stderr]) {
    assertEquals(/password that only|scrypt\$/.test(text), false, text);
  }
  // The log shows whether the server's socket was used.
  assertEquals(
    stdout.includes('"event":"admin_command","command":"account list"}\n'),
    ENGINE === "embedded",
  );
  for (const name of ["admin.sock", "admin.new"]) {
    assertEquals(await exists(`${place.dataDir}/${name}`), false, name);
  }
});

onEmbedded(
  "Command opens the database itself beside the socket that kill -9 left, which the next start replaces",
  async () => {
    await using place = await createInstallation();
    {
      await using killed = await startServer(place.env);
      killed.kill("SIGKILL");
      await killed.ended;
    }
    assertEquals(await exists(`${place.dataDir}/admin.sock`), true);
    const path = `${place.dataDir}/password`;
    await Deno.writeTextFile(path, `${PASSWORD}\n`);
    assertDone(await runAdmin(place.env, [...CREATE, "--role", "EDITOR", "--password-file", path]));
    await using server = await startServer(place.env);
    assertEquals(server.welcome.includes("#setup="), false, "an account exists");
    assertEquals((await signIn(server)).body.data.account.role, "EDITOR");
    assertDone(await runAdmin(place.env, ["account", "list"]));
    assertMatch((await stop(server)).stdout, /"event":"admin_command"/);
  },
);

onEmbedded("Two commands at once without a server leave a whole database", async () => {
  await using place = await createInstallation();
  const ended = await Promise.all(
    ["a", "b"].map((name) =>
      runAdmin(
        place.env,
        ["account", "create", "--email", `${name}@example.org`, "--name", name],
        PASSWORD,
      )
    ),
  );
  // The later one is rejected, unless the first had finished.
  for (const { code, stderr } of ended.filter(({ code }) => code !== 0)) {
    assertEquals(code, 1, stderr);
    assertMatch(stderr, /^The data directory is in use by /);
  }
  const made = ended.filter(({ code }) => code === 0).length;
  assert(made > 0);
  const [row] = await place.rows("select count(*)::int as accounts from accounts");
  assertEquals(row.accounts, made);
});

onEmbedded("Server whose folder has too long a name for a socket serves without one", async () => {
  await using place = await createInstallation({ untouched: true });
  const DATA_DIR = `${place.dataDir}/${"a long name ".repeat(9)}end`;
  copyTemplate(DATA_DIR);
  const env = { ...place.env, DATA_DIR };
  {
    await using server = await startServer(env);
    const held = await runAdmin(env, ["account", "list"]);
    assertEquals([held.code, held.stderr], [
      ...[1, `The data directory is in use by process ${server.pid}\n`],
    ]);
    const { stdout } = await stop(server);
    assertMatch(stdout, /"level":"warn","event":"admin_socket_unavailable","error":"TypeError"/);
  }
  assertDone(await runAdmin(env, ["account", "list"]));
});

Deno.test({
  name: "Commands on PostgreSQL need no server, and report a failed connection",
  ignore: ENGINE !== "postgres",
  async fn() {
    await using place = await createInstallation();
    assertDone(await runAdmin(place.env, CREATE, PASSWORD));
    const DATABASE_URL = "postgres://someone:hunter2@127.0.0.1:1/prs";
    const ended = await runAdmin({ ...place.env, DATABASE_URL }, ["account", "list"]);
    assertEquals([ended.code, ended.stderr], [
      ...[1, "Cannot run the command: the database cannot be reached\n"],
    ]);
  },
});
