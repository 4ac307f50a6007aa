/** The ledger of revisions in the order of the changes feed (sql/0006_changes.sql). */

import type { Query, Sql } from "../../database/sql.ts";

/** A place in the order: behind one revision. */
export interface ChangePlace {
  /** The number of the transaction that wrote it, in decimal. */
  readonly transactionId: string;
  readonly revisionId: string;
}

/** The order, oldest first. */
export function changeOrder(sql: Sql): Query<object> {
  return sql`transaction_id, revision_id`;
}

/**
 * Selects the first revisions of an owner behind a place, in the order.
 *
 * None comes between them later: nothing is selected of a transaction that was running, or had yet to
 * begin, when the statement took its snapshot. (The snapshot that the statement reads by is the one that
 * `pg_current_snapshot` tells of.) So a reader that goes on behind the last of them misses none.
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
