import { send } from "./api.js";
import { readAll } from "./read_all.js";

export const TEXTS = "/api/v2/memory/texts";
export const DRAFTS = "/api/v2/memory/drafts";

const PAGE = 100;

/**
 * Newest first.
 *
 * @param {string | null} cursor
 * @returns {Promise<{ items: readonly any[], nextCursor: string | null }>}
 */
export async function openDrafts(cursor) {
  const query = new URLSearchParams({ limit: String(PAGE), ...(cursor !== null && { cursor }) });
  return (await send("GET", `${DRAFTS}?${query}`)).data;
}

/**
 * By its identifier; otherwise the newest open draft of the memory.
 *
 * @param {string | null} draftId
 * @param {string | undefined} memoryId Undefined for a new memory.
 * @returns {Promise<any>}
 */
export async function findDraft(draftId, memoryId) {
  if (draftId !== null) return (await send("GET", `${DRAFTS}/${encodeURIComponent(draftId)}`)).data;
  if (memoryId === undefined) return null;
  const drafts = await readAll(`${DRAFTS}?limit=${PAGE}`);
  return drafts.find((draft) => draft.memoryId === memoryId) ?? null;
}

/**
 * @param {any} memory Its current state.
 * @param {string} time
 */
export async function revisionAt(memory, time) {
  if (memory.updatedAt <= time) return memory;
  const revisions = await readAll(`${TEXTS}/${memory.memoryId}/revisions?limit=${PAGE}`);
  return revisions.find(({ updatedAt }) => updatedAt <= time) ?? revisions.at(-1);
}

/**
 * The service keeps the text.
 *
 * @param {string} draftId Empty if nothing has been saved.
 */
export async function discardDraft(draftId) {
  if (draftId === "") return true;
  await send("POST", `${DRAFTS}/${draftId}/discard`, { body: {} });
  return true;
}
