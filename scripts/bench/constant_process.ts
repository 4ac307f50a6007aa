import { linesOf } from "./lines.ts";
import { end } from "./service_process.ts";

interface ConstantProcess extends AsyncDisposable {
  readonly port: number;
}

export async function startConstantProcess(body: string): Promise<ConstantProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      "run",
      "--no-prompt",
      "--allow-net=127.0.0.1",
      new URL("./constant_server.ts", import.meta.url).pathname,
      body,
    ],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const { value } = await linesOf(child.stdout).next();
  return { port: Number(value), [Symbol.asyncDispose]: () => end(child) };
}
