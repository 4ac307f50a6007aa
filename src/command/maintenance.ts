/** The maintenance window. While it is open, `claim_command` refuses ordinary writes. */

import type { Database } from "../database/database.ts";

/**
 * Opens or closes the window for every process (decisions, Maintenance window). It acquires the
 * lock that blocked writes share: after it returns, none of them commits.
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

export async function isMaintenance(database: Database): Promise<boolean> {
  const [row] = await database.read((sql) =>
    sql<{ active: boolean }>`select active from maintenance_window`
  );
  if (row === undefined) throw new Error("The maintenance window has no row");
  return row.active;
}
