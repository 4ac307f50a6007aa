/** The admin command as a process, with the permissions of `deno task admin`. */

import { type Ended, ownEnvironment, PROJECT, taskFlags } from "./server_process.ts";

export interface AdminProcess {
  readonly ended: Promise<Ended>;
  kill(): void;
}

/** `input` is standard input. */
export async function runAdmin(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  input = "",
): Promise<Ended> {
  return await startAdmin(env, words, input).ended;
}

/** Starts a command that the test can kill. */
export function startAdmin(
  env: Readonly<Record<string, string>>,
  words: readonly string[],
  input = "",
): AdminProcess {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      ...taskFlags("admin", env.DATA_DIR ?? "./data", env),
      "main.ts",
      "admin",
      ...words,
    ],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...env, NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const end = async () => {
    const [{ code, signal, stdout, stderr }] = await Promise.all([
      child.output(),
      sendInput(child.stdin, input),
    ]);
    const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
    return { code, signal, stdout: text(stdout), stderr: text(stderr) };
  };
  return { ended: end(), kill: () => child.kill("SIGKILL") };
}

async function sendInput(stdin: WritableStream<Uint8Array>, input: string): Promise<void> {
  const writer = stdin.getWriter();
  try {
    await writer.write(new TextEncoder().encode(input));
    await writer.close();
  } catch (error) {
    // A rejected command does not read it.
    if (!(error instanceof Deno.errors.BrokenPipe)) throw error;
  }
}
