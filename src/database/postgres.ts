import postgres from "postgres";
import type { Connect } from "./connection.ts";
import { createDatabase, type Database } from "./database.ts";
import { LanePool, type PoolUse, SharedPool } from "./pool.ts";

const SECONDS_TO_CONNECT = 5;
/** How long a transaction waits for a connection: a locked record must not hold up all the others. */
const SECONDS_TO_WAIT = 5;
const SECONDS_TO_CLOSE = 5;

/**
 * Opens PostgreSQL 15 or newer at `url`.
 *
 * Connections are made when they are first needed, at most `poolSize`, half of them for reads.
 */
export function openPostgres(url: string, poolSize: number): Database {
  const connect: Connect = (options) =>
    postgres(url, {
      connect_timeout: SECONDS_TO_CONNECT,
      // Arrays are not used, and it is one query less at each connection.
      fetch_types: false,
      // Notices go nowhere: the driver would print them to the console.
      onnotice: () => {},
      // The driver leaves out what is false or 0.
      connection: {
        application_name: "personal-records-service",
        // Each transaction begins READ WRITE; whatever is sent without one cannot write.
        default_transaction_read_only: true,
        statement_timeout: 10_000,
        lock_timeout: 3_000,
        idle_in_transaction_session_timeout: 15_000,
        // Lists are walks over an index; the planner's own figure stands for a disk that seeks.
        random_page_cost: 1.1,
        // Every statement walks an index. A plan made while a table was small stays for the session,
        // and must be the one for the grown table.
        enable_seqscan: "off",
        enable_bitmapscan: "off",
        // No statement is long enough to gain from compiled code; compiling one takes ten milliseconds.
        jit: "off",
        timezone: "UTC",
        // The driver reads binary values in this form only.
        bytea_output: "hex",
      },
      ...options,
    });
  const readers = Math.max(1, Math.floor(poolSize / 2));
  const shared = new SharedPool(connect, readers);
  const lanes = new LanePool(connect, Math.max(1, poolSize - readers), SECONDS_TO_WAIT);
  return createDatabase({
    lanes,
    read: (use) => shared.share(use),
    connections: () => sumOf(shared.use, lanes.use),
    close: async () => {
      await Promise.all([shared.close(SECONDS_TO_CLOSE), lanes.close(SECONDS_TO_CLOSE)]);
    },
  });
}

function sumOf(one: PoolUse, other: PoolUse): PoolUse {
  return {
    size: one.size + other.size,
    busy: one.busy + other.busy,
    waiting: one.waiting + other.waiting,
  };
}
