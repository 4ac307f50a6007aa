/**
 * Restores a backup into an empty database of either engine.
 *
 *   1. The caller has read the whole file, so a damaged one is rejected before anything changes.
 *   2. Bring the schema to the backup's version.
 *   3. In one transaction: check that the tables are empty, insert the rows, write attachments'
 *      bytes to the disk, begin a new changes feed, mark the search index for a rebuild, store the
 *      server secret on the disk if required, check the manifest a second time, and commit.
 *   4. Bring the schema up to date, which migrates the rows.
 *
 * A restore excludes the subjects of DATA_DIR/erasures.jsonl (src/operator/erasure).
 */

import { checkAuthorizationIdentifiers } from "../../access/authorization.ts";
import type { AgeIdentity } from "./age/stanza.ts";
import { beginChangeFeed } from "../../records/feed/port.ts";
import type { ObjectStore } from "../../attachments/object_store.ts";
import { counted } from "../../core/counted.ts";
import type { Report } from "../../core/report.ts";
import type { Database, Tx } from "../../database/database.ts";
import { migrate, schemaVersion } from "../../database/migrate.ts";
import { MIGRATIONS } from "../../database/migration_files.ts";
import { identifier } from "../../database/sql.ts";
import { type Erasure, ERASURE_STEP, insertSubjects } from "../../erasure/erased_store.ts";
import type { ErasedIds } from "../../erasure/erased_ids.ts";
import { ErasureFilter } from "../../erasure/filter.ts";
import { restartBuild } from "../../search/build_store.ts";
import { BackupError } from "./backup_error.ts";
import type { BackedUpObject } from "./format.ts";
import { TableTally } from "./format.ts";
import { type BackupLine, type CheckedBackup, readBackup } from "./read_backup.ts";
import { insertRows, lockTable, sumTable } from "./table_rows.ts";
import { BACKED_UP_TABLES, type BackedUpTable } from "./tables.ts";

const BATCH_CHARACTERS = 512 * 1024;

/** The erasures whose rows a restore excludes. */
export interface AppliedErasures {
  readonly list: readonly Erasure[];
  readonly erased: ErasedIds;
}

export interface RestoreTarget {
  /** An empty database, with or without a schema. */
  readonly database: Database;
  /** The store of attachments; null if their bytes are only checked. */
  readonly objects: Pick<ObjectStore, "spool"> | null;
  /** Null if everything is restored. */
  readonly erasures?: AppliedErasures | null;
}

/**
 * Restores a backup, and brings its schema up to date.
 *
 * @param prepare Runs last in the transaction of the rows.
 * @throws BackupError if the database is not empty, or has a newer schema than the backup, or the
 *   file was changed since; AuthorizationIdentifierConflictError, MigrationError. No row is
 *   restored then.
 */
export async function restoreBackup(
  target: RestoreTarget,
  backup: CheckedBackup,
  report: Report,
  prepare?: (tx: Tx) => Promise<void>,
): Promise<void> {
  await restoreContents(target, backup, report, prepare);
  await migrate(target.database);
}

/** As `restoreBackup`, but keeps the backup's schema version. */
export async function restoreContents(
  { database, objects, erasures = null }: RestoreTarget,
  { path, identity, head, manifest }: CheckedBackup,
  report: Report,
  prepare: (tx: Tx) => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  await prepareSchema(database, head.schema);
  const applied = erasures === null || erasures.erased.isEmpty ? null : erasures;
  if (applied !== null) await findErased(applied.erased, path, identity);
  await database.transaction(async (tx) => {
    await tx.withoutTimeouts();
    await assertEmpty(tx, BACKED_UP_TABLES.filter(({ name }) => name in manifest.tables));
    if (applied !== null) await insertErasures(tx, head.schema, applied.list);
    // Here, because a transaction that is tried again counts from the beginning.
    const filter = applied === null ? null : new ErasureFilter(applied.erased);
    await using entries = await Entries.open(path, identity);
    await restoreEntries(entries, { tx, objects, filter }, report);
    await beginChangeFeed(tx);
    await restartBuild(tx.sql);
    await prepare(tx);
  });
}

/** Adds the identifiers of all rows that belong to erased ones. */
async function findErased(
  erased: ErasedIds,
  path: string,
  identity: AgeIdentity | null,
): Promise<void> {
  let table = "";
  for await (const entry of readBackup(path, identity)) {
    if (entry.kind === "table") table = entry.table.name;
    if (entry.kind === "row") erased.subjectOf(table, JSON.parse(entry.line));
  }
}

/** Foreign keys of older schemas to rows that may be erased; the step of erasure drops them. */
const OLD_KEYS: readonly (readonly [table: string, constraint: string])[] = [
  ["taxonomy_terms", "taxonomy_parent_exists"],
  ["taxonomy_terms", "taxonomy_merged_into_exists"],
  ["identity_slugs", "slug_of_profile"],
  ["person_details", "detail_links_person"],
];

