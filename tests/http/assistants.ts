/** Fixtures of the suites about assistants: a world with them, credentials, messages. */

import { assertEquals } from "@std/assert";
import { proofOf } from "../support/tokens.ts";
import {
  type Caller,
  callerOf,
  type Json,
  type TestResponse,
  type World,
} from "../support/world.ts";

export const ASSISTANTS = "/api/v2/auth/assistants";
export const PROPOSALS = "/api/v2/proposals";
export const NEWEST = "2026-07-28";
export const LIMITS = {
  callsPerMinute: 100_000,
  callsPerDay: 1_000_000,
  recordsPerDay: 1_000_000,
  registration: false,
};

/** An assistant and its way to call the service. */
export interface TestAssistant {
  readonly id: string;
  readonly token: string;
  readonly caller: Caller;
  /** Sends a message of an older revision and returns its result, or fails the test. */
  call(tool: string, args?: Json): Promise<Json>;
}

export async function askForAssistant(
  world: Pick<World, "database" | "now">,
  caller: Caller,
  body: Json,
): Promise<TestResponse> {
  return await caller.call("POST", ASSISTANTS, {
    body: { name: "Helper", ...body },
    headers: await proofOf(world, caller, "TOKEN_CREATE"),
  });
}

export async function createAssistant(
  world: Pick<World, "database" | "now" | "app">,
  owner: Caller,
  body: Json,
): Promise<TestAssistant> {
  const response = await askForAssistant(world, owner, body);
  assertEquals(response.status, 201, response.text);
  const { assistantId: id, token } = response.body.data;
  const caller = callerOf(world.app, { ...owner, secret: token });
  return {
    id,
    token,
    caller,
    async call(tool, args = {}) {
      const { body } = await send(caller, "tools/call", { name: tool, arguments: args });
      return body.result ?? body.error;
    },
  };
}

let last = 0;

/** Sends a message of an older revision. */
export function send(caller: Caller, method: string, params?: Json): Promise<TestResponse> {
  const body = { jsonrpc: "2.0", id: ++last, method, ...(params !== undefined && { params }) };
  return caller.call("POST", "/mcp", { body });
}

/** Sends a message of the newest revision, with its headers; both can be changed. */
export function sendNewest(
  caller: Caller,
  method: string,
  params: Json = {},
  headers: Record<string, string | undefined> = {},
): Promise<TestResponse> {
  const _meta = {
    "io.modelcontextprotocol/protocolVersion": NEWEST,
    "io.modelcontextprotocol/clientCapabilities": {},
  };
  const all = {
    "MCP-Protocol-Version": NEWEST,
    "Mcp-Method": method,
    ...(method === "tools/call" && { "Mcp-Name": params.name }),
    ...headers,
  };
  return caller.call("POST", "/mcp", {
    body: { jsonrpc: "2.0", id: "x", method, params: { _meta, ...params } },
    headers: Object.fromEntries(
      Object.entries(all).filter((entry): entry is [string, string] => entry[1] !== undefined),
    ),
  });
}

export function decide(
  owner: Caller,
  proposalId: string,
  how: "accept" | "reject",
  key?: string,
): Promise<TestResponse> {
  return owner.call("POST", `${PROPOSALS}/${proposalId}/${how}`, {
    key: key ?? crypto.randomUUID(),
  });
}

/** The refusal of a tool. */
export function refusal(result: Json): Json {
  assertEquals(result.isError, true, JSON.stringify(result));
  assertEquals(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent.error;
}

/** The content of a tool's answer. */
export function contentOf(result: Json): Json {
  assertEquals(result.isError, undefined, JSON.stringify(result));
  assertEquals(JSON.parse(result.content[0].text), result.structuredContent);
  return result.structuredContent;
}
