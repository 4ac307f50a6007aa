// engines: embedded
/** The operator's commands as processes: with and without a server, and after kill -9. */

import { assertEquals, assertMatch } from "@std/assert";
import { runAdmin } from "../support/admin_process.ts";
import { createInstallation } from "../support/installation.ts";
import { OWNER } from "../support/owner.ts";
import { type Ended, type ServerProcess, startServer } from "../support/server_process.ts";
import { callerOf, ENGINE } from "../support/world.ts";

const PASSWORD = "another password that only tests know";
const CREATE = ["account", "create", "--email", "me@example.org", "--name", "Me & my name"];

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

Deno.test("Commands take effect at a running server's next request, and beside a killed one", async () => {
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

  server.kill("SIGKILL");
  const { stdout, stderr } = await server.ended;
  for (const text of [...said, stdout, stderr]) {
    assertEquals(/password that only|scrypt\$/.test(text), false, text);
  }
  // The log shows whether the server's socket was used.
  const used = ENGINE === "embedded";
  assertEquals(stdout.includes('"event":"admin_command","command":"account disable"}\n'), used);
  assertEquals(await exists(socket), used);
  // The socket file does not prevent opening the database; the next start replaces it.
  await run(["maintenance", "on"]);
  await using next = await startServer(place.env);
  assertMatch(await run(["maintenance", "status"]), /^Maintenance is on:/);
  assertEquals((await stop(next)).stdout.includes('"event":"admin_command"'), used);
  for (const name of ["admin.sock", "admin.new"]) {
    assertEquals(await exists(`${place.dataDir}/${name}`), false, name);
  }
});
