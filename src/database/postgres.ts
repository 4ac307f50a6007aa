import { createDatabase, type Database } from "./database.ts";
import { ConnectionPool, type PoolUse, SharedPool } from "./pool.ts";
import { type ConnectOptions, createConnect } from "./connect.ts";
import { type Connect, Silence } from "./connection.ts";

/** How long a transaction waits: one locked record must not hold up all others. */
const SECONDS_TO_WAIT = 5;
const SECONDS_TO_CLOSE = 5;

/**
 * Opens a database of PostgreSQL 15 or newer. It makes at most `poolSize` connections, when first
 * needed: a quarter shared by reads, and the rest in halves for transactions and for
 * single-statement writes.
 *
 * @throws DatabaseUrlError
 */
export function openPostgres(
  url: string,
  poolSize: number,
  options: ConnectOptions = {},
): Database {
  const connect = createConnect(url, "reading", options);
  const readers = Math.max(1, Math.floor(poolSize / 4));
  const single = Math.floor((poolSize - readers) / 2);
  const silence = new Silence();
  const exclusive = (connect: Connect, size: number) =>
    new ConnectionPool(connect, size, SECONDS_TO_WAIT, silence);
  const shared = new SharedPool(connect, readers, silence);
  const pool = exclusive(connect, poolSize - readers - single);
  const writers = single === 0 ? null : exclusive(createConnect(url, "writing", options), single);
  const pools = [shared, pool, ...(writers === null ? [] : [writers])];
  return createDatabase({
    pool,
    writers,
    read: (use) => shared.share(use),
    connections: () => sumOf(pools.map((pool) => pool.use)),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close(SECONDS_TO_CLOSE)));
    },
  });
}

function sumOf(uses: readonly PoolUse[]): PoolUse {
  const sum = (key: keyof PoolUse) => uses.reduce((total, use) => total + use[key], 0);
  return { size: sum("size"), busy: sum("busy"), waiting: sum("waiting") };
}
