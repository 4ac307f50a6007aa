// engines: both
/** The operator's commands as processes: with and without a server. */

import { assertEquals, assertMatch } from "@std/assert";
import { runAdmin } from "../support/admin_process.ts";
import { createInstallation } from "../support/installation.ts";
import { OWNER } from "../support/owner.ts";
import { type Ended, type ServerProcess, startServer } from "../support/server_process.ts";
import { copyTemplate } from "../support/template.ts";
import { callerOf, ENGINE } from "../support/world.ts";

const PASSWORD = "another password that only tests know";
const CREATE = ["account", "create", "--email", "me@example.org", "--name", "Me & my name"];

function onEmbedded(name: string, fn: () => Promise<void>): void {
  Deno.test({ name, fn, ignore: ENGINE !== "embedded" });
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
  const settled = await place.settle();
  await using server = await startServer(place.env);
  const owner = callerOf(server.app, settled);
  const statusOfSession = async () => (await owner.call("GET", "/api/v2/auth/session")).status;
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
  assertEquals(await statusOfSession(), 200);
  await run(["account", "disable", "--email", OWNER.email]);
  assertEquals(await statusOfSession(), 401);

  const { stdout, stderr } = await stop(server);
  for (const text of [...said, stdout, stderr]) {
    assertEquals(/password that only|scrypt\$/.test(text), false, text);
  }
  // The log shows whether the server's socket was used.
  assertEquals(
    stdout.includes('"event":"admin_command","command":"account disable"}\n'),
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
    assertDone(await runAdmin(place.env, ["maintenance", "on"]));
    await using server = await startServer(place.env);
    const { stdout } = await runAdmin(place.env, ["maintenance", "status"]);
    assertMatch(stdout, /^Maintenance is on:/);
    assertMatch((await stop(server)).stdout, /"event":"admin_command"/);
  },
);

onEmbedded("Server whose folder has too long a name for a socket serves without one", async () => {
  await using place = await createInstallation({ untouched: true });
  const DATA_DIR = `${place.dataDir}/${"a long name ".repeat(9)}end`;
  copyTemplate(DATA_DIR);
  const env = { ...place.env, DATA_DIR };
  await using server = await startServer(env);
  const held = await runAdmin(env, ["account", "list"]);
  assertEquals([held.code, held.stderr], [
    ...[1, `The data directory is in use by process ${server.pid}\n`],
  ]);
  const { stdout } = await stop(server);
  assertMatch(stdout, /"level":"warn","event":"admin_socket_unavailable","error":"TypeError"/);
});
