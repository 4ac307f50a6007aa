/** Runs a script of this folder, in a process of its own, with an owner whom it asks by HTTP. */

import type { Check } from "./check.ts";
import type { Owner, SigningIn } from "./owner.ts";
import type { Installed } from "./packages.ts";

interface Script {
  readonly name: string;
  readonly args: readonly string[];
  /** True for a program that registers, and so shares a client id. */
  readonly registers?: boolean;
}

export async function runScript(
  { origin }: Owner,
  { folder, node }: Installed,
  assistant: SigningIn,
  { name, args, registers = false }: Script,
): Promise<readonly Check[]> {
  await using listener = Deno.serve(
    { hostname: "127.0.0.1", port: 0, onListen() {} },
    (request) => answer(request, assistant),
  );
  const owner = `http://127.0.0.1:${listener.addr.port}`;
  const { stdout, stderr, success } = await new Deno.Command(node, {
    args: [`${folder}/${name}`, origin, owner, registers ? "" : assistant.clientId, ...args],
    cwd: folder,
    stdin: "null",
    signal: AbortSignal.timeout(120_000),
  }).output();
  const lines = new TextDecoder().decode(stdout).split("\n").filter((line) => line.startsWith("{"));
  const checks: Check[] = lines.map((line) => JSON.parse(line));
  if (success || checks.some(({ passed }) => !passed)) return checks;
  const reason = new TextDecoder().decode(stderr).slice(-500);
  return [...checks, { name: "ends by itself", passed: false, reason }];
}

async function answer(request: Request, assistant: SigningIn): Promise<Response> {
  const decision = new URL(request.url).pathname.slice(1);
  try {
    if (decision === "ALLOW" || decision === "DENY") {
      return new Response(await assistant.decide(await request.text(), decision));
    }
    await assistant.revoke();
    return new Response("");
  } catch (error) {
    return new Response(String(error), { status: 500 });
  }
}
