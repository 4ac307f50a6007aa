import { assert, assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { Permission } from "../../../src/access/permissions.ts";
import { insertToken } from "../../../src/accounts/token_store.ts";
import { DAY_MS } from "../../../src/core/clock.ts";
import type { JsonObject } from "../../../src/core/json.ts";
import {
  type Caller,
  callerOf,
  type Json,
  type TestResponse,
  type World,
} from "../../support/world.ts";

export const TEXTS = "/api/v2/memory/texts";
export const DRAFTS = "/api/v2/memory/drafts";
export const EXPORTS = "/api/v2/memory/exports";

/** The smallest valid body. */
export const MEMORY: JsonObject = {
  title: "The lake",
  memoryType: "PLACE",
  originalContent: "We swam until the light was gone.",
};

export function textPath(memory: Json, below = ""): string {
  return `${TEXTS}/${memory.memoryId}${below}`;
}

/** Sends a POST with a new key. */
export function post(
  caller: Pick<Caller, "call">,
  path: string,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): Promise<TestResponse> {
  return caller.call("POST", path, { key: ulid(), body, headers });
}

/** Must succeed; returns the data. */
export async function done(
  caller: Pick<Caller, "call">,
  path: string,
  body: JsonObject,
  headers: Readonly<Record<string, string>> = {},
): Promise<Json> {
  const response = await post(caller, path, body, headers);
  assert(response.status < 300, response.text);
  return response.body.data;
}

export async function remember(caller: Caller, body: JsonObject = {}): Promise<Json> {
  const response = await post(caller, TEXTS, { ...MEMORY, ...body });
  assertEquals(response.status, 201, response.text);
  return response.body.data;
}

/** Reads an existing object. */
export async function read(caller: Pick<Caller, "call">, path: string): Promise<Json> {
  const response = await caller.call("GET", path);
  assertEquals(response.status, 200, response.text);
  return response.body.data;
}

/** The same account, through a token with these permissions and `platform.operate`. */
export async function withPermissions(
  world: World,
  caller: Caller,
  ...permissions: readonly Permission[]
): Promise<Caller> {
  const token = {
    name: "A token",
    permissions: ["platform.operate", ...permissions].join(" "),
    modules: null,
    expires_at: new Date(world.now().getTime() + DAY_MS),
  };
  const { secret } = await world.database.transaction((tx) =>
    insertToken(tx, caller.accountId, token, world.now())
  );
  return callerOf(world.app, { ...caller, secret });
}

/** The account without `memory.secret`. */
export function withoutSecrets(world: World, caller: Caller): Promise<Caller> {
  return withPermissions(world, caller, "memory.read", "memory.write", "record.read");
}

/** Create the objects that parameters of memory routes name. */
export const MEMORY_MAKERS = {
  /** With an AI draft, its second revision, which some routes return. */
  memoryId: async (caller: Caller) => {
    const memory = await remember(caller);
    const drafted = { expectedRevision: 1, aiDraft: "A draft", provider: "A provider" };
    await done(caller, textPath(memory, "/ai-draft"), drafted);
    return memory.memoryId;
  },
  sliceId: async (caller: Caller, valueOf: (parameter: string) => Promise<string>) => {
    const memory = { memoryId: await valueOf("memoryId") };
    return (await done(caller, textPath(memory, "/slices"), { label: "A" })).sliceId;
  },
  draftId: async (caller: Caller) => {
    const draftId = ulid();
    const body = { draftVersion: 1, content: MEMORY };
    assertEquals((await caller.call("PUT", `${DRAFTS}/${draftId}`, { body })).status, 200);
    return draftId;
  },
  executionId: async (caller: Caller) =>
    (await done(caller, EXPORTS, { format: "JSON" })).executionId,
  revision: () => Promise.resolve("1"),
} as const;

/** One of each kind, for all memory routes. */
export async function memoryExample(caller: Caller): Promise<Record<string, string>> {
  const memoryId = await MEMORY_MAKERS.memoryId(caller);
  const sliceId = await MEMORY_MAKERS.sliceId(caller, () => Promise.resolve(memoryId));
  const draftId = await MEMORY_MAKERS.draftId(caller);
  const executionId = await MEMORY_MAKERS.executionId(caller);
  return { memoryId, sliceId, draftId, executionId, revision: await MEMORY_MAKERS.revision() };
}

const TEXT = "/api/v2/memory/texts/:memoryId";
const NEXT = { expectedRevision: 2 };

/** Valid bodies of the examples. */
export const MEMORY_BODIES = {
  [`POST ${TEXTS}`]: { body: MEMORY },
  [`POST ${TEXT}/revisions`]: { body: { ...NEXT, title: "B" } },
  [`POST ${TEXT}/ai-draft`]: { body: { ...NEXT, aiDraft: "B", provider: "A provider" } },
  [`POST ${TEXT}/ai-draft/adopt`]: { body: { ...NEXT, confirm: true } },
  [`POST ${TEXT}/ai-draft/reject`]: { body: NEXT },
  [`POST ${TEXT}/time`]: { body: { ...NEXT, timePrecision: "UNKNOWN" } },
  [`POST ${TEXT}/privacy`]: { body: { ...NEXT, privacyLevel: "SECRET" } },
  [`POST ${TEXT}/slices`]: { body: { label: "B" } },
  [`POST ${TEXT}/slices/:sliceId/recover`]: { body: NEXT },
  [`PUT ${DRAFTS}/:draftId`]: { body: { draftVersion: 2, content: {} } },
  [`POST ${EXPORTS}`]: { body: { format: "MARKDOWN" } },
} as const;
