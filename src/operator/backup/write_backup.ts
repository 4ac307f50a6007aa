import { createHash } from "node:crypto";
import { beginEncryption } from "./age/encrypted_file.ts";
import type { Recipient } from "./age/stanza.ts";
import type { ObjectStore } from "../../attachments/object_store.ts";
import { lossOf } from "../../attachments/loss.ts";
import { type ListedObject, listObjects } from "../../attachments/stored_object.ts";
import { counted } from "../../core/counted.ts";
import type { Report } from "../../core/report.ts";
import type { Database } from "../../database/database.ts";
import { schemaVersion } from "../../database/migrate.ts";
import { MIGRATIONS } from "../../database/migration_files.ts";
import type { Sql } from "../../database/sql.ts";
import { BackupError } from "./backup_error.ts";
import { BackupFile, type BackupFileOptions } from "./backup_file.ts";
import {
  type BackedUpObject,
  bytesLine,
  type Contents,
  type Head,
  headLine,
  lostLine,
  objectLine,
  tableLine,
} from "./format.ts";
import { checkBackup } from "./read_backup.ts";
import { readRows } from "./table_rows.ts";
import { BACKED_UP_TABLES } from "./tables.ts";

interface BackupSource {
  readonly database: Database;
  readonly objects: ObjectStore;
  readonly now: Date;
  /** The secret to include; null if it must not be included. */
  readonly serverSecret: string | null;
  /** Null without encryption. */
  readonly recipient: Recipient | null;
}

interface BackupOptions {
  readonly report?: Report;
  readonly signal?: AbortSignal;
  /** True if the whole file is read from the disk before it gets its final name. */
  readonly isReadBack?: boolean;
}

/**
 * Writes a backup to `path`: the rows of one snapshot, then the bytes of their attachments, which
 * never change and can be copied while the service runs. If bytes are missing or damaged, the file
 * names their attachments instead.
 *
 * @throws BackupError if the schema is, or becomes, of a newer release, or bytes change while they
 *   are copied. No file is left at `path` then.
 */
export async function writeBackup(
  source: BackupSource,
  path: string,
  { report = () => {}, signal = new AbortController().signal, isReadBack = false }: BackupOptions,
): Promise<Contents> {
  const { database, objects, recipient } = source;
  // Begun before the snapshot, because a passphrase takes seconds.
  const encryption = recipient === null ? null : await beginEncryption(recipient);
  const options = { encryption, signal };
  const taken = await database.snapshot((sql) => writeTables(sql, source, path, options, report));
  await using file = taken.file;
  // A newly applied step of the schema may have hidden rows from the snapshot.
  if (await database.read(schemaVersion) !== taken.head.schema) {
    throw new BackupError("The schema was upgraded during the backup: back up again");
  }
  let lost = 0;
  for (const [index, object] of taken.objects.entries()) {
    signal.throwIfAborted();
    if (await lossOf(objects, object) === null) {
      await writeObject(file, objects, object);
    } else {
      await writeLost(file, object);
      lost += object.attachmentIds.length;
    }
    report(`${index + 1} of ${taken.objects.length} attachments`);
  }
  await objects.noteLost(lost);
  const manifest = await file.finish(async (draft) => {
    if (isReadBack) await checkBackup(draft, encryption?.identity ?? null, signal);
  });
  return { head: taken.head, manifest };
}

interface TakenSnapshot {
  readonly head: Head;
  readonly file: BackupFile;
  readonly objects: readonly ListedObject[];
}

/** Writes the tables, and begins the file: a retried snapshot begins a new one. */
async function writeTables(
  sql: Sql,
  { now, serverSecret }: BackupSource,
  path: string,
  options: BackupFileOptions,
  report: Report,
): Promise<TakenSnapshot> {
  await using opened = new AsyncDisposableStack();
  const schema = await schemaVersion(sql);
  assertKnown(schema);
  const file = opened.use(await BackupFile.create(path, options));
  const head = { schema, createdAt: now.toISOString(), serverSecret };
  await file.write(headLine(head));
  for (const table of BACKED_UP_TABLES) {
    if (table.needsSecret && serverSecret === null) continue;
    await file.write(tableLine(table.name));
    const tally = file.tally.table(table.name);
    for await (const lines of readRows(sql, table, now)) {
      for (const line of lines) tally.add(line);
      await file.write(lines.join("\n"));
      report(`${table.name}: ${counted(tally.sum().rows, "row")}`);
    }
  }
  const objects = await listObjects(sql);
  opened.move();
  return { head, file, objects };
}

/** A newer schema may have tables that this release would silently omit. */
function assertKnown(schema: number): void {
  if (schema > MIGRATIONS.length) {
    throw new BackupError(
      `The database has schema version ${schema}, which this release does not know: ` +
        "back up with the release that created it",
    );
  }
}

async function writeLost(file: BackupFile, { attachmentIds }: ListedObject): Promise<void> {
  for (const attachmentId of attachmentIds) {
    file.tally.lost(attachmentId);
    await file.write(lostLine(attachmentId));
  }
}

/** @throws BackupError or LostObjectError if the bytes have changed since they were checked. */
async function writeObject(
  file: BackupFile,
  objects: ObjectStore,
  object: BackedUpObject,
): Promise<void> {
  const content = await objects.read(object);
  await file.write(objectLine(object));
  const hash = createHash("sha256");
  for await (const bytes of content) {
    hash.update(bytes);
    await file.write(bytesLine(bytes));
  }
  if (hash.digest("hex") !== object.sha256) {
    throw new BackupError("An attachment changed while it was copied: back up again");
  }
  file.tally.object(object);
}
