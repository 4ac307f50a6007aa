/** The ledger of revisions in the order of the changes feed (sql/0006_changes.sql). */

import type { Query, Sql } from "../../database/sql.ts";

/** The position after one revision. */
export interface ChangePlace {
  /** Decimal number of the transaction that wrote the revision. */
  readonly transactionId: string;
  readonly revisionId: string;
}

/** Order of the feed, oldest change first. */
export function changeOrder(sql: Sql): Query<object> {
  return sql`transaction_id, revision_id`;
}

/**
 * Selects an owner's first revisions after a position, in order.
 *
 * No revision is added between them later: the statement selects nothing of a transaction that was
 * running, or had not begun, at its snapshot (the one that `pg_current_snapshot` returns). A reader
 * that continues after the last of them misses none.
 */
export function changesBehind(
  sql: Sql,
  owner: string,
  { transactionId, revisionId }: ChangePlace,
  columns: Query<object>,
  limit: number,
): Query<object> {
  return sql`
    select ${columns} from record_revisions
     where owner_id = ${owner}
       and (transaction_id, revision_id) > (${transactionId}::xid8, ${revisionId})
       and transaction_id < pg_snapshot_xmin(pg_current_snapshot())
     order by ${changeOrder(sql)} limit ${limit}`;
}
