import { assert, assertEquals } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { Output, ownEnvironment, PROJECT } from "../support/server_process.ts";

Deno.test("Start task serves as its flags allow and passes SIGTERM on", async () => {
  await using place = await createInstallation();
  await using task = new Deno.Command(Deno.execPath(), {
    args: ["task", "start"],
    cwd: PROJECT,
    clearEnv: true,
    // The driver would take its defaults from PG variables, if it could see them.
    env: { ...ownEnvironment(), ...place.env, PGDATABASE: "elsewhere", PGDEBUG: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const stdout = new Output(task.stdout);
  const listening = await stdout.until(/"event":"listening".*"port":(\d+)/);
  assert(listening !== null, "the task has ended");
  const answer = await fetch(`http://127.0.0.1:${listening[1]}/api/v2/auth/session`);
  await answer.body?.cancel();
  assertEquals(answer.status, 401);
  task.kill("SIGTERM");
  assertEquals((await task.status).code, 0);
  await stdout.ended;
  const names = await Array.fromAsync(Deno.readDir(place.dataDir), (entry) => entry.name);
  assertEquals(names.includes("objects"), true);
});
