// engines: embedded
/** A log whose reader ends, whose disk is full, or whose descriptor is closed. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { ulid } from "@std/ulid";
import { COMMITMENT, COMMITMENTS } from "../http/kernel.ts";
import { createInstallation, type Installation } from "../support/installation.ts";
import { Output, ownEnvironment, PROJECT, taskFlags } from "../support/server_process.ts";
import { callApp, callerOf, type Json, ORIGIN } from "../support/world.ts";

const METRICS_TOKEN = "a-token-that-only-tests-know";

interface LoggingServer extends AsyncDisposable {
  readonly stderr: Output;
  readonly app: { fetch(request: Request): Promise<Response> };
}

/** @param redirection A shell's redirection, such as `>/dev/full`. */
async function startWith({ env }: Installation, redirection: string): Promise<LoggingServer> {
  const flags = taskFlags("start", env.DATA_DIR ?? "", env);
  const child = new Deno.Command("sh", {
    args: ["-c", `exec "$@" ${redirection}`, "sh", Deno.execPath(), "run", ...flags, "main.ts"],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...env, METRICS_TOKEN, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const stderr = new Output(child.stderr);
  const ready = await stderr.until(/is ready at http:\/\/localhost:(\d+)/);
  assert(ready !== null, stderr.text);
  const origin = `http://127.0.0.1:${ready[1]}`;
  return {
    stderr,
    app: { fetch: (request) => fetch(new Request(request.url.replace(ORIGIN, origin), request)) },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await Promise.all([child.status, stderr.ended]);
    },
  };
}

/** Returns the status of a create, and the number of lost lines. */
async function use(
  app: LoggingServer["app"],
  owner: Parameters<typeof callerOf>[1],
): Promise<[status: number, health: number, lost: number]> {
  const body = { title: "A title", payload: COMMITMENT };
  const { status } = await callerOf(app, owner).call("POST", COMMITMENTS, { key: ulid(), body });
  const health = await callApp(app, "GET", "/healthz");
  const headers = { Authorization: `Bearer ${METRICS_TOKEN}` };
  const { text } = await callApp(app, "GET", "/metrics", { headers });
  return [status, health.status, Number(/^log_lines_lost_total (\d+)$/m.exec(text)?.[1])];
}

for (
  const [redirection, reason] of [
    [">/dev/full", "the disk of standard output is full"],
    [">/dev/null 1>&-", null],
  ] as const
) {
  Deno.test(`The service starts and writes with its log at ${redirection}`, async () => {
    await using place = await createInstallation();
    const owner = await place.settle();
    await using server = await startWith(place, redirection);
    const [status, health, lost] = await use(server.app, owner);
    // The system opens /dev/null in place of a closed standard output.
    assertEquals([status, health, lost > 0], [201, 200, reason !== null]);
    if (reason !== null) assertStringIncludes(server.stderr.text, `The log is lost: ${reason}`);
  });
}

Deno.test("A command whose result cannot be written says so, and exits with 1", async () => {
  await using place = await createInstallation();
  const flags = taskFlags("start", place.dataDir, place.env);
  const { code, stderr } = await new Deno.Command("sh", {
    args: [
      "-c",
      'exec "$@" >/dev/full',
      "sh",
      Deno.execPath(),
      "run",
      ...flags,
      "main.ts",
      "admin",
      "account",
      "list",
    ],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...place.env, NO_COLOR: "1" },
  }).output();
  assertEquals([code, new TextDecoder().decode(stderr)], [
    1,
    "The command is done, but its result is lost: the disk of standard output is full\n",
  ]);
});

Deno.test("A log whose reader ends loses its lines, and says so to the next reader", async () => {
  await using place = await createInstallation();
  const owner = await place.settle();
  const pipe = `${place.dataDir}/../log`;
  await new Deno.Command("mkfifo", { args: [pipe] }).output();
  // Open for both, so that it does not wait for the other end.
  const first = await Deno.open(pipe, { read: true, write: true });
  await using server = await startWith(place, `>'${pipe}'`);
  first.close();
  const [status, health, lost] = await use(server.app, owner);
  assertEquals([status, health, lost > 0], [201, 200, true]);
  assertStringIncludes(server.stderr.text, "the program that read standard output has ended");

  using second = await Deno.open(pipe, { read: true, write: true });
  await callApp(server.app, "GET", "/healthz");
  const buffer = new Uint8Array(64 * 1024);
  const text = new TextDecoder().decode(buffer.subarray(0, await second.read(buffer) ?? 0));
  const lines: Json[] = text.trim().split("\n").map((each) => JSON.parse(each));
  const reports = lines.filter(({ event }) => event === "log_lines_lost");
  assertEquals(reports.map(({ lines }) => lines >= lost), [true]);
});
