import type { AgeIdentity, Recipient } from "../../src/operator/backup/age/stanza.ts";
import { BackupError } from "../../src/operator/backup/backup_error.ts";
import { BackupFile } from "../../src/operator/backup/backup_file.ts";
import { type Contents, type Head, headLine, tableLine } from "../../src/operator/backup/format.ts";
import { checkBackup, type CheckedBackup } from "../../src/operator/backup/read_backup.ts";
import { restoreBackup, type RestoreTarget } from "../../src/operator/backup/restore.ts";
import { BACKED_UP_TABLES } from "../../src/operator/backup/tables.ts";
import { writeBackup } from "../../src/operator/backup/write_backup.ts";
import type { Json, World } from "../support/world.ts";

export interface BackupFolder extends AsyncDisposable {
  readonly path: string;
}

/** Removed on disposal. */
export async function backupFolder(): Promise<BackupFolder> {
  const path = await Deno.makeTempDir({ prefix: "prs-backup-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}

export async function backUpWorld(
  { database, objects, now }: World,
  path: string,
  { serverSecret = null, recipient = null }: {
    readonly serverSecret?: string | null;
    readonly recipient?: Recipient | null;
  } = {},
): Promise<Contents> {
  return await writeBackup({ database, objects, now: now(), serverSecret, recipient }, path, {});
}

/** Restores as the program does. */
export async function restoreFile(
  target: RestoreTarget,
  path: string,
  identity: AgeIdentity | null = null,
): Promise<CheckedBackup> {
  const backup = await checkBackup(path, identity);
  await restoreBackup(target, backup, () => {});
  return backup;
}

/** Line by line: a head at schema version `head.schema`, then rows of one table. */
export async function writeForged(
  path: string,
  head: Partial<Head>,
  table: string,
  rows: readonly string[] = [],
): Promise<void> {
  await using file = await BackupFile.create(path, {
    encryption: null,
    signal: new AbortController().signal,
  });
  const createdAt = "2026-11-20T12:00:00.000Z";
  await file.write(headLine({ schema: 1, createdAt, serverSecret: null, ...head }));
  await file.write(tableLine(table));
  const tally = file.tally.table(table);
  for (const row of rows) {
    tally.add(row);
    await file.write(row);
  }
  await file.finish();
}

/**
 * Every row of the backed-up tables, read past the backup code; without transaction numbers, which
 * are not restored.
 */
export async function allRows(
  world: Pick<World, "rows">,
): Promise<Readonly<Record<string, string[]>>> {
  const tables: Record<string, string[]> = {};
  for (const { name, transaction } of BACKED_UP_TABLES) {
    const columns = await world.rows(`
      select column_name as name from information_schema.columns
       where table_schema = 'public' and table_name = '${name}'
         and column_name <> '${transaction ?? ""}'
       order by ordinal_position`);
    const list = columns.map((column: Json) => column.name).join(", ");
    const rows = await world.rows(`select row(${list})::text as row from ${name} t`);
    tables[name] = rows.map(({ row }: Json) => row).sort();
  }
  return tables;
}

/** Rows that a new database does not have. */
export async function countRows(world: Pick<World, "rows">): Promise<number> {
  const tables = await allRows(world);
  return BACKED_UP_TABLES.filter(({ fixed }) => !fixed)
    .reduce((sum, { name }) => sum + (tables[name]?.length ?? 0), 0);
}

/** The error's message; null on success. */
export async function refusalOf(action: Promise<unknown>): Promise<string | null> {
  try {
    await action;
    return null;
  } catch (error) {
    if (error instanceof BackupError) return error.message;
    throw error;
  }
}

/** The text of a backup. */
export async function unpacked(path: string): Promise<string> {
  const file = await Deno.open(path);
  return await new Response(file.readable.pipeThrough(new DecompressionStream("gzip"))).text();
}
