import { keepsUnfrozen } from "../access/account_row.ts";
import { type Clock, DAY_MS } from "../core/clock.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Database } from "../database/database.ts";

const PURGE_INTERVAL_MS = 60 * 60 * 1000;
const BATCH = 1_000;

/**
 * Removes envelopes older than `days`, a thousand per transaction, so that no lock is held long.
 * Keeps those under thirty days by the database's clock, which the database protects, and those of
 * frozen accounts, because the account's copy has them.
 *
 * @returns how many were removed.
 */
export async function purgeEnvelopes(database: Database, days: number, now: Date): Promise<number> {
  const before = new Date(now.getTime() - days * DAY_MS);
  let purged = 0;
  while (true) {
    const gone = await database.transaction(async (tx) => {
      // The index by age needs a bitmap scan, which sessions otherwise disable.
      await tx.sql`set local enable_bitmapscan = on`;
      return await tx.sql`
        delete from idempotency_envelopes
         where ctid in (select ctid from idempotency_envelopes e
                         where created_at < least(${before}::timestamptz, now() - interval '30 days')
                           and ${keepsUnfrozen(tx.sql, tx.sql`e.owner_id`, "skip")}
                         limit ${BATCH} for update skip locked)
        returning 1`;
    });
    purged += gone.length;
    if (gone.length < BATCH) return purged;
  }
}

/** Removes old envelopes now and hourly, until the returned function is called. */
export function startRetention(
  database: Database,
  days: number,
  clock: Clock,
  log: Log,
): () => void {
  const purge = () => {
    purgeEnvelopes(database, days, clock())
      .then((purged) => log.info("envelopes_purged", { purged }))
      .catch((error) => log.error("retention_failed", errorFields(error)));
  };
  purge();
  const timer = setInterval(purge, PURGE_INTERVAL_MS);
  return () => clearInterval(timer);
}
