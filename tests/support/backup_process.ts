/** The programs around a backup as processes, with the permissions of their tasks. */

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

/** Programs of `deno task` by command word. */
const PROGRAMS = {
  backup: "backup",
  restore: "restore",
  "backup:verify": "verify-backup",
  "backup:keygen": "backup-keygen",
  "audit:verify": "verify-audit",
} as const;

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

export const RECORDS = "/api/v2/records/commitment";
export const PROMISE = {
  title: "A promise",
  payload: { commitmentType: "OUTGOING", content: "Call home", completionStatus: "OPEN" },
};

export interface Place extends AsyncDisposable {
  readonly env: Readonly<Record<string, string>>;
  readonly dataDir: string;
}

/** A temporary folder with the schema. */
export async function embeddedPlace(): Promise<Place> {
  const dataDir = await Deno.makeTempDir({ prefix: "prs-embedded-" });
  copyEmbeddedTemplate(dataDir);
  return {
    dataDir,
    env: { PORT: "0", DATA_DIR: dataDir },
    [Symbol.asyncDispose]: () => Deno.remove(dataDir, { recursive: true }),
  };
}

/** Asserts success without a warning. */
export function assertDone({ code, stderr }: Ended): void {
  assertEquals([code, stderr], [0, ""]);
}

export async function stop(server: ServerProcess): Promise<void> {
  server.kill("SIGTERM");
  const { code, stderr } = await server.ended;
  assertEquals(code, 0, stderr);
}

/** Returns the file. */
export async function backUp({ env }: Pick<Place, "env">, ...words: string[]): Promise<string> {
  const ended = await runBackupTask("backup", env, ...words);
  assertDone(ended);
  const [path = "", described] = ended.stdout.split("\n");
  assertMatch(described ?? "", /^\d+ rows and \d+ files \(\d+ bytes\), as they were at 2\S+Z$/);
  return path;
}

/** Restores a file of another installation. */
export async function restore(place: Place, file: string, ...words: string[]): Promise<Ended> {
  await Deno.mkdir(place.dataDir, { recursive: true });
  const path = `${place.dataDir}/from-elsewhere`;
  await Deno.copyFile(file, path);
  const ended = await runBackupTask("restore", place.env, path, ...words);
  assertDone(ended);
  return ended;
}

/** Adds an attachment, and a record of key `one`. */
export async function fill(caller: Caller): Promise<void> {
  const created = await caller.call("POST", RECORDS, { key: "one", body: PROMISE });
  assertEquals(created.status, 201, created.text);
  await uploaded(caller, "some bytes");
}

/** Signs in as the account of `fill`. */
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
