/** The operator's commands on a pseudo-terminal, with util-linux's `script`. */

import type { Installation } from "./installation.ts";
import { Output, ownEnvironment, PROJECT, taskFlags } from "./server_process.ts";

/** Whether `script` can make pseudo-terminals. */
export async function hasTerminals(): Promise<boolean> {
  try {
    const { stdout } = await new Deno.Command("script", { args: ["--version"] }).output();
    return new TextDecoder().decode(stdout).includes("util-linux");
  } catch {
    return false;
  }
}

/** Prints `pid=…`, then `code=…` and the output. */
export interface Terminal extends AsyncDisposable {
  readonly output: Output;
  type(keys: string): Promise<void>;
}

export function openTerminal(
  { env, dataDir }: Pick<Installation, "env" | "dataDir">,
  words: readonly string[],
): Terminal {
  const program = [Deno.execPath(), "run", ...taskFlags("admin", dataDir, env), "main.ts", "admin"];
  const command = [...program, ...words].map((word) => `'${word}'`).join(" ");
  const run = `sh -c 'echo "pid=$$"; exec "$@"' sh ${command}`;
  const child = new Deno.Command("script", {
    args: ["-qc", `trap : INT; ${run}; echo "code=$?"; stty -a`, "/dev/null"],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...env, SHELL: "/bin/sh", NO_COLOR: "1" },
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const writer = child.stdin.getWriter();
  const output = new Output(child.stdout);
  return {
    output,
    type: (keys) => writer.write(new TextEncoder().encode(keys)),
    async [Symbol.asyncDispose]() {
      await writer.close();
      await child.status;
      await output.ended;
    },
  };
}
