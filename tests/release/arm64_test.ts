// engines: postgres
/**
 * The source on arm64, by npm's `@deno/linux-arm64-glibc`, whose program `DENO_ARM64` names, under
 * Debian's `qemu-user-static`, with `libc6-arm64-cross` and `libgcc-s1-arm64-cross`. Ignored
 * without them.
 *
 * The database is a PostgreSQL of this machine: emulated, the built-in engine does not start within
 * minutes.
 */

import { assert, assertEquals } from "@std/assert";
import { RELEASE } from "../../src/database/release.ts";
import { createInstallation } from "../support/installation.ts";
import { readRecord, readVersion, setUpBy, writeRecord } from "../support/kept_record.ts";
import { freePort } from "../support/ports.ts";
import { findProgram } from "../support/programs.ts";
import { Output, ownEnvironment, PROJECT, taskFlags } from "../support/server_process.ts";

const DENO = Deno.env.get("DENO_ARM64");
const QEMU = findProgram("qemu-aarch64-static");
const EMULATED = ["-L", "/usr/aarch64-linux-gnu", DENO ?? ""];
const ignore = DENO === undefined || QEMU === undefined;

/**
 * Rooms whose unit tests start no process, which an emulated one cannot, and end within two
 * minutes: digests, encryption, passwords, writes, records.
 */
const ROOMS = [
  "accounts",
  "command",
  "due/calendar_test.ts",
  "errors",
  "operator/backup/age",
  "records",
  "std",
  "v1",
];

function emulate(args: readonly string[], env: Record<string, string> = {}): Deno.ChildProcess {
  return new Deno.Command(QEMU ?? "", {
    args: [...EMULATED, ...args],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
}

Deno.test({
  name: "Unit tests pass on arm64",
  ignore,
  async fn() {
    const child = emulate([
      "test",
      "--no-check",
      "--no-prompt",
      "--quiet",
      "--allow-all",
      ...ROOMS.map((room) => `tests/unit/${room}`),
    ]);
    const said = new Output(child.stderr);
    const { success } = await child.status;
    await said.ended;
    assert(success, said.text);
  },
});

Deno.test({
  name: "A record survives kill -9 on arm64",
  ignore,
  async fn() {
    await using place = await createInstallation({ untouched: true });
    const port = freePort();
    const env = { ...place.env, PORT: String(port) };
    const start = async (until: RegExp) => {
      const child = emulate([
        "run",
        "--no-check",
        ...taskFlags("start", place.dataDir, env),
        "main.ts",
      ], env);
      const stderr = new Output(child.stderr);
      assert(await stderr.until(until) !== null, stderr.text);
      return { child, stderr };
    };
    const kill = async ({ child, stderr }: Awaited<ReturnType<typeof start>>) => {
      child.kill("SIGKILL");
      await Promise.all([child.status, stderr.ended]);
    };
    const first = await start(/"setupToken"[^]*\n/);
    const token = await setUpBy(port, first.stderr.text);
    const path = await writeRecord(port, token);
    const record = await readRecord(port, token, path);
    await kill(first);
    const second = await start(/is ready at/);
    assertEquals(await readRecord(port, token, path), record);
    assertEquals(await readVersion(port), RELEASE);
    await kill(second);
  },
});
