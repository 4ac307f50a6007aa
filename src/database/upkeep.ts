import type { Connection } from "./connection.ts";
import type { LanePool } from "./pool.ts";

const INTERVAL_MS = 60_000;
/** How much log may gather: what a crash recovery reads, and what the log keeps on the disk. */
export const LOG_BEFORE_UPKEEP = 64 * 1024 * 1024;

/**
 * Does for a single session what a server's background processes do: after so much writing it takes
 * a checkpoint, removes dead rows and renews the planner's figures.
 *
 * @returns whether it was time to.
 */
export async function keepUp(lanes: LanePool, logBefore = LOG_BEFORE_UPKEEP): Promise<boolean> {
  return await lanes.borrow(async (connection) => {
    if (await bytesOfLog(connection) < logBefore) return false;
    await connection.script("vacuum (analyze)");
    await connection.script("checkpoint");
    return true;
  });
}

/** The write-ahead log since the last checkpoint. */
async function bytesOfLog(connection: Connection): Promise<number> {
  const [row] = await connection.sql()<{ bytes: number }>`
    select (pg_current_wal_lsn() - redo_lsn)::double precision as bytes
      from pg_control_checkpoint()`;
  return row?.bytes ?? 0;
}

/** Keeps up every minute, until the returned function is called. */
export function startUpkeep(lanes: LanePool): () => void {
  const timer = setInterval(() => {
    // A session that cannot keep up cannot serve either: whoever uses it next will be told.
    keepUp(lanes).catch(() => {});
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
