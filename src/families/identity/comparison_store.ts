/** The ledger names both sides; values are read from these. */

import type { ClaimRow, Ledger } from "../../command/ledger.ts";
import type { Query, Sql } from "../../database/sql.ts";
import { readRows } from "../../database/walk.ts";
import type { LedgerEntry } from "../../kit/entry.ts";
import { executionEntry } from "../../records/port.ts";
import {
  type Comparison,
  COMPARISON_SCHEMA,
  comparisonOutput,
  type ComparisonRow,
  showComparison,
  type SideColumns,
} from "./comparison.ts";
import { identityExecution } from "./execution.ts";
import type { ProfileTypes } from "./profile_store.ts";
import { frozenFields } from "./snapshot_store.ts";

/** Newest first. */
export const COMPARISONS: LedgerEntry<ProfileTypes["key"], ComparisonRow, Comparison> = {
  policy: "identity-comparison",
  idName: "comparisonId",
  find: (sql, owner, _key, comparisonId) =>
    sql<ComparisonRow>`
      select ${shortColumns(sql)}, ${leftFields(sql)} as left_fields,
             ${rightFields(sql)} as right_fields
        from identity_comparisons c
       where owner_id = ${owner} and comparison_id = ${comparisonId}`,
  cursor: (sql, owner, _key, cursor) =>
    sql`
      select 1 from identity_comparisons where owner_id = ${owner} and comparison_id = ${cursor}`,
  rows: (sql, { account: { accountId: owner } }, _key, { cursor, limit }) =>
    readRows<ComparisonRow>(
      sql,
      // The inner query reads both sides once, however often `columns` names them.
      (columns, limit) =>
        sql`
          select ${columns} from (
            select ${shortColumns(sql)}, ${leftFields(sql)} as left_fields,
                   ${rightFields(sql)} as right_fields
              from identity_comparisons c
             where owner_id = ${owner}
               ${cursor === null ? sql`` : sql`and comparison_id < ${cursor}`}
             order by comparison_id desc limit ${limit}) compared
           order by comparison_id desc`,
      {
        columns: shortColumns(sql),
        long: {
          kind: "json",
          columns: { left_fields: sql`left_fields`, right_fields: sql`right_fields` },
          hidden: null,
        },
        limit,
      },
    ),
  cursorOf: (row) => row.comparison_id,
  show: showComparison,
  schema: COMPARISON_SCHEMA,
};

function shortColumns(sql: Sql): Query<object> {
  return sql`comparison_id, left_revision, left_snapshot_id, right_revision, right_snapshot_id,
    created_at`;
}

function leftFields(sql: Sql): Query<object> {
  return sideFields(sql, sql`c.left_revision`, sql`c.left_snapshot_id`);
}

function rightFields(sql: Sql): Query<object> {
  return sideFields(sql, sql`c.right_revision`, sql`c.right_snapshot_id`);
}

/** JSON of one side's fields; null if it does not exist. */
function sideFields(sql: Sql, revision: Query<object>, snapshotId: Query<object>): Query<object> {
  return sql`(
    select ${frozenFields(sql)}::text
      from (select 1) side
      left join identity_snapshots s on s.owner_id = c.owner_id and s.snapshot_id = ${snapshotId}
      left join identity_profile_revisions v
        on v.owner_id = c.owner_id and v.revision = coalesce(${revision}, s.profile_revision)
     where s.snapshot_id is not null or v.revision is not null)`;
}

/** JSON of both sides' fields; null for a side that does not exist. */
export interface FoundSides {
  readonly left_fields: string | null;
  readonly right_fields: string | null;
}

export async function readSides(
  sql: Sql,
  owner: string,
  named: SideColumns,
): Promise<FoundSides> {
  const [row] = await sql<FoundSides>`
    select ${leftFields(sql)} as left_fields, ${rightFields(sql)} as right_fields
      from (select ${owner}::ulid as owner_id,
                   ${named.left_revision}::integer as left_revision,
                   ${named.left_snapshot_id}::ulid as left_snapshot_id,
                   ${named.right_revision}::integer as right_revision,
                   ${named.right_snapshot_id}::ulid as right_snapshot_id) c`;
  return row ?? { left_fields: null, right_fields: null };
}

/** Writes a comparison, and its execution with the same identifier. */
export function writeComparison(
  sql: Sql,
  ledger: Ledger,
  owner: string,
  row: ComparisonRow,
): Query<ClaimRow> {
  const output = comparisonOutput(showComparison(row));
  const execution = identityExecution("IDN-005", row.comparison_id, output, row.created_at);
  return sql<ClaimRow>`
    with ${ledger.claim}, ${executionEntry(sql, owner, execution)},
    comparison as (
      insert into identity_comparisons (owner_id, comparison_id, left_revision, left_snapshot_id,
                                        right_revision, right_snapshot_id, created_at)
      select ${owner}, ${row.comparison_id}, ${row.left_revision}::integer, ${row.left_snapshot_id},
             ${row.right_revision}::integer, ${row.right_snapshot_id}, ${row.created_at}::timestamptz
        from claim where verdict = 'GO'
    ),
    ${ledger.ctes}
    select verdict, envelope from claim`;
}
