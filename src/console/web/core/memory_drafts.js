/** The drafts of memories that the service keeps. */

import { send } from "./api.js";

export const TEXTS = "/api/v2/memory/texts";
export const DRAFTS = "/api/v2/memory/drafts";

const PAGE = 100;

/**
 * One page of the drafts that are open, the newest first.
 *
 * @param {string | null} cursor
 * @returns {Promise<{ items: readonly any[], nextCursor: string | null }>}
 */
export async function openDrafts(cursor) {
  const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) });
  return (await send("GET", `${DRAFTS}?${query}`)).data;
}

/**
 * A draft by its identifier; without one, the newest open draft of a memory.
 *
 * @param {string | null} draftId
 * @param {string | undefined} memoryId None for a new memory.
 * @returns {Promise<any>} null for none.
 */
export async function findDraft(draftId, memoryId) {
  if (draftId !== null) return (await send("GET", `${DRAFTS}/${draftId}`)).data;
  if (memoryId === undefined) return null;
  for (let cursor = null;;) {
    const { items, nextCursor } = await openDrafts(cursor);
    const found = items.find((draft) => draft.memoryId === memoryId);
    if (found !== undefined || nextCursor === null) return found ?? null;
    cursor = nextCursor;
  }
}

/**
 * A memory as it was at a time.
 *
 * @param {any} memory As it is now.
 * @param {string} time
 */
export async function revisionAt(memory, time) {
  if (memory.updatedAt <= time) return memory;
  for (let cursor = "";;) {
    const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== "" && { cursor }) });
    const { data } = await send("GET", `${TEXTS}/${memory.memoryId}/revisions?${query}`);
    const found = data.items.find((/** @type {any} */ revision) => revision.updatedAt <= time);
    if (found !== undefined || data.nextCursor === null) return found ?? data.items.at(-1);
    cursor = data.nextCursor;
  }
}

/**
 * Gives a draft up; the service keeps its words.
 *
 * @param {string} draftId
 */
export async function discardDraft(draftId) {
  await send("POST", `${DRAFTS}/${draftId}/discard`, { body: {} });
}
