/** Real processes of the programs around a backup, started with the permissions of their tasks. */

import { assertEquals, assertMatch } from "@std/assert";
import { uploaded } from "./attachments.ts";
import {
  type Ended,
  ownEnvironment,
  PROJECT,
  type ServerProcess,
  taskFlags,
} from "./server_process.ts";
import { copyEmbeddedTemplate } from "./template.ts";
import { type Caller, callerOf, type TestResponse } from "./world.ts";

/** The names of programs in `deno task`, and the words that start them. */
const PROGRAMS = {
  backup: "backup",
  restore: "restore",
  "backup:verify": "verify-backup",
  "audit:verify": "verify-audit",
} as const;

/** Runs one of the programs to its end. */
export async function runBackupTask(
  task: keyof typeof PROGRAMS,
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ended> {
  const flags = taskFlags(task, env.DATA_DIR ?? "./data", env);
  const { code, signal, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", ...flags, "main.ts", PROGRAMS[task], ...words],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, signal, stdout: text(stdout), stderr: text(stderr) };
}

/** The records of the tests. */
export const RECORDS = "/api/v2/records/commitment";
/** The body of such a record. */
export const PROMISE = {
  title: "A promise",
  payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
};

/** A data folder for the embedded engine. */
export interface Place extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly dataDir: string;
}

/**
 * Makes a temporary data folder. It contains the schema, as in an installation, unless it is `untouched`.
 */
export async function embeddedPlace({ untouched = false } = {}): Promise<Place> {
  const dataDir = await Deno.makeTempDir({ prefix: "prs-embedded-" });
  if (!untouched) copyEmbeddedTemplate(dataDir);
  return {
    dataDir,
    env: { PORT: "0", DATA_DIR: dataDir },
    [Symbol.asyncDispose]: () => Deno.remove(dataDir, { recursive: true }),
  };
}

/** Asserts that a program succeeded without a warning. */
export function assertDone({ code, stderr }: Ended): void {
  assertEquals([code, stderr], [0, ""]);
}

/** Stops a server in good order. */
export async function stop(server: ServerProcess): Promise<void> {
  server.kill("SIGTERM");
  const { code, stderr } = await server.ended;
  assertEquals(code, 0, stderr);
}

/** Backs an installation up, and returns the file. */
export async function backUp({ env }: Pick<Place, "env">, ...words: string[]): Promise<string> {
  const ended = await runBackupTask("backup", env, ...words);
  assertDone(ended);
  const [path = "", described] = ended.stdout.split("\n");
  assertMatch(described ?? "", /^\d+ rows and \d+ files \(\d+ bytes\), as they were at 2\S+Z$/);
  return path;
}

/** Restores another installation's file, from a place that this one may read. */
export async function restore(place: Place, file: string, ...words: string[]): Promise<Ended> {
  await Deno.mkdir(place.dataDir, { recursive: true });
  const path = `${place.dataDir}/from-elsewhere`;
  await Deno.copyFile(file, path);
  const ended = await runBackupTask("restore", place.env, path, ...words);
  assertDone(ended);
  return ended;
}

/** Makes an account with a record of the key `one` and an attachment. */
export async function fill(server: ServerProcess): Promise<Caller> {
  const caller = await server.setUp();
  const created = await caller.call("POST", RECORDS, { key: "one", body: PROMISE });
  assertEquals(created.status, 201, created.text);
  await uploaded(caller, "some bytes");
  return caller;
}

/** Signs in as the account that `fill` makes. */
export async function signIn(server: ServerProcess): Promise<Caller> {
  const response: TestResponse = await server.call("POST", "/api/v2/auth/login", {
    body: {
      email: "owner@example.org",
      password: "a password that only tests know",
      transport: "bearer",
    },
  });
  assertEquals(response.status, 200, response.text);
  const { account, session, accessToken } = response.body.data;
  return callerOf(server.app, { ...account, ...session, secret: accessToken });
}
