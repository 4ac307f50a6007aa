/** Exports of whole accounts. */

import { ulid } from "@std/ulid";
import { readCommand } from "../../src/operator/admin/command.ts";
import { runAdminCommand } from "../../src/operator/admin/run.ts";
import { emailOf, servicesOf } from "../storage/operator.ts";
import { proofOf } from "../support/tokens.ts";
import { type Caller, type Json, ORIGIN, type TestResponse, type World } from "../support/world.ts";

export const ACCOUNT_EXPORTS = "/api/v2/account/exports";

/** Sends a proof and a key. */
export async function askForExport(
  world: World,
  caller: Caller,
  key: string = ulid(),
): Promise<TestResponse> {
  const headers = await proofOf(world, caller, "ACCOUNT_EXPORT");
  return await caller.call("POST", ACCOUNT_EXPORTS, { body: {}, key, headers });
}

export interface Exported {
  readonly description: Json;
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

/** Fails the test if the request fails. */
export async function exportAccount(world: World, caller: Caller): Promise<Exported> {
  const made = await askForExport(world, caller);
  if (made.status !== 201) throw new Error(`The export was refused: ${made.text}`);
  const response = await fetchContent(world, caller, made.body.data.exportId);
  return {
    description: made.body.data,
    bytes: await response.bytes(),
    headers: response.headers,
  };
}

export function fetchContent(
  world: { readonly app: Pick<World["app"], "fetch"> },
  caller: Caller,
  exportId: string,
  method = "GET",
): Promise<Response> {
  return world.app.fetch(
    new Request(`${ORIGIN}${ACCOUNT_EXPORTS}/${exportId}/content`, {
      method,
      headers: { Authorization: `Bearer ${caller.secret}` },
    }),
  );
}

export function linesOf(bytes: Uint8Array): Json[] {
  return new TextDecoder().decode(bytes).trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** Seeds the sample life. */
export async function giveDemoLife(world: World, caller: Caller): Promise<void> {
  const command = readCommand({ command: "seed demo", owner: emailOf(caller) });
  await runAdminCommand(servicesOf(world), command);
}

export const ACCOUNT_IMPORTS = "/api/v2/account/imports";

export async function importFile(
  caller: Caller,
  bytes: BodyInit,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  const type = { "Content-Type": "application/jsonl" };
  return await caller.call("POST", ACCOUNT_IMPORTS, {
    raw: bytes,
    headers: { ...type, ...headers },
  });
}
