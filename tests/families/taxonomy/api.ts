/** Shared by the suites of the taxonomy family: paths, calls, and test data. */

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

/** Makes a tag and returns it. */
export function tag(caller: Caller, name: string, body: JsonObject = {}): Promise<Json> {
  return done(caller, TAGS, { name, ...body });
}

/** Creates a category, optionally below another one, and returns it. */
export function category(
  caller: Caller,
  name: string,
  parent: Json | null = null,
  body: JsonObject = {},
): Promise<Json> {
  const below = parent === null ? {} : { parentId: parent.termId };
  return done(caller, CATEGORIES, { name, ...below, ...body });
}

/** The path of a term, or of something below it. */
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

/** Does something to a term that must succeed, and returns the term. */
export function act(
  caller: Pick<Caller, "call">,
  term: Json,
  what: string,
  body: JsonObject = {},
): Promise<Json> {
  return done(caller, termPath(term, `/${what}`), body);
}

/** The same from the revision that the term has here. */
export function actOn(
  caller: Pick<Caller, "call">,
  term: Json,
  what: string,
  body: JsonObject,
): Promise<Json> {
  return act(caller, term, what, { expectedRevision: term.revision, ...body });
}

/** The body by which a record carries a term. */
export function carrying(
  { termId }: Json,
  { moduleCode, recordId }: Json,
): Record<"termId" | "moduleCode" | "recordId", string> {
  return { termId, moduleCode, recordId };
}

/** Assigns a term to a record, and returns the assignment. */
export function assign(caller: Caller, term: Json, record: Json): Promise<Json> {
  return done(caller, ASSIGNMENTS, carrying(term, record));
}

/** Makes a record of another module. */
export function makeRecord(caller: Caller, title = "A promise"): Promise<Json> {
  return caller.create("commitment", COMMITMENT, title);
}

/** A term of a file. */
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

/** The names of an owner in the database, with their terms. */
export function namesQuery({ accountId }: Caller): string {
  return `
    select kind, compared, term_id, position, spelling from taxonomy_names
     where owner_id = '${accountId}' order by kind, compared`;
}

type ValueOf = (parameter: string) => Promise<string>;

/** Creates the objects that parameters of the taxonomy routes name. */
export const TAXONOMY_MAKERS = {
  tagId: async (caller: Caller) => (await tag(caller, newName())).termId,
  categoryId: async (caller: Caller) => (await category(caller, newName())).termId,
} as const;

/** A name that no term has. */
function newName(): string {
  return `Name ${ulid()}`;
}

const TAG = `${TAGS}/:tagId`;
const CATEGORY = `${CATEGORIES}/:categoryId`;
const CHANGE = { body: { expectedRevision: 1, set: { color: "#2e7d32" } } };
const EXPECTATION = { body: { expectedRevision: 1 } };

/** A valid body for the example of each taxonomy route with a body. */
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

/** Objects that a taxonomy route names in its body or its query, created for it. */
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

/** Asserts that a term reads back as it was answered. */
export async function assertStored(caller: Caller, term: Json): Promise<void> {
  const response = await caller.call("GET", termPath(term));
  assertEquals([response.status, response.body.data], [200, term], response.text);
}

/** Asserts that an action adds no rows to any table, except for the envelope of its key. */
export async function assertKeepsKeyOnly<T>(world: World, action: () => Promise<T>): Promise<T> {
  const before = await tableCounts(world);
  const result = await action();
  const kept = Number(before.idempotency_envelopes) + 1;
  assertEquals(await tableCounts(world), { ...before, idempotency_envelopes: kept });
  return result;
}
