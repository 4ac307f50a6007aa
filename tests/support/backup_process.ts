/** Real processes of the three backup programs, started with the permissions of their tasks. */

import { type Ended, ownEnvironment, PROJECT, taskFlags } from "./server_process.ts";

/** What `deno task` calls a program, and the word that it is started with. */
const PROGRAMS = {
  backup: "backup",
  restore: "restore",
  "backup:verify": "verify-backup",
} as const;

/** Runs one of the programs to its end. */
export async function runBackupTask(
  task: keyof typeof PROGRAMS,
  env: Readonly<Record<string, string>>,
  ...words: readonly string[]
): Promise<Ended> {
  const flags = taskFlags(task, env.DATA_DIR ?? "./data");
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
