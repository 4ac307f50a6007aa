import { assertEquals } from "@std/assert";
import type { JsonObject } from "../../src/core/json.ts";
import type { Caller, Json, TestResponse } from "../support/world.ts";

export const SEARCH = "/api/v2/search";

export function ask(
  caller: Pick<Caller, "call">,
  q: string,
  more: JsonObject = {},
): Promise<TestResponse> {
  return caller.call("POST", SEARCH, { body: { q, ...more } });
}

/** Fails the test if the request fails. */
export async function search(
  caller: Pick<Caller, "call">,
  q: string,
  more: JsonObject = {},
): Promise<{ items: Json[]; nextCursor: string | null }> {
  const response = await ask(caller, q, more);
  assertEquals(response.status, 200, response.text);
  assertEquals(Object.keys(response.body.data).sort(), ["items", "nextCursor"]);
  return response.body.data;
}

/** Reads every page. */
export async function searchAll(
  caller: Pick<Caller, "call">,
  q: string,
  more: JsonObject = {},
): Promise<Json[]> {
  const found: Json[] = [];
  let cursor: string | null = null;
  do {
    const page: Awaited<ReturnType<typeof search>> = await search(caller, q, {
      ...more,
      ...(cursor !== null && { cursor }),
    });
    found.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return found;
}

export async function idsOf(
  caller: Pick<Caller, "call">,
  q: string,
  more: JsonObject = {},
): Promise<string[]> {
  return (await searchAll(caller, q, more)).map(({ recordId }) => recordId);
}
