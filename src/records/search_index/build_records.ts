/** Selects the records that a build of the index reads, and those that changed in between. */

import type { Query, Sql } from "../../database/sql.ts";

/** Selects some records, as `stored`. */
export type StoredRecords = (
  sql: Sql,
  columns: Query<object>,
  limit: number,
) => Query<object>;

/**
 * Selects the next records by owner and identifier.
 *
 * @param last The last record before them; null at the start.
 * @param owner The only owner; null for all.
 */
export function recordsAfter(
  last: { readonly owner: string; readonly recordId: string } | null,
  owner: string | null,
): StoredRecords {
  return (sql, columns, limit) => {
    const after = last === null
      ? sql``
      : sql`and (owner_id, record_id) > (${last.owner}, ${last.recordId})`;
    return sql`
      select ${columns} from records stored
       where ${owner === null ? sql`true` : sql`owner_id = ${owner}`} ${after}
       order by owner_id, record_id limit ${limit}`;
  };
}

/** Selects records whose rows of `record_order` are of a former rule. */
export function recordsOfFormerRule(
  sql: Sql,
  columns: Query<object>,
  limit: number,
): Query<object> {
  return sql`
    select ${columns}
      from (select owner_id, record_id, guard as old_guard, is_archived, order_form
              from record_order where module_code = ''
             order by owner_id, guard, is_archived, order_form, record_id limit ${limit}) former
           join records stored using (owner_id, record_id)
     order by owner_id, old_guard, is_archived, order_form, record_id`;
}

/** A stored row of a record; each change gives it another version. */
export interface RecordVersion {
  readonly owner: string;
  readonly recordId: string;
  readonly version: string;
}

/** The column `version` of records that are selected as `stored`. */
export function versionColumn(sql: Sql): Query<object> {
  return sql`stored.xmin::text as version`;
}

/** Selects a row for each record that changed since it was read. */
export function changedRecords(sql: Sql, read: readonly RecordVersion[]): Query<object> {
  return sql`
    select 1 from json_to_recordset(${JSON.stringify(read)}::text::json)
             as read (owner text, "recordId" text, version text)
     where not exists (
       select from records
        where owner_id = read.owner and record_id = read."recordId"
          and records.xmin::text = read.version)`;
}
