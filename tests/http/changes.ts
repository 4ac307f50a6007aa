import { assert, assertEquals } from "@std/assert";
import { waitUntil } from "../support/wait.ts";
import type { Caller, Json } from "../support/world.ts";

export const CHANGES = "/api/v2/changes";

export interface ChangesPage {
  readonly items: Json[];
  readonly nextCursor: string;
  readonly hasMore: boolean;
}

/** Reads one page, after a cursor if given. */
export async function readChanges(
  caller: Caller,
  after: string | null = null,
  parameters: Readonly<Record<string, string>> = {},
): Promise<ChangesPage> {
  const query = new URLSearchParams({ ...parameters, ...(after !== null && { after }) });
  const response = await caller.call("GET", `${CHANGES}?${query}`);
  assertEquals(response.status, 200, response.text);
  const { data } = response.body;
  assertEquals(Object.keys(data).sort(), ["hasMore", "items", "nextCursor"]);
  return data;
}

/** All entries after a cursor, and the new cursor. */
export async function drain(
  caller: Caller,
  after: string | null = null,
  parameters: Readonly<Record<string, string>> = {},
): Promise<ChangesPage> {
  const items: Json[] = [];
  let page = await readChanges(caller, after, parameters);
  items.push(...page.items);
  while (page.hasMore) {
    const { nextCursor } = page;
    page = await readChanges(caller, nextCursor, parameters);
    assert(page.nextCursor !== nextCursor || page.items.length === 0, "The feed stands still");
    items.push(...page.items);
  }
  return { ...page, items };
}

/**
 * Reads until it has this many entries. PostgreSQL waits for transactions of all databases, other
 * tests' included.
 */
export async function follow(
  caller: Caller,
  count: number,
  after: string | null = null,
): Promise<ChangesPage> {
  const items: Json[] = [];
  let page: ChangesPage = { items, nextCursor: after ?? "", hasMore: false };
  let cursor = after;
  await waitUntil(`the feed has given ${count} entries`, async () => {
    page = await drain(caller, cursor);
    items.push(...page.items);
    cursor = page.nextCursor;
    return items.length >= count;
  });
  return { ...page, items };
}
