import type { Connection } from "./connection.ts";
import type { ConnectionPool } from "./pool.ts";

const INTERVAL_MS = 60_000;
/** How much write-ahead log may gather: a crash recovery reads all of it, and it takes disk space. */
export const WAL_BYTES_BETWEEN_CHECKPOINTS = 64 * 1024 * 1024;

/**
 * Does for the embedded engine what a server's background processes do: once enough write-ahead log has
 * gathered it removes dead rows, renews the planner's statistics and takes a checkpoint.
 *
 * @returns whether it was due.
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

/** The write-ahead log since the last checkpoint. */
async function bytesOfLog(connection: Connection): Promise<number> {
  const [row] = await connection.sql()<{ bytes: number }>`
    select (pg_current_wal_lsn() - redo_lsn)::double precision as bytes
      from pg_control_checkpoint()`;
  return row?.bytes ?? 0;
}

/** Runs every minute where due, until the returned function is called. */
export function startVacuumAndCheckpoint(pool: ConnectionPool): () => void {
  const timer = setInterval(() => {
    // A connection that fails here fails for the next request as well, which reports it.
    runIfDue(pool).catch(() => {});
  }, INTERVAL_MS);
  return () => clearInterval(timer);
}
