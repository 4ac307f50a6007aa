/** Whole answers of readers, for tests that a hidden record changes none of them. */

import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import { done, remember, textPath, withPermissions } from "../families/memory/api.ts";
import type { Caller, Json, TestResponse, World } from "../support/world.ts";

/** A path with its query, and a body if it is a POST. */
export type Question = readonly [path: string, body?: JsonObject];

/** A page without its cursor, and whether another follows. */
type Page = readonly [Json, boolean];

/** Reads every page of each answer, by its question. */
export async function answersTo(
  caller: Caller,
  questions: readonly Question[],
): Promise<Record<string, readonly Page[]>> {
  const answers: Record<string, readonly Page[]> = {};
  for (const question of questions) {
    answers[JSON.stringify(question)] = await pages(caller, question);
  }
  return answers;
}

async function pages(caller: Caller, [path, body]: Question): Promise<Page[]> {
  const found: Page[] = [];
  let cursor: string | null = null;
  do {
    const response: TestResponse = body === undefined
      ? await caller.call("GET", cursor === null ? path : `${path}&cursor=${cursor}`)
      : await caller.call("POST", path, { body: cursor === null ? body : { ...body, cursor } });
    assertEquals(response.status, 200, `${path} ${JSON.stringify(body)}: ${response.text}`);
    const { nextCursor = null, ...data } = response.body.data;
    found.push([data, nextCursor !== null]);
    cursor = nextCursor;
  } while (cursor !== null);
  return found;
}

/** The account, through a token that reads all but SECRET memories and the ledgers of people. */
export function withoutSecretMemories(world: World, caller: Caller): Promise<Caller> {
  return withPermissions(
    world,
    caller,
    "record.read",
    "memory.read",
    "decision.read",
    "relationship.person.read",
    "taxonomy.read",
    "search.read",
  );
}

/** Writes a SECRET memory in steps, each of which must leave no trace. */
export async function writeSecretMemory(
  caller: Caller,
  body: JsonObject,
  check: (step: string, memoryId: string) => Promise<void>,
): Promise<void> {
  let memory = await remember(caller, { ...body, privacyLevel: "SECRET" });
  await check("created", memory.memoryId);
  const { revision: expectedRevision } = memory;
  memory = await done(caller, textPath(memory, "/revisions"), { expectedRevision, title: "Aaa" });
  memory = await done(caller, textPath(memory, "/time"), {
    expectedRevision: memory.revision,
    timePrecision: "EXACT",
    occurredAt: "2026-11-18T12:00:00+09:00[Asia/Tokyo]",
  });
  await check("changed", memory.memoryId);
  await done(caller, textPath(memory, "/archive"), {});
  await check("archived", memory.memoryId);
}
