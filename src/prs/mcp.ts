/** `mcp`: an assistant's messages, a line each, forwarded to the service. */

import { Client, Unreachable } from "../client/mod.ts";
import { parse, refusalOf } from "../client/sender.ts";
import { CommandError, EXIT, UsageError } from "./failures.ts";
import { readConfig, readIfPrivate } from "./folders.ts";
import type { Input } from "./options.ts";
import { print, readLine } from "./terminal.ts";

const REVISION = "io.modelcontextprotocol/protocolVersion";

/** Forwards each line of standard input, and prints each answer. */
export async function mcp(input: Input): Promise<void> {
  const file = input.option("--token-file");
  if (file === null) throw new UsageError("--token-file: required");
  const secret = (await readIfPrivate(file))?.trim();
  if (!secret || !/^[\x21-\x7e]+$/.test(secret)) {
    throw new CommandError("--token-file: holds no token", EXIT.signIn);
  }
  const { origin } = await readConfig();
  // Checks the origin.
  new Client({ origin });
  for (let line = await readLine(); line !== null; line = await readLine()) {
    if (line.trim() !== "") await forward(`${new URL(origin).origin}/mcp`, secret, line);
  }
}

async function forward(url: string, secret: string, line: string): Promise<void> {
  const headers = { ...headersOf(line), "Content-Type": "application/json" };
  const { status, text } = await fetch(url, {
    method: "POST",
    headers: { ...headers, Authorization: `Bearer ${secret}` },
    body: line,
    redirect: "manual",
  }).then(
    async (response) => ({ status: response.status, text: await response.text() }),
    (error) => {
      throw new Unreachable(error);
    },
  );
  const answer = parse(text);
  // JSON-RPC has failures of its own, also with a status of HTTP.
  if (answer?.jsonrpc !== undefined) return print(JSON.stringify(answer));
  if (status === 202) return;
  throw await refusalOf(new Response(text || null, { status }));
}

/** The headers that the newest revision of the protocol requires in addition to the message. */
function headersOf(line: string): Record<string, string> {
  const { method, params } = parse(line) ?? {};
  const revision = params?._meta?.[REVISION];
  const all = {
    "MCP-Protocol-Version": revision,
    ...revision !== undefined && { "Mcp-Method": method, "Mcp-Name": params.name },
  };
  const isSendable = (value: unknown) => typeof value === "string" && /^[\x21-\x7e]+$/.test(value);
  return Object.fromEntries(Object.entries(all).filter(([, value]) => isSendable(value)));
}
