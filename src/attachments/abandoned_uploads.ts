import type { Clock } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Database } from "../database/database.ts";
import { deleteAbandoned } from "./chunk_store.ts";

/** An upload that sends nothing for half a minute fails, so a running one is never abandoned. */
const ABANDONED_MS = 60 * 60 * 1000;
const INTERVAL_MS = 10 * 60 * 1000;

/**
 * Removes the chunks of uploads whose process ended, an hour after the last chunk. Each transaction
 * removes a few.
 *
 * @returns how many were removed.
 */
export async function removeAbandonedUploads(database: Database, now: Date): Promise<number> {
  const before = new Date(now.getTime() - ABANDONED_MS);
  let removed = 0;
  while (true) {
    const count = await database.transaction(({ sql }) => deleteAbandoned(sql, before));
    if (count === 0) return removed;
    removed += count;
  }
}

/** Removes abandoned uploads now and every ten minutes, until the returned function is called. */
export function startUploadRemoval(database: Database, clock: Clock, log: Log): () => void {
  const remove = () => {
    removeAbandonedUploads(database, clock())
      .then((chunks) => {
        if (chunks > 0) log.info("abandoned_uploads_removed", { chunks });
      })
      .catch((error) => log.error("upload_removal_failed", errorFields(error)));
  };
  remove();
  const timer = setInterval(remove, INTERVAL_MS);
  return () => clearInterval(timer);
}
