/** The conformance suite for authorization servers, whose browser is the owner. */

import { assert, assertEquals } from "@std/assert";
import { freePort } from "../../tests/support/ports.ts";
import { Output } from "../../tests/support/server_process.ts";
import { type Check, collect, find } from "./check.ts";
import type { Owner } from "./owner.ts";
import type { Installed } from "./packages.ts";

const PROGRAM = "node_modules/@modelcontextprotocol/conformance/dist/index.js";

export async function runConformance(
  owner: Owner,
  { folder, node }: Installed,
): Promise<readonly Check[]> {
  const assistant = await owner.lendTo("OTHER", ["http://127.0.0.1/callback"]);
  const { origin } = owner;
  const child = new Deno.Command(node, {
    args: [
      `${folder}/${PROGRAM}`,
      "authorization",
      `--url=${origin}`,
      `--resource=${origin}/mcp`,
      `--client-id=${assistant.clientId}`,
      `--port=${freePort()}`,
    ],
    cwd: folder,
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const output = new Output(child.stdout);
  return await collect(async (check) => {
    await check("passes its suite of an authorization server", async () => {
      const authorizationUrl = await find(output, /^http\S+\/oauth\/authorize\?\S+$/m);
      const callback = await assistant.decide(authorizationUrl, "ALLOW");
      await (await fetch(callback)).body?.cancel();
      const { code } = await child.status;
      await output.ended;
      assertEquals(code, 0, output.text);
      assert(output.text.includes("Total: 2 passed, 0 failed"), output.text);
    });
  });
}
