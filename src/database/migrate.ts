/**
 * 1. Reject a server older than PostgreSQL 15, and a replaced, changed or unknown step; end if none
 *    is missing.
 * 2. Under one advisory lock, in one transaction: read the applied steps; reject such steps again;
 *    apply the next missing one and record it. A database without steps gets all of them in this
 *    transaction; another one gets one step per transaction, so that running processes wait for the
 *    locks of one step only.
 *
 * Processes may start concurrently: they wait for the lock and find the work done.
 */

import { Buffer } from "node:buffer";
import { sha256 } from "../core/digest.ts";
import type { Database, Tx } from "./database.ts";
import { type Migration, MIGRATIONS } from "./migration_files.ts";
import type { Sql } from "./sql.ts";

const OLDEST_SERVER = 150_000;
const MIGRATION_LOCK = 7201985432011;

/** The message names the reason. Nothing was changed. */
export class MigrationError extends Error {
  override readonly name = "MigrationError";
}

/**
 * A step of the schema before the first release, when all steps were rewritten. It identifies
 * databases that have the old ones.
 */
const REPLACED_STEP = { version: 6, name: "authorization" };

export const WAY_OVER =
  "run `admin account freeze` and `admin account export` for each account; with this release, start on " +
  "an empty database and run `admin account import` and `admin account unfreeze` for each";

/** @param report Receives the first and the last step of each committed transaction. */
export async function migrate(
  database: Database,
  migrations: readonly Migration[] = MIGRATIONS,
  report: (first: Migration, last: Migration) => void = () => {},
): Promise<void> {
  if (await database.read((sql) => isUpToDate(sql, migrations))) return;
  for (let isMissing = true; isMissing;) {
    const applied = await database.transaction((tx) => applyNext(tx, migrations));
    const [first, last] = [applied[0], applied.at(-1)];
    if (first !== undefined && last !== undefined) report(first, last);
    isMissing = last !== undefined && last !== migrations.at(-1);
  }
}

/** Steps are never undone, so this needs no lock. */
async function isUpToDate(sql: Sql, migrations: readonly Migration[]): Promise<boolean> {
  const [row] = await sql<{ version: number; migrated: boolean }>`
    select current_setting('server_version_num')::int as version,
           to_regclass('schema_migrations') is not null as migrated`;
  if ((row?.version ?? 0) < OLDEST_SERVER) {
    throw new MigrationError("PostgreSQL 15 or newer is needed");
  }
  if (!row?.migrated) return false;
  const applied = await readApplied(sql);
  assertKnown(applied, migrations);
  return applied.length === migrations.length;
}

/** The newest step's number; 0 without a schema. */
export async function schemaVersion(sql: Sql): Promise<number> {
  const [table] = await sql<{ exists: boolean }>`
    select to_regclass('schema_migrations') is not null as exists`;
  if (!table?.exists) return 0;
  const [row] = await sql<{ version: number }>`
    select coalesce(max(version), 0) as version from schema_migrations`;
  return row?.version ?? 0;
}

/** Returns the steps that it applied; none if no step is missing. */
async function applyNext(
  tx: Tx,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  await tx.withoutTimeouts();
  await tx.sql`select pg_advisory_xact_lock(${MIGRATION_LOCK}::bigint)`;
  await tx.sql`
    create table if not exists schema_migrations (
      version integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz(3) not null default now()
    )`;
  const applied = await readApplied(tx.sql);
  assertKnown(applied, migrations);
  const end = applied.length === 0 ? migrations.length : applied.length + 1;
  const steps = migrations.slice(applied.length, end);
  for (const step of steps) await apply(tx, step);
  return steps;
}

async function apply(tx: Tx, step: Migration): Promise<void> {
  await tx.sql`
    insert into schema_migrations (version, name, checksum)
    values (${step.version}, ${step.name}, ${checksum(step)})`;
  await tx.script(step.sql);
}

function readApplied(sql: Sql): Promise<readonly AppliedMigration[]> {
  return sql<AppliedMigration>`
    select version, name, checksum from schema_migrations order by version`;
}

interface AppliedMigration {
  readonly version: number;
  readonly name: string;
  readonly checksum: string;
}

function assertKnown(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): void {
  const { version, name } = REPLACED_STEP;
  if (applied.some((row) => row.version === version && row.name === name)) {
    throw new MigrationError(
      "The database has the schema of an earlier revision, which this release cannot upgrade. " +
        `With that revision, ${WAY_OVER}`,
    );
  }
  for (const [index, row] of applied.entries()) {
    const known = migrations[index];
    if (known === undefined || known.version !== row.version) {
      throw new MigrationError(
        `The database has schema version ${row.version}, which this release does not know`,
      );
    }
    if (checksum(known) !== row.checksum) {
      throw new MigrationError(`Schema version ${row.version} differs from what was applied`);
    }
  }
}

function checksum(migration: Migration): string {
  return Buffer.from(sha256(migration.sql)).toString("hex");
}
