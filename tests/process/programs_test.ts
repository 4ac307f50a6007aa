/** Programs inside the packed one, by word. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { RELEASE } from "../../src/database/release.ts";
import { createInstallation } from "../support/installation.ts";
import { ownEnvironment, PROJECT, startServer, taskFlags } from "../support/server_process.ts";

interface ProgramEnd {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** `main.ts` with words. */
async function run(
  env: Readonly<Record<string, string>>,
  ...words: string[]
): Promise<ProgramEnd> {
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...taskFlags("start", env.DATA_DIR ?? "./data", env), "main.ts", ...words],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, stdout: text(stdout), stderr: text(stderr) };
}

Deno.test("The word healthcheck succeeds while the service answers at HOST; its first log line has the version", async () => {
  await using place = await createInstallation();
  // Only this address answers.
  const settings = { ...place.env, HOST: "127.0.0.2" };
  const server = await startServer(settings);
  const env = { ...settings, PORT: String(server.port) };
  try {
    assertEquals(await run(env, "healthcheck"), { code: 0, stdout: "", stderr: "" });
  } finally {
    await server[Symbol.asyncDispose]();
  }
  const [first = ""] = (await server.ended).stdout.split("\n");
  const { event, version, schema } = JSON.parse(first);
  assertEquals([event, version, schema], ["starting", RELEASE.version, RELEASE.schema]);
  const gone = await run(env, "healthcheck");
  assertEquals(gone.code, 1);
  assertStringIncludes(gone.stderr, "The service does not answer");
});

Deno.test("The word --version prints the version and the step of the schema", async () => {
  await using place = await createInstallation();
  const stdout = `Personal Records Service ${RELEASE.version}, schema ${RELEASE.schema}\n`;
  assertEquals(await run(place.env, "--version"), { code: 0, stdout, stderr: "" });
});

Deno.test("An unknown word starts nothing", async () => {
  await using place = await createInstallation();
  const { code, stdout, stderr } = await run(place.env, "serve");
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, "Usage:");
});
