/** The end of calendar feeds. `due/feed_store.ts` has their rows. */

import type { Tx } from "../database/database.ts";
import type { Revocation } from "./identity.ts";

/** Ends a feed. Returns when it ended, now or before; null when the account never had it. */
export async function revokeFeed(
  tx: Tx,
  accountId: string,
  feedId: string,
  now: Date,
): Promise<Revocation | null> {
  const [ended] = await tx.sql`
    update calendar_feeds set revoked_at = ${now}
     where account_id = ${accountId} and feed_id = ${feedId} and revoked_at is null
    returning 1`;
  if (ended !== undefined) return { revokedAt: now, isNew: true };
  const [row] = await tx.sql<{ revoked_at: Date }>`
    select revoked_at from calendar_feeds where account_id = ${accountId} and feed_id = ${feedId}`;
  return row === undefined ? null : { revokedAt: row.revoked_at, isNew: false };
}

/** Ends an account's feeds. Returns the identifiers of those that ended. */
export async function revokeFeeds(tx: Tx, accountId: string, now: Date): Promise<string[]> {
  const ended = await tx.sql<{ feed_id: string }>`
    update calendar_feeds set revoked_at = ${now}
     where account_id = ${accountId} and revoked_at is null
    returning feed_id`;
  return ended.map((row) => row.feed_id);
}
