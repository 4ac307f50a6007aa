/** Changes that exist only in this browser. */

import { listDrafts, readDraft } from "./drafts.js";
import { listQueued } from "./browser_outbox.js";

/** The queued writes, and the drafts that no queued write was made from. */
export async function listUnsynced() {
  const queued = await listQueued();
  const sent = new Set(queued.map(({ key }) => key));
  const drafts = listDrafts().filter(({ path }) => !sent.has(readDraft(path)?.sent ?? ""));
  return { queued, drafts };
}
