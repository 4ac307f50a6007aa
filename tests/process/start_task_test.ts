// engines: embedded
import { assert, assertEquals } from "@std/assert";
import { createInstallation } from "../support/installation.ts";
import { Output, ownEnvironment, PROJECT } from "../support/server_process.ts";
import { runTask } from "../support/task_process.ts";

Deno.test("Start task serves with its flags, and forwards SIGTERM", async () => {
  await using place = await createInstallation();
  await using task = new Deno.Command(Deno.execPath(), {
    args: ["task", "start"],
    cwd: PROJECT,
    clearEnv: true,
    // The driver would use PG variables.
    env: {
      ...ownEnvironment(),
      ...place.env,
      NO_COLOR: "1",
      PGDATABASE: "elsewhere",
      PGDEBUG: "1",
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const [stdout, stderr] = [new Output(task.stdout), new Output(task.stderr)];
  const listening = await stdout.until(/"event":"listening".*"port":(\d+)/);
  assert(listening !== null, "the task has ended");
  const response = await fetch(`http://127.0.0.1:${listening[1]}/api/v2/auth/session`);
  await response.body?.cancel();
  assertEquals(response.status, 401);
  assertEquals(await netOf(place.dataDir), [
    `--allow-net=127.0.0.1,unix:${place.dataDir}/admin.sock,unix:${place.dataDir}/admin.new/s`,
  ]);
  task.kill("SIGTERM");
  assertEquals((await task.status).code, 0);
  await Promise.all([stdout.ended, stderr.ended]);
  // Deno's line, then the service's.
  const [first, second = ""] = stderr.text.split("\n");
  assertEquals(first, "Task start deno task --quiet run");
  assert(!/^Task|deno run/.test(second), second);
  const names = await Array.fromAsync(Deno.readDir(place.dataDir), (entry) => entry.name);
  assertEquals(names.includes("objects"), true);
});

Deno.test("Start task ends with the exit code of the service", async () => {
  await using place = await createInstallation();
  const { code } = await runTask({ ...place.env, PORT: "http" }, "start", []);
  assertEquals(code, 78);
});

/** Reads the process's command line. */
async function netOf(dataDir: string): Promise<string[]> {
  const list =
    'for file in /proc/[0-9]*/cmdline; do tr "\\0" "\\t" <"$file"; echo; done 2>/dev/null';
  const { stdout } = await new Deno.Command("sh", { args: ["-c", list] }).output();
  const commands = new TextDecoder().decode(stdout).split("\n").map((line) => line.split("\t"));
  const service = commands.find((words) =>
    words.includes("main.ts") && words.includes(`--allow-write=${dataDir}`)
  );
  return service?.filter((word) => word.startsWith("--allow-net")) ?? [];
}
