/** Revision and execution history: append-only ledgers of one record, newest first. */

import type { Identity } from "../access/identity.ts";
import type { Permission } from "../access/permissions.ts";
import type { Catalog } from "../catalog/catalog.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { readRows, type Walked } from "../database/walk.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { type Page, type PageQuery, toWalkedPage } from "../http/page.ts";
import type { RawJson } from "../validate/json_output.ts";
import {
  component,
  enumOf,
  type JsonSchema,
  nullable,
  REVISION,
  TEXT,
  TIME,
  ULID,
} from "../validate/json_schema.ts";
import {
  type ExecutionRow,
  type PublicExecution,
  shortExecutionColumns,
  toPublicExecution,
} from "./execution.ts";
import { type RecordPath, withinModule } from "./module_access.ts";
import { contentOf, HIDDEN_CONTENT, isHidden, STORED_PAYLOAD } from "./record.ts";
import { type Change, CHANGES, longRecordColumns } from "./store.ts";

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
  readonly redacted?: true;
}

export const REVISION_SCHEMA: JsonSchema = component<PublicRevision>("RecordRevision", {
  revisionId: ULID,
  recordId: ULID,
  revision: REVISION,
  change: enumOf(CHANGES),
  title: TEXT,
  summary: TEXT,
  payload: STORED_PAYLOAD,
  archivedAt: nullable(TIME),
  createdAt: TIME,
  redacted: { const: true },
}, ["redacted"]);

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

/**
 * Reads a page of a record's revisions.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`; `PAYLOAD_INVALID` for a cursor of another record.
 */
export async function listRevisions(
  database: Database,
  catalog: Catalog,
  reader: Identity,
  path: RecordPath,
  query: PageQuery,
): Promise<Page<PublicRevision>> {
  const { recordId } = path;
  const owner = reader.account.accountId;
  // The cursor names a revision; revision numbers, not identifiers, give the order.
  const cursor = (sql: Sql) =>
    sql<CursorRow>`
      select revision as position from record_revisions
       where owner_id = ${owner} and record_id = ${recordId} and revision_id = ${query.cursor}`;
  const page = (sql: Sql) =>
    readRows<RevisionRow>(
      sql,
      (columns, limit) =>
        sql`
          select ${columns} from record_revisions
           where owner_id = ${owner} and record_id = ${recordId}
             ${query.cursor === null ? sql`` : sql`and revision < (${cursor(sql)})`}
           order by revision desc limit ${limit}`,
      {
        columns:
          sql`revision_id, record_id, revision, change, title, summary, archived_at, created_at`,
        long: longRecordColumns(sql),
        limit: query.limit,
      },
    );
  const { walked, hidden } = await readHistory(database, catalog, reader, path, query, {
    cursor,
    page,
  });
  const toItem = (row: RevisionRow) => toPublicRevision(row, hidden);
  return toWalkedPage(walked, toItem, (row) => row.revision_id);
}

/**
 * Reads a page of a record's executions.
 *
 * @throws ServiceError `RECORD_NOT_FOUND`; `PAYLOAD_INVALID` for a cursor of another record.
 */
export async function listExecutions(
  database: Database,
  catalog: Catalog,
  reader: Identity,
  path: RecordPath,
  query: PageQuery,
): Promise<Page<PublicExecution>> {
  const { recordId } = path;
  const owner = reader.account.accountId;
  const cursor = (sql: Sql) =>
    sql<CursorRow>`
      select execution_id as position from executions
       where owner_id = ${owner} and record_id = ${recordId} and execution_id = ${query.cursor}`;
  const page = (sql: Sql) =>
    readRows<ExecutionRow>(
      sql,
      (columns, limit) =>
        sql`
          select ${columns} from executions
           where owner_id = ${owner} and record_id = ${recordId}
             ${query.cursor === null ? sql`` : sql`and execution_id < ${query.cursor}`}
           order by execution_id desc limit ${limit}`,
      {
        columns: shortExecutionColumns(sql),
        long: { kind: "json", columns: { output: sql`output` }, hidden: null },
        limit: query.limit,
      },
    );
  const { walked, hidden } = await readHistory(database, catalog, reader, path, query, {
    cursor,
    page,
  });
  const toItem = (row: ExecutionRow) => toPublicExecution(row, hidden);
  return toWalkedPage(walked, toItem, (row) => row.execution_id);
}

interface CursorRow {
  readonly position: string | number;
}

/** Record, cursor and page are asked together, so that an absent record costs what a present one does. */
async function readHistory<Row extends object>(
  database: Database,
  catalog: Catalog,
  { account: { accountId: owner }, permissions }: Identity,
  path: RecordPath,
  query: PageQuery,
  statements: {
    readonly cursor: (sql: Sql) => Query<CursorRow>;
    readonly page: (sql: Sql) => Promise<Walked<Row>>;
  },
): Promise<{ readonly walked: Walked<Row>; readonly hidden: boolean }> {
  return await database.read(async (sql) => {
    const [roots, cursors, walked] = await Promise.all([
      sql<{ module_code: string; guard: Permission | null }>`
        select module_code, guard from records
         where owner_id = ${owner} and record_id = ${path.recordId}`,
      query.cursor === null ? null : statements.cursor(sql),
      statements.page(sql),
    ]);
    const { guard } = withinModule(catalog, path.module, roots[0]);
    if (cursors?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
    return { walked, hidden: isHidden(guard, permissions) };
  });
}

/** By today's guard of the record, whatever the revision. */
function toPublicRevision(row: RevisionRow, hidden: boolean): PublicRevision {
  const { title, summary, payload } = hidden ? HIDDEN_CONTENT : contentOf(row);
  return {
    revisionId: row.revision_id,
    recordId: row.record_id,
    revision: row.revision,
    change: row.change,
    title,
    summary,
    payload,
    archivedAt: row.archived_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    ...(hidden && { redacted: true }),
  };
}
