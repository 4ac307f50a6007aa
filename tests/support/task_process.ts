/** Tasks of `deno.json` as processes, as an operator types them. */

import { type Ended, ownEnvironment, PROJECT } from "./server_process.ts";

export async function runTask(
  env: Readonly<Record<string, string>>,
  task: string,
  words: readonly string[],
): Promise<Ended> {
  const { code, signal, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", task, ...words],
    cwd: PROJECT,
    clearEnv: true,
    env: { ...ownEnvironment(), ...env, NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, signal, stdout: text(stdout), stderr: text(stderr) };
}
