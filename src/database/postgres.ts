import postgres from "postgres";
import { createDatabase, type Database } from "./database.ts";
import { type Connect, createLane, LanePool } from "./lane.ts";

const SECONDS_TO_CONNECT = 5;
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
      connection: {
        application_name: "personal-records-service",
        default_transaction_read_only: true,
        statement_timeout: 10_000,
        lock_timeout: 3_000,
        idle_in_transaction_session_timeout: 15_000,
        timezone: "UTC",
      },
      ...options,
    });
  const readers = Math.max(1, Math.floor(poolSize / 2));
  const writers = Math.max(1, poolSize - readers);
  const readClient = connect({ max: readers });
  const lanes = new LanePool(Array.from({ length: writers }, () => createLane(connect)));
  return createDatabase({
    lanes,
    read: (use) => use(readClient),
    close: async () => {
      await Promise.all([
        readClient.end({ timeout: SECONDS_TO_CLOSE }),
        lanes.close(SECONDS_TO_CLOSE),
      ]);
    },
  });
}
