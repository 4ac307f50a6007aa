import type { Connection } from "./connection.ts";
import type { ConnectionPool } from "./pool.ts";

/** Short, because attachments in the database write up to 26 MB of log per second. */
const INTERVAL_MS = 15_000;
/** Crash recovery reads this much log, and it uses disk space. */
export const WAL_BYTES_BETWEEN_CHECKPOINTS = 64 * 1024 * 1024;

/**
 * Does the background work of a server: after enough write-ahead log, it removes dead rows, updates
 * the planner's statistics and makes a checkpoint.
 *
 * @returns true if the work was due.
 */
export async function runIfDue(
  pool: ConnectionPool,
  walBytes = WAL_BYTES_BETWEEN_CHECKPOINTS,
): Promise<boolean> {
  return await pool.borrow(async (connection) => {
    if (await bytesOfLog(connection) < walBytes) return false;
    await connection.script("vacuum (analyze)");
    await connection.script("checkpoint");
    return true;
  });
}

/** Since the last checkpoint. */
async function bytesOfLog(connection: Connection): Promise<number> {
  const [row] = await connection.sql()<{ bytes: number }>`
    select (pg_current_wal_lsn() - redo_lsn)::double precision as bytes
      from pg_control_checkpoint()`;
  return row?.bytes ?? 0;
}

/** Runs every 15 seconds, until the returned function is called. */
export function startVacuumAndCheckpoint(pool: ConnectionPool): () => void {
  const timer = setInterval(() => {
    // The next request reports the failure.
    runIfDue(pool).catch(() => {});
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
