/** Real processes of `deno task erase`. */

import { type Ended, ownEnvironment, PROJECT, taskFlags } from "./server_process.ts";

type Env = Readonly<Record<string, string>>;

/** Runs the program to its end, or kills it after some milliseconds. */
export async function runErase(
  env: Env,
  words: readonly string[],
  killAfter?: number,
): Promise<Ended> {
  const into = words[words.indexOf("--into") + 1] ?? "";
  const flags = taskFlags("backup", env.DATA_DIR ?? "", env).map((flag) =>
    words.includes("--into") && /^--allow-(?:read|write)=/.test(flag) ? `${flag},${into}` : flag
  );
  return await runDeno(["run", ...flags, "main.ts", "erase", ...words], env, killAfter);
}

/** Runs the task itself, with the permissions that it gives. */
export async function runEraseTask(env: Env, ...words: readonly string[]): Promise<Ended> {
  return await runDeno(["task", "--quiet", "erase", ...words], env);
}

async function runDeno(args: string[], env: Env, killAfter?: number): Promise<Ended> {
  const child = new Deno.Command(Deno.execPath(), {
    args,
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...env, NO_COLOR: "1" },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const timer = killAfter === undefined
    ? undefined
    : setTimeout(() => child.kill("SIGKILL"), killAfter);
  const { code, signal, stdout, stderr } = await child.output();
  clearTimeout(timer);
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, signal, stdout: text(stdout), stderr: text(stderr) };
}
