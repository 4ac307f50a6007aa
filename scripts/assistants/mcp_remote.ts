/** `mcp-remote`, which brings the service to programs that only start commands. */

import { assertEquals } from "@std/assert";
import type { Json } from "../../tests/support/world.ts";
import { Output } from "../../tests/support/server_process.ts";
import { type Check, collect, find } from "./check.ts";
import type { Owner, SigningIn } from "./owner.ts";
import type { Installed } from "./packages.ts";

const PROGRAM = "node_modules/mcp-remote/dist/proxy.js";
const AUTHORIZATION_URL = /visiting:\s+(\S+)\s/;

export async function runRemote(owner: Owner, installed: Installed): Promise<readonly Check[]> {
  const assistant = await owner.lendTo("OTHER", ["http://localhost/oauth/callback"]);
  const remote = startRemote(owner.origin, installed, assistant.clientId);
  try {
    return await collect(async (check) => {
      await check("is refused, finds the sign-in, gets a code and exchanges it", async () => {
        const [initialized] = await Promise.all([
          remote.call("initialize", {
            protocolVersion: "2025-11-25",
            capabilities: {},
            clientInfo: { name: "program", version: "1" },
          }),
          allow(remote.stderr, assistant),
        ]);
        assertEquals(initialized.result.serverInfo.name, "personal-records");
      });
      await check("calls a tool", async () => assertEquals(await remote.list(), 2));
      await check("refreshes for five calls at once", async () => {
        const { refresh_token } = await remote.expire();
        const counts = await Promise.all(Array.from({ length: 5 }, () => remote.list()));
        assertEquals(counts, [2, 2, 2, 2, 2]);
        assertEquals((await remote.tokens()).refresh_token === refresh_token, false);
      });
      await check("is refused after the end of the assistant, and says so", async () => {
        await assistant.revoke();
        const answered = remote.list().then(() => "a list", (error: Error) => error.message);
        const asked = remote.stderr.until(new RegExp(`${AUTHORIZATION_URL.source}[^]*visiting:`));
        assertEquals(await Promise.race([answered, asked.then(() => "a sign-in")]), "a sign-in");
      });
    });
  } finally {
    await remote.end();
  }
}

async function allow(stderr: Output, assistant: SigningIn): Promise<void> {
  const authorizationUrl = await find(stderr, AUTHORIZATION_URL);
  await find(stderr, /Waiting for authorization/);
  const callback = await assistant.decide(authorizationUrl, "ALLOW");
  await (await fetch(callback)).body?.cancel();
}

/** Speaks JSON-RPC by lines. */
function startRemote(origin: string, { folder, node }: Installed, clientId: string) {
  const config = `${folder}/mcp-remote`;
  const args = [
    `${origin}/mcp`,
    "--static-oauth-client-info",
    JSON.stringify({ client_id: clientId }),
  ];
  const child = new Deno.Command(node, {
    args: [`${folder}/${PROGRAM}`, ...args],
    // Without a path and a display it opens no browser.
    clearEnv: true,
    env: { HOME: folder, PATH: "", MCP_REMOTE_CONFIG_DIR: config },
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const stdout = new Output(child.stdout);
  const stderr = new Output(child.stderr);
  const writer = child.stdin.getWriter();
  let calls = 0;

  async function call(method: string, params: Json): Promise<Json> {
    const id = ++calls;
    const message = `${JSON.stringify({ jsonrpc: "2.0", id, method, params })}\n`;
    await writer.write(new TextEncoder().encode(message));
    const answer = JSON.parse(await find(stdout, new RegExp(`^.*"id":${id}[,}].*$`, "m")));
    if (answer.error !== undefined) throw new Error(answer.error.message);
    return answer;
  }

  const tokensFile = async () => {
    for await (const { name } of Deno.readDir(config)) {
      for await (const file of Deno.readDir(`${config}/${name}`)) {
        if (file.name.endsWith("_tokens.json")) return `${config}/${name}/${file.name}`;
      }
    }
    throw new Error("There are no tokens");
  };
  const tokens = async (): Promise<Json> => JSON.parse(await Deno.readTextFile(await tokensFile()));

  return {
    stderr,
    call,
    tokens,
    /** Returns the number of records. */
    async list(): Promise<number> {
      const params = { name: "list_records", arguments: { moduleCode: "commitment" } };
      return (await call("tools/call", params)).result.structuredContent.items.length;
    },
    /** Makes the stored tokens look old, and returns them. */
    async expire(): Promise<Json> {
      const stored = await tokens();
      await Deno.writeTextFile(await tokensFile(), JSON.stringify({ ...stored, expires_at: 1 }));
      return stored;
    },
    async end(): Promise<void> {
      child.kill("SIGKILL");
      await Promise.all([child.status, stdout.ended, stderr.ended]);
    },
  };
}
