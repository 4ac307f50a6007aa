/**
 * Builds the search index and the order of records that were restored, or are older than them or
 * their rules. Runs while the service runs, one batch per transaction, in any number of processes.
 * Until it is complete, their readers respond 503, so that none misses a record.
 *
 * After all records, it repeats the rows that a process of the release before wrote.
 */

import type { Catalog } from "../catalog/catalog.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Database } from "../database/database.ts";
import { isLockTimeout } from "../database/failures.ts";
import type { Sql } from "../database/sql.ts";
import { readRows } from "../database/walk.ts";
import {
  changedRecords,
  recordsAfter,
  recordsOfFormerRule,
  type RecordVersion,
  type StoredRecords,
  versionColumn,
} from "../records/search_index/build_records.ts";
import { keepBuild, lockBuild } from "./build_store.ts";
import {
  type IndexedRow,
  isClosedColumn,
  longContentColumns,
  ownTimeColumn,
  toIndexed,
} from "./content.ts";
import { fillIndex } from "../records/search_index/index_store.ts";

interface BuildServices {
  readonly database: Database;
  readonly catalog: Catalog;
}

/** Maximum records per transaction, because requests to the built-in engine wait for it. */
const BATCH = 100;
/** Records per statement if one transaction indexes an account; limits memory. */
const ACCOUNT_BATCH = 25;

/** How often a restore or a former rule is looked for, and a failed build retried. */
const INTERVAL_MS = 30_000;

/**
 * The longest wait for a row that a write holds, which may wait for a row of this batch: then the
 * batch ends, and not the write.
 */
const LOCK_TIMEOUT = "100ms";
const RETRY_MS = 100;

/** A record of the batch changed after it was read, so its rows may be older than the record. */
class ChangedRecord extends Error {}

/**
 * Builds the missing part of the index.
 *
 * @param signal Ends it after the current batch.
 * @returns how many records it read.
 */
export async function buildIndex(services: BuildServices, signal?: AbortSignal): Promise<number> {
  let read = 0;
  let rows: number;
  do {
    rows = await writeBatch(services, signal);
    read += rows;
  } while (rows > 0 && !signal?.aborted);
  return read;
}

/** Indexes the next batch of records when no write holds its rows; returns their number. */
async function writeBatch(services: BuildServices, signal?: AbortSignal): Promise<number> {
  do {
    try {
      return await services.database.transaction(({ sql }) => buildBatch(sql, services));
    } catch (error) {
      if (!isLockTimeout(error) && !(error instanceof ChangedRecord)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
  } while (!signal?.aborted);
  return 0;
}

async function buildBatch(sql: Sql, { catalog }: BuildServices): Promise<number> {
  const build = await lockBuild(sql);
  await sql`select set_config('lock_timeout', ${LOCK_TIMEOUT}, true)`;
  const records = build.isComplete ? recordsOfFormerRule : recordsAfter(build.last, null);
  const { rows, more } = await indexNext(sql, catalog, records, BATCH);
  const [changed] = await changedRecords(sql, rows);
  if (changed) throw new ChangedRecord();
  if (!build.isComplete) {
    await keepBuild(sql, { last: rows.at(-1) ?? build.last, isComplete: !more });
  }
  return rows.length;
}

/** Indexes an owner's records, in the transaction that wrote them without the Record Kernel. */
export async function indexAccount(sql: Sql, catalog: Catalog, owner: string): Promise<void> {
  let last: RecordVersion | null = null;
  let more = true;
  while (more) {
    const next: Indexed = await indexNext(sql, catalog, recordsAfter(last, owner), ACCOUNT_BATCH);
    last = next.rows.at(-1) ?? null;
    more = next.more;
  }
}

interface Indexed {
  readonly rows: readonly RecordVersion[];
  readonly more: boolean;
}

/** Indexes the first records of a selection. */
async function indexNext(
  sql: Sql,
  catalog: Catalog,
  records: StoredRecords,
  limit: number,
): Promise<Indexed> {
  const { rows, more } = await readRows<IndexedRow & { readonly version: string }>(
    sql,
    (columns, limit) => records(sql, columns, limit),
    {
      columns: sql`owner_id, record_id, module_code, title, summary,
        archived_at, guard, clocks::text as clocks, ${versionColumn(sql)},
        ${ownTimeColumn(sql, sql`stored.owner_id`)},
        ${isClosedColumn(sql, sql`stored.owner_id`)}`,
      long: longContentColumns(sql, sql`stored.owner_id`),
      limit,
    },
  );
  await fillIndex(sql, rows.map((row) => toIndexed(catalog, row)));
  const versions = rows.map(({ owner_id: owner, record_id: recordId, version }) => ({
    owner,
    recordId,
    version,
  }));
  return { rows: versions, more };
}

/** Builds whenever the index is incomplete, until the returned function is called. */
export function startIndexBuild(services: BuildServices, log: Log): () => Promise<void> {
  const ending = new AbortController();
  const build = async () => {
    try {
      const records = await buildIndex(services, ending.signal);
      if (records > 0) log.info("search_index_built", { records });
    } catch (error) {
      log.error("search_index_build_failed", errorFields(error));
    }
  };
  let running = build();
  const timer = setInterval(() => running = running.then(build), INTERVAL_MS);
  return async () => {
    clearInterval(timer);
    ending.abort();
    await running;
  };
}
