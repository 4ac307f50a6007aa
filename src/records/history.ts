/** Revision and execution history: append-only ledgers of one record, newest first. */

import type { Catalog } from "../catalog/catalog.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import type { Page } from "../http/reply.ts";
import { RawJson } from "../validate/json_output.ts";
import { withinModule } from "./gates.ts";
import type { Target } from "./handlers.ts";
import type { Change } from "./store.ts";

/** Where a page of history begins and how long it is. */
export interface HistoryQuery {
  readonly limit: number;
  readonly cursor: string | null;
}

/** A revision as a client sees it. */
export interface PublicRevision {
  readonly revisionId: string;
  readonly recordId: string;
  readonly revision: number;
  readonly change: Change;
  readonly title: string;
  readonly summary: string;
  readonly payload: RawJson;
  readonly archivedAt: string | null;
  readonly createdAt: string;
}

/** An execution as a client sees it. */
export interface PublicExecution {
  readonly executionId: string;
  readonly recordId: string;
  readonly featureId: string;
  readonly strategy: string;
  readonly revision: number;
  readonly status: string;
  readonly output: RawJson;
  readonly createdAt: string;
}

interface RevisionRow {
  readonly revision_id: string;
  readonly record_id: string;
  readonly revision: number;
  readonly change: Change;
  readonly title: string;
  readonly summary: string;
  readonly payload: string;
  readonly archived_at: Date | null;
  readonly created_at: Date;
}

/** An execution as stored. */
export interface ExecutionRow {
  readonly execution_id: string;
  readonly record_id: string;
  readonly module_code: string;
  readonly feature_id: string;
  readonly strategy: string;
  readonly revision: number;
  readonly status: string;
  readonly output: string;
  readonly created_at: Date;
}

/**
 * Reads a page of a record's revisions.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`; `PAYLOAD_INVALID` for a cursor of another record.
 */
export async function listRevisions(
  database: Database,
  catalog: Catalog,
  owner: string,
  target: Target,
  query: HistoryQuery,
): Promise<Page<PublicRevision>> {
  const { recordId } = target;
  // The cursor names a revision; revision numbers, not identifiers, give the order.
  const cursor = (sql: Sql) =>
    sql<CursorRow>`
      select revision as position from record_revisions
       where owner_id = ${owner} and record_id = ${recordId} and revision_id = ${query.cursor}`;
  const page = (sql: Sql) =>
    sql<RevisionRow>`
      select revision_id, record_id, revision, change, title, summary, payload::text as payload,
             archived_at, created_at
        from record_revisions
       where owner_id = ${owner} and record_id = ${recordId}
         ${query.cursor === null ? sql`` : sql`and revision < (${cursor(sql)})`}
       order by revision desc limit ${query.limit + 1}`;
  const rows = await readHistory(database, catalog, owner, target, query, { cursor, page });
  return toPage(rows, query.limit, toPublicRevision, (item) => item.revisionId);
}

/**
 * Reads a page of a record's executions.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`; `PAYLOAD_INVALID` for a cursor of another record.
 */
export async function listExecutions(
  database: Database,
  catalog: Catalog,
  owner: string,
  target: Target,
  query: HistoryQuery,
): Promise<Page<PublicExecution>> {
  const { recordId } = target;
  const cursor = (sql: Sql) =>
    sql<CursorRow>`
      select execution_id as position from executions
       where owner_id = ${owner} and record_id = ${recordId} and execution_id = ${query.cursor}`;
  const page = (sql: Sql) =>
    sql<ExecutionRow>`
      select ${executionColumns(sql)} from executions
       where owner_id = ${owner} and record_id = ${recordId}
         ${query.cursor === null ? sql`` : sql`and execution_id < ${query.cursor}`}
       order by execution_id desc limit ${query.limit + 1}`;
  const rows = await readHistory(database, catalog, owner, target, query, { cursor, page });
  return toPage(rows, query.limit, toPublicExecution, (item) => item.executionId);
}

interface CursorRow {
  readonly position: string | number;
}

/** Record, cursor and page are asked together, so that an absent record costs what a present one does. */
async function readHistory<Row extends object>(
  database: Database,
  catalog: Catalog,
  owner: string,
  target: Target,
  query: HistoryQuery,
  statements: {
    readonly cursor: (sql: Sql) => Query<CursorRow>;
    readonly page: (sql: Sql) => Query<Row>;
  },
): Promise<Row[]> {
  return await database.read(async (sql) => {
    const [roots, cursors, rows] = await Promise.all([
      sql<{ module_code: string }>`
        select module_code from records
         where owner_id = ${owner} and record_id = ${target.recordId}`,
      query.cursor === null ? null : statements.cursor(sql),
      statements.page(sql),
    ]);
    withinModule(catalog, target.module, roots[0]);
    if (cursors?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
    return rows;
  });
}

/** Cuts the one row that tells whether a next page exists. */
function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  cursorOf: (item: Item) => string,
): Page<Item> {
  const items = rows.slice(0, limit).map(toItem);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}

function toPublicRevision(row: RevisionRow): PublicRevision {
  return {
    revisionId: row.revision_id,
    recordId: row.record_id,
    revision: row.revision,
    change: row.change,
    title: row.title,
    summary: row.summary,
    payload: new RawJson(row.payload),
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
  };
}

/** The public form of an execution. */
export function toPublicExecution(row: ExecutionRow): PublicExecution {
  return {
    executionId: row.execution_id,
    recordId: row.record_id,
    featureId: row.feature_id,
    strategy: row.strategy,
    revision: row.revision,
    status: row.status,
    output: new RawJson(row.output),
    createdAt: row.created_at.toISOString(),
  };
}

/** The columns of `ExecutionRow`. */
export function executionColumns(sql: Sql): Query<object> {
  return sql`execution_id, record_id, module_code, feature_id, strategy, revision, status,
    output::text as output, created_at`;
}