/** Stores the erasures before the rows, because guards read them. */
async function insertErasures(tx: Tx, schema: number, erasures: readonly Erasure[]): Promise<void> {
  if (schema >= ERASURE_STEP) {
    for (const erasure of erasures) await insertSubjects(tx.sql, erasure);
    return;
  }
  for (const [table, constraint] of OLD_KEYS) {
    await tx.sql`
      alter table if exists ${identifier(tx.sql, table)}
        drop constraint if exists ${identifier(tx.sql, constraint)}`;
  }
}

/** Brings an empty database to a version of the schema. */
export async function prepareSchema(database: Database, version: number): Promise<void> {
  if (await database.read(schemaVersion) > version) {
    throw new BackupError(
      `The backup has schema version ${version}: restore it into a database on which this release ` +
        "has not been started",
    );
  }
  await checkAuthorizationIdentifiers(database);
  await migrate(database, MIGRATIONS.filter((step) => step.version <= version));
}

/** @throws BackupError if the database has rows. */
export async function assertEmpty(tx: Tx, tables: readonly BackedUpTable[]): Promise<void> {
  for (const table of tables) {
    const isFilled = await lockTable(tx, table);
    if (isFilled && !table.fixed) {
      throw new BackupError(`The database is not empty: there are rows in ${table.name}`);
    }
  }
}

interface EntryTarget {
  readonly tx: Tx;
  readonly objects: Pick<ObjectStore, "spool"> | null;
  /** Null if every row is restored. */
  readonly filter: ErasureFilter | null;
}

async function restoreEntries(
  entries: Entries,
  { tx, objects, filter }: EntryTarget,
  report: Report,
): Promise<void> {
  let count = 0;
  while (entries.current !== null) {
    const entry = entries.current;
    await entries.advance();
    if (entry.kind === "table") {
      if (entry.table.fixed) await compareTable(entries, tx, entry.table);
      else await restoreTable(entries, { tx, filter }, entry.table, report);
    }
    if (entry.kind === "object" && objects !== null && retainsObject(filter, entry.object)) {
      await restoreObject(entries, { tx, objects }, entry.object);
      report(counted(++count, "attachment"));
    }
  }
}

function retainsObject(filter: ErasureFilter | null, { owner, sha256 }: BackedUpObject): boolean {
  return filter === null || filter.retainsObject(owner, sha256);
}

async function restoreTable(
  entries: Entries,
  { tx, filter }: Pick<EntryTarget, "tx" | "filter">,
  table: BackedUpTable,
  report: Report,
): Promise<void> {
  let [batch, characters, rows]: [string[], number, number] = [[], 0, 0];
  const insert = async () => {
    if (batch.length > 0) await insertRows(tx, table, batch);
    rows += batch.length;
    [batch, characters] = [[], 0];
    report(`${table.name}: ${counted(rows, "row")}`);
  };
  for await (const restored of entries.rows()) {
    const line = filter === null ? restored : filter.apply(table.name, restored);
    if (line === null) continue;
    batch.push(line);
    characters += line.length;
    if (characters >= BATCH_CHARACTERS) await insert();
  }
  await insert();
}

/** @throws BackupError if the rows of a fixed table differ. */
async function compareTable(entries: Entries, tx: Tx, table: BackedUpTable): Promise<void> {
  const backedUp = new TableTally();
  for await (const line of entries.rows()) backedUp.add(line);
  const present = await sumTable(tx.sql, table, new Date(0));
  if (present.sha256 !== backedUp.sum().sha256) {
    throw new BackupError(`The rows of ${table.name} differ from the backup`);
  }
}

/** Files stay if the transaction fails later; unused ones do no harm. */
async function restoreObject(
  entries: Entries,
  { tx, objects }: Pick<EntryTarget, "tx"> & { readonly objects: Pick<ObjectStore, "spool"> },
  { owner, size }: BackedUpObject,
): Promise<void> {
  const received = await objects.spool(owner, ReadableStream.from(entries.bytes()), size);
  try {
    await received.store(tx.sql);
  } finally {
    await received.discard();
  }
}

/** A backup's entries with a look at the next one. */
class Entries implements AsyncDisposable {
  readonly #source: AsyncGenerator<BackupLine>;
  #current: BackupLine | null = null;

  private constructor(source: AsyncGenerator<BackupLine>) {
    this.#source = source;
  }

  static async open(path: string, identity: AgeIdentity | null): Promise<Entries> {
    const entries = new Entries(readBackup(path, identity));
    await entries.advance();
    return entries;
  }

  /** Null after the last one. */
  get current(): BackupLine | null {
    return this.#current;
  }

  async advance(): Promise<void> {
    const next = await this.#source.next();
    this.#current = next.done ? null : next.value;
  }

  async *rows(): AsyncGenerator<string> {
    while (this.#current?.kind === "row") {
      yield this.#current.line;
      await this.advance();
    }
  }

  async *bytes(): AsyncGenerator<Uint8Array> {
    while (this.#current?.kind === "bytes") {
      yield this.#current.bytes;
      await this.advance();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#source.return(undefined);
  }
}
