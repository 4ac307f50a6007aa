import { assertEquals } from "@std/assert";
import { ulid } from "@std/ulid";
import type { JsonObject } from "../../../src/core/json.ts";
import type { Caller, Json, TestResponse, World } from "../../support/world.ts";
import { COMMITMENT, tableCounts } from "../../http/kernel.ts";
import { done } from "../memory/api.ts";

export const TAXONOMY = "/api/v2/taxonomy";
export const TAGS = `${TAXONOMY}/tags`;
export const CATEGORIES = `${TAXONOMY}/categories`;
export const TREE = `${CATEGORIES}/tree`;
export const ASSIGNMENTS = `${TAXONOMY}/assignments`;
export const SEARCH = `${TAXONOMY}/search`;
export const USAGE = `${TAXONOMY}/usage`;
export const EXPORTS = `${TAXONOMY}/exports`;
export const IMPORTS = `${TAXONOMY}/imports`;

export function tag(caller: Caller, name: string, body: JsonObject = {}): Promise<Json> {
  return done(caller, TAGS, { name, ...body });
}

/** Optionally below another one. */
export function category(
  caller: Caller,
  name: string,
  parent: Json | null = null,
  body: JsonObject = {},
): Promise<Json> {
  const below = parent === null ? {} : { parentId: parent.termId };
  return done(caller, CATEGORIES, { name, ...below, ...body });
}

export function termPath({ kind, termId }: Json, below = ""): string {
  return `${kind === "TAG" ? TAGS : CATEGORIES}/${termId}${below}`;
}

/** Sends a PATCH with a new key. */
export function patch(
  caller: Pick<Caller, "call">,
  path: string,
  body: JsonObject,
): Promise<TestResponse> {
  return caller.call("PATCH", path, { key: ulid(), body });
}

/** Must succeed; returns the term. */
export function act(
  caller: Pick<Caller, "call">,
  term: Json,
  what: string,
  body: JsonObject = {},
): Promise<Json> {
  return done(caller, termPath(term, `/${what}`), body);
}

/** Acts from the term's revision here. */
export function actOn(
  caller: Pick<Caller, "call">,
  term: Json,
  what: string,
  body: JsonObject,
): Promise<Json> {
  return act(caller, term, what, { expectedRevision: term.revision, ...body });
}

export function carrying(
  { termId }: Json,
  { moduleCode, recordId }: Json,
): Record<"termId" | "moduleCode" | "recordId", string> {
  return { termId, moduleCode, recordId };
}

export function assign(caller: Caller, term: Json, record: Json): Promise<Json> {
  return done(caller, ASSIGNMENTS, carrying(term, record));
}

export function makeRecord(caller: Caller, title = "A promise"): Promise<Json> {
  return caller.create("commitment", COMMITMENT, title);
}

export function fileTerm(
  kind: "TAG" | "CATEGORY",
  name: string,
  more: JsonObject = {},
): JsonObject {
  return { kind, name, aliases: [], active: true, ...more };
}

/** The body of an import. */
export function fileOf(terms: readonly JsonObject[], conflictMode = "REJECT"): JsonObject {
  return { format: "prs-taxonomy", version: 1, conflictMode, terms: [...terms] };
}

/** Stored names and their terms. */
export function namesQuery({ accountId }: Caller): string {
  return `
    select kind, compared, term_id, position, spelling from taxonomy_names
     where owner_id = '${accountId}' order by kind, compared`;
}

type ValueOf = (parameter: string) => Promise<string>;

/** Create the objects that parameters of taxonomy routes name. */
export const TAXONOMY_MAKERS = {
  tagId: async (caller: Caller) => (await tag(caller, newName())).termId,
  categoryId: async (caller: Caller) => (await category(caller, newName())).termId,
} as const;

/** Makes a name that nothing else has. */
function newName(): string {
  return `Name ${ulid()}`;
}

const TAG = `${TAGS}/:tagId`;
const CATEGORY = `${CATEGORIES}/:categoryId`;
const CHANGE = { body: { expectedRevision: 1, set: { color: "#2e7d32" } } };
const EXPECTATION = { body: { expectedRevision: 1 } };

/** Valid bodies of the examples. */
export const TAXONOMY_BODIES = {
  [`PATCH ${TAG}`]: CHANGE,
  [`POST ${TAG}/rename`]: EXPECTATION,
  [`POST ${TAG}/merge`]: EXPECTATION,
  [`PATCH ${CATEGORY}`]: CHANGE,
  [`POST ${CATEGORY}/rename`]: EXPECTATION,
  [`POST ${CATEGORY}/move`]: { body: { expectedRevision: 1, parentId: null } },
  [`POST ${SEARCH}`]: { body: { q: "a" } },
  [`POST ${IMPORTS}`]: { body: fileOf([fileTerm("TAG", "Imported")], "SKIP") },
} as const;

/** Objects that a route names in its body or query. */
export const TAXONOMY_NAMED: Readonly<
  Record<string, (caller: Caller, valueOf: ValueOf) => Promise<Record<string, string>>>
> = {
  [`POST ${TAGS}`]: () => Promise.resolve({ name: newName() }),
  [`POST ${TAG}/rename`]: () => Promise.resolve({ name: newName() }),
  [`POST ${TAG}/merge`]: async (caller) => ({ intoId: await TAXONOMY_MAKERS.tagId(caller) }),
  [`POST ${CATEGORIES}`]: () => Promise.resolve({ name: newName() }),
  [`POST ${CATEGORY}/rename`]: () => Promise.resolve({ name: newName() }),
  [`POST ${ASSIGNMENTS}`]: named,
  [`POST ${ASSIGNMENTS}/remove`]: named,
  [`GET ${ASSIGNMENTS}`]: async (_caller, valueOf) => ({ termId: await valueOf("tagId") }),
};

async function named(caller: Caller, valueOf: ValueOf): Promise<Record<string, string>> {
  return carrying({ termId: await valueOf("tagId") }, await makeRecord(caller));
}

/** Reads back as answered. */
export async function assertStored(caller: Caller, term: Json): Promise<void> {
  const response = await caller.call("GET", termPath(term));
  assertEquals([response.status, response.body.data], [200, term], response.text);
}

/** Adds no rows except the key's envelope. */
export async function assertKeepsKeyOnly<T>(world: World, action: () => Promise<T>): Promise<T> {
  const before = await tableCounts(world);
  const result = await action();
  const kept = Number(before.idempotency_envelopes) + 1;
  assertEquals(await tableCounts(world), { ...before, idempotency_envelopes: kept });
  return result;
}
