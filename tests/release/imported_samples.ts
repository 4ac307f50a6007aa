/** Reads the items of an import, and their files. */

import { IMPORTS } from "../http/imports.ts";
import type { Caller, Json } from "../support/world.ts";

export async function allItems(caller: Caller, importId: string): Promise<Json[]> {
  const items: Json[] = [];
  for (let cursor = "";;) {
    const { body } = await caller.call("GET", `${IMPORTS}/${importId}/items?limit=100${cursor}`);
    items.push(...body.data.items);
    if (body.data.nextCursor === null) return items;
    cursor = `&cursor=${encodeURIComponent(body.data.nextCursor)}`;
  }
}

/** The digests of the files of items. */
export async function linkedDigests(
  caller: Caller,
  items: readonly Json[],
): Promise<Set<string>> {
  const ids = new Set(items.flatMap(({ attachmentIds }) => attachmentIds));
  const digests = new Set<string>();
  for (const id of ids) {
    digests.add((await caller.call("GET", `/api/v2/attachments/${id}`)).body.data.sha256);
  }
  return digests;
}
