/** Exports of whole accounts, as their tests make and read them. */

import { ulid } from "@std/ulid";
import { readCommand } from "../../src/admin/command.ts";
import { runAdminCommand } from "../../src/admin/run.ts";
import { emailOf, servicesOf } from "../storage/operator.ts";
import { proofOf } from "../support/tokens.ts";
import { type Json, ORIGIN, type Person, type TestResponse, type World } from "../support/world.ts";

export const ACCOUNT_EXPORTS = "/api/v2/account/exports";

/** Asks for an export, with a proof and a key. */
export async function askForExport(
  world: World,
  person: Person,
  key: string = ulid(),
): Promise<TestResponse> {
  const headers = await proofOf(world, person, "ACCOUNT_EXPORT");
  return await person.call("POST", ACCOUNT_EXPORTS, { body: {}, key, headers });
}

/** An export, and its bytes. */
export interface Exported {
  readonly description: Json;
  readonly bytes: Uint8Array;
  readonly headers: Headers;
}

/** Exports an account; fails the test when it is refused. */
export async function exportAccount(world: World, person: Person): Promise<Exported> {
  const made = await askForExport(world, person);
  if (made.status !== 201) throw new Error(`The export was refused: ${made.text}`);
  const response = await fetchContent(world, person, made.body.data.exportId);
  return {
    description: made.body.data,
    bytes: await response.bytes(),
    headers: response.headers,
  };
}

/** Asks for the bytes of an export. */
export function fetchContent(
  world: Pick<World, "app">,
  person: Person,
  exportId: string,
  method = "GET",
): Promise<Response> {
  return world.app.fetch(
    new Request(`${ORIGIN}${ACCOUNT_EXPORTS}/${exportId}/content`, {
      method,
      headers: { Authorization: `Bearer ${person.secret}` },
    }),
  );
}

/** The lines of a file, parsed. */
export function linesOf(bytes: Uint8Array): Json[] {
  return new TextDecoder().decode(bytes).trimEnd().split("\n").map((line) => JSON.parse(line));
}

/** Gives a person the sample life. */
export async function giveDemoLife(world: World, person: Person): Promise<void> {
  const command = readCommand({ command: "seed demo", owner: emailOf(person) });
  await runAdminCommand(servicesOf(world), command);
}

export const ACCOUNT_IMPORTS = "/api/v2/account/imports";

/** Sends a file to be imported. */
export async function importFile(
  person: Person,
  bytes: BodyInit,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  const type = { "Content-Type": "application/jsonl" };
  return await person.call("POST", ACCOUNT_IMPORTS, {
    raw: bytes,
    headers: { ...type, ...headers },
  });
}
