import postgres from "postgres";
import type { Connect } from "./connection.ts";
import { createDatabase, type Database } from "./database.ts";
import { LanePool, type PoolUse, SharedPool } from "./pool.ts";

const SECONDS_TO_CONNECT = 5;
/** How long a transaction waits for a connection: a locked record must not hold up all the others. */
const SECONDS_TO_WAIT = 5;
const SECONDS_TO_CLOSE = 5;
const READ_ONLY = { default_transaction_read_only: "on" };
const READ_WRITE = { default_transaction_read_only: "off" };

/**
 * Opens PostgreSQL 15 or newer at `url`.
 *
 * Connections are made when they are first needed, at most `poolSize`: a quarter of them for reads, which
 * share theirs, and the rest in halves for transactions and for writes that are one statement.
 */
export function openPostgres(url: string, poolSize: number): Database {
  // Each transaction begins READ WRITE; whatever is sent there without one cannot write.
  const connect = createConnect(url, READ_ONLY);
  const readers = Math.max(1, Math.floor(poolSize / 4));
  const single = Math.floor((poolSize - readers) / 2);
  const shared = new SharedPool(connect, readers);
  const lanes = new LanePool(connect, poolSize - readers - single, SECONDS_TO_WAIT);
  const writers = single === 0
    ? null
    : new LanePool(createConnect(url, READ_WRITE), single, SECONDS_TO_WAIT);
  const pools = [shared, lanes, ...(writers === null ? [] : [writers])];
  return createDatabase({
    lanes,
    writers,
    read: (use) => shared.share(use),
    connections: () => sumOf(pools.map((pool) => pool.use)),
    close: async () => {
      await Promise.all(pools.map((pool) => pool.close(SECONDS_TO_CLOSE)));
    },
  });
}

function createConnect(url: string, session: Readonly<Record<string, string>>): Connect {
  return (options) =>
    postgres(url, {
      connect_timeout: SECONDS_TO_CONNECT,
      // Arrays are not used, and it is one query less at each connection.
      fetch_types: false,
      // Notices go nowhere: the driver would print them to the console.
      onnotice: () => {},
      // The driver leaves out what is false or 0.
      connection: {
        application_name: "personal-records-service",
        ...session,
        statement_timeout: 10_000,
        lock_timeout: 3_000,
        idle_in_transaction_session_timeout: 15_000,
        // Lists are walks over an index; the planner's own figure stands for a disk that seeks.
        random_page_cost: 1.1,
        // Every statement walks an index. A plan made while a table was small stays for the session,
        // and must be the one for the grown table.
        enable_seqscan: "off",
        enable_bitmapscan: "off",
        // Each list has an index that is in its order; another would read the whole module to sort it.
        enable_incremental_sort: "off",
        // No statement is long enough to gain from compiled code; compiling one takes ten milliseconds.
        jit: "off",
        timezone: "UTC",
        // The driver reads binary values in this form only.
        bytea_output: "hex",
      },
      ...options,
    });
}

function sumOf(uses: readonly PoolUse[]): PoolUse {
  const sum = (key: keyof PoolUse) => uses.reduce((total, use) => total + use[key], 0);
  return { size: sum("size"), busy: sum("busy"), waiting: sum("waiting") };
}
