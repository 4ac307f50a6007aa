/**
 * Builds the search index of records that were restored, or are older than the index or its rules.
 * Runs while the service runs, one batch per transaction, in any number of processes. Until it is
 * complete, searches respond 503, so that none misses a record.
 */

import type { Catalog } from "../catalog/catalog.ts";
import { errorFields, type Log } from "../core/log.ts";
import type { Database } from "../database/database.ts";
import type { Sql } from "../database/sql.ts";
import { readRows } from "../database/walk.ts";
import { recordsBehind } from "../records/port.ts";
import { type Build, keepBuild, lockBuild } from "./build_store.ts";
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

/** How often a restore is looked for, and a failed build retried. */
const INTERVAL_MS = 30_000;

/**
 * Builds the missing part of the index.
 *
 * @param signal Ends it after the current batch.
 * @returns how many records it read.
 */
export async function buildIndex(services: BuildServices, signal?: AbortSignal): Promise<number> {
  let read = 0;
  let build: Build;
  do {
    const { rows, ...next } = await services.database.transaction(({ sql }) =>
      buildBatch(sql, services)
    );
    read += rows;
    build = next;
  } while (!build.isComplete && !signal?.aborted);
  return read;
}

/** Indexes the next batch of records, and returns their number. */
async function buildBatch(
  sql: Sql,
  { catalog }: BuildServices,
): Promise<Build & { readonly rows: number }> {
  const build = await lockBuild(sql);
  if (build.isComplete) return { ...build, rows: 0 };
  const next = await indexNext(sql, catalog, build, null, BATCH);
  await keepBuild(sql, next);
  return next;
}

/** Indexes an owner's records, in the transaction that wrote them without the Record Kernel. */
export async function indexAccount(sql: Sql, catalog: Catalog, owner: string): Promise<void> {
  let build: Build = { last: null, isComplete: false };
  while (!build.isComplete) build = await indexNext(sql, catalog, build, owner, ACCOUNT_BATCH);
}

/** Indexes the records that follow the last one, of one owner or of all. */
async function indexNext(
  sql: Sql,
  catalog: Catalog,
  { last }: Build,
  owner: string | null,
  limit: number,
): Promise<Build & { readonly rows: number }> {
  const { rows, more } = await readRows<IndexedRow>(
    sql,
    (columns, limit) => recordsBehind(sql, columns, { last, owner }, limit),
    {
      columns: sql`owner_id, record_id, module_code, title, summary,
        archived_at, guard, clocks::text as clocks,
        ${ownTimeColumn(sql, sql`stored.owner_id`)},
        ${isClosedColumn(sql, sql`stored.owner_id`)}`,
      long: longContentColumns(sql, sql`stored.owner_id`),
      limit,
    },
  );
  const records = rows.map((row) => toIndexed(catalog, row));
  await fillIndex(sql, records);
  return { last: records.at(-1) ?? last, isComplete: !more, rows: rows.length };
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
