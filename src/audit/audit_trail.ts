/** The reads of an owner's audit ledger. `statements.ts` writes it. */

import { firstIdAt } from "../core/ids.ts";
import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import { readWalk, type Walk, type Walked } from "../database/walk.ts";
import { payloadInvalid } from "../errors/service_error.ts";
import { namesOf } from "../kit/columns.ts";
import { AUDIT_COLUMNS, type AuditRow } from "./audit_entry.ts";

export interface AuditFilter {
  readonly moduleCode?: string;
  readonly subjectId?: string;
  readonly operation?: string;
}

interface AuditQuery {
  readonly limit: number;
  readonly cursor: string | null;
  readonly filter: AuditFilter;
}

/** @throws ServiceError `PAYLOAD_INVALID` for a cursor that is not one of this owner's entries. */
export async function readAuditTrail(
  database: Database,
  owner: string,
  query: AuditQuery,
): Promise<Walked<AuditRow>> {
  return await database.read(async (sql) => {
    const [cursors, walked] = await Promise.all([
      query.cursor === null ? null : sql`
        select 1 from audit_entries where owner_id = ${owner} and audit_id = ${query.cursor}`,
      readWalk<AuditRow>(sql, createWalk(sql, owner, query.cursor), {
        columns: auditColumns(sql),
        long: null,
        conditions: conditions(sql, query.filter),
        limit: query.limit,
      }),
    ]);
    if (cursors?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
    return walked;
  });
}

/** Counts only among the newest `limit` entries after a time. */
export function countOperations(
  sql: Sql,
  owner: string,
  operations: readonly string[],
  since: Date,
  limit: number,
): Query<{ readonly counted: number; readonly examined: number }> {
  const listed = operations.join(" ");
  return sql<{ counted: number; examined: number }>`
    select count(*) filter (where operation = any (string_to_array(${listed}, ' ')))::integer
             as counted,
           count(*)::integer as examined
      from (select operation from audit_entries
             where owner_id = ${owner} and audit_id >= ${firstIdAt(since)}
             order by audit_id desc limit ${limit}) newest`;
}

function auditColumns(sql: Sql): Query<object> {
  return sql`${namesOf(sql, AUDIT_COLUMNS)}, via_assistant`;
}

/** The rows to seal: `account_id`, `id`, `transaction_id` and the columns of `AuditRow`. */
export function auditEntryRows(sql: Sql): Query<object> {
  return sql`
    select owner_id as account_id, audit_id as id, transaction_id, ${auditColumns(sql)}
      from audit_entries`;
}

function createWalk(sql: Sql, owner: string, cursor: string | null): Walk {
  const [key, order] = [sql`audit_id`, sql`order by audit_id desc`];
  const before = cursor === null ? sql`` : sql`and audit_id < ${cursor}`;
  return {
    key,
    ordered: key,
    order,
    rows: (columns, limit) =>
      sql`
        select ${columns} from audit_entries where owner_id = ${owner} ${before}
         ${order} limit ${limit}`,
  };
}

function conditions(sql: Sql, filter: AuditFilter): Query<object> | null {
  const { moduleCode, subjectId, operation } = filter;
  if (moduleCode === undefined && subjectId === undefined && operation === undefined) return null;
  return sql`
    ${moduleCode === undefined ? sql`` : sql`and module_code = ${moduleCode}`}
    ${subjectId === undefined ? sql`` : sql`and subject_id = ${subjectId}`}
    ${operation === undefined ? sql`` : sql`and operation = ${operation}`}`;
}
