import type { Query, Sql } from "../database/sql.ts";
import { readRows, type Walked } from "../database/walk.ts";
import type { PageQuery } from "../http/page.ts";
import { type ExecutionRow, shortExecutionColumns } from "./execution.ts";
import type { HistoryRow, RevisionRow } from "./revision.ts";
import { longRecordColumns } from "./record_store.ts";

export function findModuleCode(
  sql: Sql,
  owner: string,
  recordId: string,
): Query<{ module_code: string }> {
  return sql`select module_code from records where owner_id = ${owner} and record_id = ${recordId}`;
}

/** Ordered by number, not by identifier. */
export function readRevisions(
  sql: Sql,
  owner: string,
  recordId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<RevisionRow>> {
  return readRows<RevisionRow>(
    sql,
    (columns, count) =>
      sql`
        select ${columns} from record_revisions
         where owner_id = ${owner} and record_id = ${recordId}
           ${
        cursor === null ? sql`` : sql`and revision < (${revisionAt(sql, owner, recordId, cursor)})`
      }
         order by revision desc limit ${count}`,
    {
      columns: sql`revision_id, record_id, revision, change, title, summary, clocks::text as clocks,
          archived_at, created_at, ${guardOf(sql, owner, recordId)}`,
      long: longRecordColumns(sql),
      limit,
    },
  );
}

export function readExecutions(
  sql: Sql,
  owner: string,
  recordId: string,
  { cursor, limit }: PageQuery,
): Promise<Walked<ExecutionRow & HistoryRow>> {
  return readRows<ExecutionRow & HistoryRow>(
    sql,
    (columns, count) =>
      sql`
        select ${columns} from executions
         where owner_id = ${owner} and record_id = ${recordId}
           ${cursor === null ? sql`` : sql`and execution_id < ${cursor}`}
         order by execution_id desc limit ${count}`,
    {
      columns: sql`${shortExecutionColumns(sql)}, ${guardOf(sql, owner, recordId)}`,
      long: { kind: "json", columns: { output: sql`output` }, hidden: null },
      limit,
    },
  );
}

export function revisionAt(
  sql: Sql,
  owner: string,
  recordId: string,
  cursor: string,
): Query<object> {
  return sql`
    select revision from record_revisions
     where owner_id = ${owner} and record_id = ${recordId} and revision_id = ${cursor}`;
}

export function executionAt(
  sql: Sql,
  owner: string,
  recordId: string,
  cursor: string,
): Query<object> {
  return sql`
    select 1 from executions
     where owner_id = ${owner} and record_id = ${recordId} and execution_id = ${cursor}`;
}

/**
 * Selects the record's current guard as a column. A separate statement could read an older guard
 * than the content's, which may have become secret since.
 */
function guardOf(sql: Sql, owner: string, recordId: string): Query<object> {
  return sql`
    (select guard from records r
      where r.owner_id = ${owner} and r.record_id = ${recordId}) as guard`;
}
