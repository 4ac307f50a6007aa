/** Fixtures of the suites about assistants that sign in: assistants, requests, decisions. */

import { assertEquals } from "@std/assert";
import type { Caller, Json, TestResponse, World } from "../support/world.ts";
import { askForAssistant } from "./assistants.ts";

export const AUTHORIZATION = "/api/v2/auth/authorization";
/** A callback of Claude. */
export const CALLBACK = "https://claude.ai/api/mcp/auth_callback";
export const CHALLENGE = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM";

/** Creates an assistant, by default of Claude, and returns its public form. */
export async function createSigningIn(
  world: Pick<World, "database" | "now">,
  owner: Caller,
  signIn: Json = { program: "CLAUDE" },
): Promise<Json> {
  const response = await askForAssistant(world, owner, { modules: ["commitment"], signIn });
  assertEquals(response.status, 201, response.text);
  return response.body.data;
}

/** The query with which a program opens the page; undefined removes a parameter. */
export function requestOf(
  client: string,
  more: Readonly<Record<string, string | undefined>> = {},
): string {
  const parameters = {
    response_type: "code",
    client_id: client,
    redirect_uri: CALLBACK,
    code_challenge: CHALLENGE,
    code_challenge_method: "S256",
    state: "a state",
    ...more,
  };
  const stated = Object.entries(parameters)
    .filter((entry): entry is [string, string] => entry[1] !== undefined);
  return new URLSearchParams(stated).toString();
}

export function readRequest(owner: Caller, request: string): Promise<TestResponse> {
  return owner.call("POST", `${AUTHORIZATION}/read`, { body: { request } });
}

/** Denies, or allows the assistant. */
export function decideRequest(
  owner: Caller,
  request: string,
  assistantId?: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  const decision = assistantId === undefined
    ? { decision: "DENY" }
    : { decision: "ALLOW", assistantId };
  return owner.call("POST", `${AUTHORIZATION}/decide`, { body: { request, ...decision }, headers });
}

/** The parameters that the program receives; the request must be decided. */
export function answerOf({ status, body, text }: TestResponse): Json {
  assertEquals(status, 200, text);
  return Object.fromEntries(new URL(body.data.redirectTo).searchParams);
}
