/** Programs inside the packed one, by word. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { RELEASE } from "../../src/database/release.ts";
import { createInstallation } from "../support/installation.ts";
import { ENGINE } from "../support/world.ts";
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

Deno.test("Commands on a folder without an installation create none, and name it", async () => {
  await using place = await createInstallation();
  const dataDir = `${place.dataDir}/mistyped`;
  const env = { ...place.env, DATA_DIR: dataDir };
  // Every program checks the folder before its actions: one command each.
  const commands = [
    ["admin", "account", "list"],
    ["backup"],
    ["verify-backup", `${dataDir}/file`],
    ["verify-audit"],
    ["erase", "run", "--plan", "0".repeat(64), "--into", `${dataDir}/new`, "--reason", "LAW"],
  ];
  for (const words of commands) {
    const { code, stdout, stderr } = await run(env, ...words);
    assertEquals([code, stdout], [1, ""], words.join(" "));
    assertStringIncludes(stderr, `DATA_DIR "${dataDir}" does not exist: `, words.join(" "));
  }
  assertEquals(await Deno.stat(dataDir).then(() => true, () => false), false);
});

Deno.test({
  name: "Commands on a database without an installation create none",
  ignore: ENGINE === "embedded",
  async fn() {
    await using place = await createInstallation({ untouched: true });
    await Deno.mkdir(`${place.dataDir}/objects`, { recursive: true });
    const { code, stdout, stderr } = await run(place.env, "admin", "account", "list");
    assertEquals([code, stdout], [1, ""]);
    assertStringIncludes(stderr, "The database holds no installation: ");
    assertEquals(await place.rows("select to_regclass('accounts') as accounts"), [
      { accounts: null },
    ]);
  },
});

Deno.test({
  name: "A command of root leaves all files to the owner of DATA_DIR",
  ignore: Deno.uid() !== 0,
  async fn() {
    await using place = await createInstallation();
    const owner = 65534;
    await new Deno.Command("chown", { args: ["-R", `${owner}:${owner}`, place.dataDir] }).output();
    const { code, stderr } = await run(place.env, "backup");
    assertEquals([code, stderr], [0, ""]);
    const args = [place.dataDir, "!", "-uid", String(owner)];
    const { stdout } = await new Deno.Command("find", { args }).output();
    assertEquals(new TextDecoder().decode(stdout), "");
  },
});

Deno.test("An unknown word starts nothing", async () => {
  await using place = await createInstallation();
  const { code, stdout, stderr } = await run(place.env, "serve");
  assertEquals([code, stdout], [2, ""]);
  assertStringIncludes(stderr, "Usage:");
});
