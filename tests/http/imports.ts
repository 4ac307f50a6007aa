/** Helpers of the tests of imports: files, uploads, and waiting for the worker. */

import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import { waitUntil } from "../support/wait.ts";
import type { Caller, CallOptions, Json, TestResponse, World } from "../support/world.ts";

export const IMPORTS = "/api/v2/imports";

/** The states in which an import waits for its owner. */
const RESTING = ["REFUSED", "PLANNED", "DISCARDED", "STOPPED", "DONE", "WITHDRAWN"];

/** Uploads a file. */
export async function upload(
  caller: Caller,
  format: string,
  bytes: string | Uint8Array,
  query: Record<string, string> = {},
  options: CallOptions = {},
): Promise<TestResponse> {
  const parameters = new URLSearchParams({ format, ...query });
  return await caller.call("POST", `${IMPORTS}?${parameters}`, {
    headers: { "Content-Type": "application/octet-stream", ...options.headers },
    raw: typeof bytes === "string" ? bytes : new Blob([bytes as BlobPart]),
    ...options,
  });
}

/** Waits until the service has stopped working on an import, and returns it. */
export async function settled(caller: Caller, importId: string): Promise<Json> {
  let row: Json;
  await waitUntil("the import rests", async () => {
    row = (await caller.call("GET", `${IMPORTS}/${importId}`)).body.data;
    return RESTING.includes(row.state);
  }, { pollMs: 40 });
  return row;
}

/** Uploads a file, and waits for its plan. */
export async function planned(
  caller: Caller,
  format: string,
  bytes: string | Uint8Array,
  query: Record<string, string> = {},
): Promise<Json> {
  const { status, body } = await upload(caller, format, bytes, query);
  assertEquals(status, 201, JSON.stringify(body));
  return await settled(caller, body.data.importId);
}

/** Does something with an import. */
export async function act(
  caller: Caller,
  importId: string,
  action: string,
  body: Json = {},
  options: CallOptions = {},
): Promise<TestResponse> {
  const path = `${IMPORTS}/${importId}/${action}`;
  return await caller.call("POST", path, { body, key: ulid(), ...options });
}

/** Runs a planned import to its end. */
export async function ran(caller: Caller, { importId, plan }: Json): Promise<Json> {
  const { status, body } = await act(caller, importId, "run", { plan });
  assertEquals(status, 202, JSON.stringify(body));
  return await settled(caller, importId);
}

/** Uploads a file and runs its import. */
export async function imported(
  caller: Caller,
  format: string,
  bytes: string | Uint8Array,
  query: Record<string, string> = {},
): Promise<Json> {
  return await ran(caller, await planned(caller, format, bytes, query));
}

export async function itemsOf(caller: Caller, importId: string, query = ""): Promise<Json[]> {
  const { body } = await caller.call("GET", `${IMPORTS}/${importId}/items?limit=100${query}`);
  return body.data.items;
}

/** A file of `prs-items`. */
export function itemsFile(items: readonly Json[], source = "test"): string {
  const head = { format: "prs-items", version: 1, source };
  return [head, ...items].map((line) => `${JSON.stringify(line)}\n`).join("");
}

export function memoryItem(key: string, more: Json = {}): Json {
  const payload = { memoryType: "EVENT", originalContent: `The text of ${key}` };
  return { key, target: "memory", title: `Memory ${key}`, payload, ...more };
}

/** Waits for the plan of an import, in the database. */
export async function plannedIn(world: World, importId: string): Promise<void> {
  await waitUntil("the import is planned", async () => {
    const rows = await world.rows(`
      select 1 from imports where import_id = '${importId}' and state = 'PLANNED'`);
    return rows.length > 0;
  });
}

/** Makes a planned import of a note for routes below `/imports/:importId`. */
export async function makeImport(caller: Caller): Promise<string> {
  return (await planned(caller, "markdown", "A note", { name: "Vault" })).importId;
}

/** Sets the state of the caller's newest import in the database. */
export async function inState(world: World, caller: Caller, state: string): Promise<void> {
  await world.raw(`
    update imports set state = '${state}', done = total
     where import_id = (select max(import_id collate "C") from imports
                         where owner_id = '${caller.accountId}')`);
}

const held = new Set<string>();

/** Locks an import's folder until the test process ends, so that the worker skips the import. */
async function holdImport({ importFolder }: World, importId: string): Promise<void> {
  if (held.has(importId)) return;
  await waitUntil("the worker has released the import", async () => {
    return await importFolder.hold(importId) !== null;
  });
  held.add(importId);
}

/** Prepares a call that succeeds, by route, and returns its options. */
export const IMPORT_FIRST: Readonly<
  Record<string, (world: World, caller: Caller) => Promise<CallOptions>>
> = {
  [`POST ${IMPORTS}/:importId/run`]: async (_world, caller) => {
    const { body } = await caller.call("GET", IMPORTS);
    return { body: { plan: body.data.items[0].plan } };
  },
  [`POST ${IMPORTS}/:importId/stop`]: async (world, caller) => {
    const { body } = await caller.call("GET", IMPORTS);
    await holdImport(world, body.data.items[0].importId);
    await inState(world, caller, "RUNNING");
    return {};
  },
  [`POST ${IMPORTS}/:importId/withdraw`]: async (world, caller) => {
    await inState(world, caller, "DONE");
    return {};
  },
};

/** Bodies and queries that succeed. */
export const IMPORT_BODIES: Readonly<Record<string, CallOptions>> = {
  [`POST ${IMPORTS}`]: {
    headers: { "Content-Type": "application/octet-stream" },
    raw: "Another note",
  },
  [`PUT ${IMPORTS}/:importId/mapping`]: { body: { timeZone: "Europe/Berlin" } },
};
export const IMPORT_QUERIES: Readonly<Record<string, string>> = {
  [IMPORTS]: "?format=markdown&name=Vault",
};
