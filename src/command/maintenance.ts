/** The maintenance window: while it is open, `claim_command` refuses ordinary writes. */

import type { Database } from "../database/database.ts";

/**
 * Opens or closes the maintenance window for every process (decisions, Maintenance window).
 *
 * It takes the lock that frozen writes share, so it waits until running ones have ended, and new ones wait
 * for it: none commits after it has returned.
 *
 * @returns false if the window already was in this state.
 */
export async function setMaintenance(database: Database, active: boolean): Promise<boolean> {
  return await database.transaction(async (tx) => {
    await tx.withoutTimeouts();
    await tx.sql`select pg_advisory_xact_lock(maintenance_lock())`;
    const changed = await tx.sql`
      update maintenance_window set active = ${active} where active <> ${active} returning 1`;
    return changed.length > 0;
  });
}

/** Whether the maintenance window is open. */
export async function isMaintenance(database: Database): Promise<boolean> {
  const [row] = await database.read((sql) =>
    sql<{ active: boolean }>`select active from maintenance_window`
  );
  if (row === undefined) throw new Error("The maintenance window has no row");
  return row.active;
}
