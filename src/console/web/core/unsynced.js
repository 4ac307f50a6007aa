import { listDrafts, readDraft } from "./drafts.js";
import { listQueued } from "./browser_outbox.js";

/** Lists queued writes, and drafts without one. */
export async function listUnsynced() {
  const queued = await listQueued();
  const sent = new Set(queued.map(({ key }) => key));
  const drafts = listDrafts().filter(({ path }) => !sent.has(readDraft(path)?.sent ?? ""));
  return { queued, drafts };
}
