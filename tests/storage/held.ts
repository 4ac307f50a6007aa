/** Open transactions on a server, and sessions that wait for them. */

import type { Database, Tx } from "../../src/database/database.ts";
import { waitUntil } from "../support/wait.ts";
import type { ServerDatabase } from "./server.ts";

/** A transaction that is open until the test ends it. */
export interface OpenTransaction {
  commit(): Promise<void>;
  rollBack(): Promise<void>;
}

export async function begin(
  database: Database,
  work: (tx: Tx) => Promise<unknown>,
): Promise<OpenTransaction> {
  const worked = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const rolledBack = new Error("rolled back");
  const running = database.transaction(async (tx) => {
    await work(tx);
    worked.resolve();
    await end.promise;
  }).catch((error) => {
    if (error !== rolledBack) throw error;
  });
  await Promise.race([worked.promise, running]);
  return {
    commit: () => {
      end.resolve();
      return running;
    },
    rollBack: () => {
      end.reject(rolledBack);
      return running;
    },
  };
}

export async function waitForWaiters(server: ServerDatabase, count: number): Promise<void> {
  await waitUntil(`${count} sessions wait for a lock`, async () => {
    const waiting = await server.rows(`
      select 1 from pg_locks l join pg_database d on d.oid = l.database
       where not l.granted and d.datname = current_database()`);
    return waiting.length === count;
  });
}

/** Includes row locks, for which `pg_locks` names no database. */
export async function waitForBlocked(
  server: Pick<ServerDatabase, "rows">,
  count: number,
): Promise<void> {
  await waitUntil(`${count} sessions are blocked`, async () => {
    const blocked = await server.rows(`
      select 1 from pg_stat_activity
       where wait_event_type = 'Lock' and datname = current_database()`);
    return blocked.length === count;
  });
}
