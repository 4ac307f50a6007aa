import type { ClaimRow, Ledger } from "../command/command.ts";
import type { LongColumns } from "../database/page_bytes.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { RecordRow } from "./record.ts";

/** What a revision did to its record. */
export const CHANGES = ["CREATED", "MODIFIED", "ARCHIVED", "RESTORED"] as const;

export type Change = (typeof CHANGES)[number];

/** Adds a record and its first revision. */
export function insertRecord(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  row: RecordRow,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim}, ${recordCreation(sql, owner, row)}, ${ledger.entries}
    select verdict, envelope from claim`;
}

/** Replaces a locked record's content by its next revision. */
export function updateRecord(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  row: RecordRow,
  change: Change,
): Query<ClaimRow> {
  return sql<ClaimRow>`
    with ${ledger.claim}, ${recordStep(sql, owner, row, change)}, ${ledger.entries}
    select verdict, envelope from claim`;
}

/** The CTEs of a new record and its first revision, conditional on the claim. */
export function recordCreation(sql: Sql, owner: string, row: RecordRow): Query<object> {
  return sql`
    record_root as (
      insert into records (owner_id, record_id, module_code, revision, revision_id, source_type,
                           recorded_at, created_at, updated_at, archived_at, title, summary, payload,
                           guard)
      select ${owner}, ${row.record_id}, ${row.module_code}, ${row.revision}::integer,
             ${row.revision_id}, ${row.source_type}, ${row.recorded_at}::timestamptz,
             ${row.created_at}::timestamptz, ${row.updated_at}::timestamptz,
             ${row.archived_at}::timestamptz, ${row.title}, ${row.summary},
             ${row.payload}::text::json, ${row.guard}
        from claim where verdict = 'GO'
      returning *
    ),
    ${revisionOf(sql, "CREATED")}`;
}

/** The CTEs of a record's next revision, conditional on the claim. */
export function recordStep(
  sql: Sql,
  owner: string,
  row: RecordRow,
  change: Change,
): Query<object> {
  return sql`
    record_root as (
      update records
         set revision = ${row.revision}::integer, revision_id = ${row.revision_id},
             updated_at = ${row.updated_at}::timestamptz,
             archived_at = ${row.archived_at}::timestamptz, title = ${row.title},
             summary = ${row.summary}, payload = ${row.payload}::text::json, guard = ${row.guard}
        from claim
       where records.owner_id = ${owner} and record_id = ${row.record_id} and claim.verdict = 'GO'
      returning records.*
    ),
    ${revisionOf(sql, change)}`;
}

function revisionOf(sql: Sql, change: Change): Query<object> {
  return sql`
    record_revision as (
      insert into record_revisions (owner_id, record_id, revision, revision_id, module_code, change,
                                    title, summary, payload, archived_at, created_at)
      select owner_id, record_id, revision, revision_id, module_code, ${change},
             title, summary, payload, archived_at, updated_at
        from record_root
    )`;
}

/** Locks a record against every other change. The module is the caller's to check. */
export function lockRecord(sql: Sql, owner: string, recordId: string): Query<RecordRow> {
  return sql<RecordRow>`
    select ${recordColumns(sql)} from records
     where owner_id = ${owner} and record_id = ${recordId} for no key update`;
}

/** Locks a record where that is its present revision. Every change of a record makes a new one. */
export function lockRevision(
  sql: Sql,
  owner: string,
  recordId: string,
  revision: number,
): Query<object> {
  return sql`
    select 1 from records
     where owner_id = ${owner} and record_id = ${recordId} and revision = ${revision}
       for no key update`;
}

/** A record as it is now. The module is the caller's to check. */
export function findRecord(sql: Sql, owner: string, recordId: string): Query<RecordRow> {
  return sql<RecordRow>`
    select ${recordColumns(sql)} from records
     where owner_id = ${owner} and record_id = ${recordId}`;
}

/** A record as it was at a revision, exactly. The module is the caller's to check. */
export function findRecordAt(
  sql: Sql,
  owner: string,
  recordId: string,
  revision: number,
): Query<RecordRow> {
  return sql<RecordRow>`
    select r.record_id, r.module_code, v.revision, v.revision_id, r.source_type, r.recorded_at,
           r.created_at, v.created_at as updated_at, v.archived_at, v.title, v.summary,
           v.payload::text as payload, r.guard
      from records r join record_revisions v using (owner_id, record_id)
     where r.owner_id = ${owner} and r.record_id = ${recordId} and v.revision = ${revision}`;
}

/** The columns of `RecordRow`. */
function recordColumns(sql: Sql): Query<object> {
  return sql`${shortRecordColumns(sql)}, payload::text as payload`;
}

/** The columns of `RecordRow` but those of `longRecordColumns`. */
export function shortRecordColumns(sql: Sql): Query<object> {
  return sql`record_id, module_code, revision, revision_id, source_type, recorded_at, created_at,
    updated_at, archived_at, title, summary, guard`;
}

/**
 * The column of a record, or of a revision, that can make a page too large. It counts where the content
 * is hidden too: a guarded record is a projection, whose payload is always small.
 */
export function longRecordColumns(sql: Sql): LongColumns {
  return { kind: "json", columns: { payload: sql`payload` }, hidden: null };
}
