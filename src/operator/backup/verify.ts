import type { Report } from "../../core/report.ts";
import type { Database } from "../../database/database.ts";
import { BackupError } from "./backup_error.ts";
import type { TableSum } from "./format.ts";
import type { CheckedBackup } from "./read_backup.ts";
import { restoreContents } from "./restore.ts";
import { sumTable } from "./table_rows.ts";
import { BACKED_UP_TABLES } from "./tables.ts";

/**
 * Restores a backup into a scratch database and compares it with the manifest. Attachments' bytes
 * are checked, not stored.
 *
 * @throws BackupError if they differ, and any error of a restore.
 */
export async function verifyBackup(
  scratch: Database,
  backup: CheckedBackup,
  report: Report,
): Promise<void> {
  await restoreContents({ database: scratch, objects: null }, backup, report);
  const expected = backup.manifest.tables;
  const found = await sumTables(scratch, Object.keys(expected), new Date(backup.head.createdAt));
  for (const [name, sum] of Object.entries(expected)) {
    const restored = found[name];
    if (restored?.rows !== sum.rows || restored.sha256 !== sum.sha256) {
      throw new BackupError(`The restored rows of ${name} differ from the backup`);
    }
  }
}

/** Counts and digests the rows of all tables, as a backup at `now` would. */
export async function sumTables(
  database: Database,
  names: readonly string[],
  now: Date,
): Promise<Readonly<Record<string, TableSum>>> {
  return await database.snapshot(async (sql) => {
    const sums: Record<string, TableSum> = {};
    for (const table of BACKED_UP_TABLES) {
      if (names.includes(table.name)) sums[table.name] = await sumTable(sql, table, now);
    }
    return sums;
  });
}
