/** All that is in this browser alone. */

import { listDrafts, readDraft } from "./drafts.js";
import { listUnsent } from "./unsent.js";

/** What waits to be sent or was refused, and the drafts of what was not sent as they are. */
export async function listUnkept() {
  const unsent = await listUnsent();
  const sent = new Set(unsent.map(({ key }) => key));
  const drafts = listDrafts().filter(({ path }) => !sent.has(readDraft(path)?.sent ?? ""));
  return { unsent, drafts };
}
