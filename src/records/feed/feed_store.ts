import type { Sql } from "../../database/sql.ts";
import { type Change, changeOrder, type ChangePlace, changesBehind } from "../port.ts";

/** Maximum revisions that a page examines. */
export const EXAMINED_REVISIONS = 5_000;

export interface FeedPlace {
  readonly feedId: string;
  readonly place: ChangePlace;
}

interface ChangesQuery {
  readonly behind: ChangePlace;
  readonly leftOut: readonly string[];
  readonly limit: number;
}

export interface ChangeRow {
  readonly record_id: string;
  readonly module_code: string;
  readonly revision: number;
  readonly change: Change;
  readonly created_at: Date;
}

export interface FoundChanges {
  readonly feedId: string;
  /** The changes of a page: at most its limit. */
  readonly rows: readonly ChangeRow[];
  /** Start of the next page: after everything examined, except the extra row. */
  readonly end: ChangePlace;
  /** True if the next page may already have rows. */
  readonly hasMore: boolean;
}

export async function readFeedId(sql: Sql): Promise<string> {
  const [row] = await sql<{ feed_id: string }>`select feed_id from change_feed`;
  if (row === undefined) throw new Error("There is no changes feed");
  return row.feed_id;
}

/** A row, or none, with the feed and the end of the examined revisions. */
interface AnsweredRow extends ChangeRow {
  readonly feed_id: string;
  readonly found: true | null;
  readonly transaction_id: string;
  readonly revision_id: string;
  /** Null if nothing was examined, or the page is full. */
  readonly examined_transaction_id: string | null;
  readonly examined_revision_id: string;
  readonly examined_rows: number;
}

/**
 * Reads a page and one more row, which shows that there is a next page. One statement, so that
 * rows, end and feed are from one snapshot.
 */
export async function readChanges(
  sql: Sql,
  owner: string,
  { behind, leftOut, limit }: ChangesQuery,
): Promise<FoundChanges> {
  const order = changeOrder(sql);
  const columns = sql`record_id, module_code, revision, change, created_at`;
  const walked = changesBehind(sql, owner, behind, sql`${order}, ${columns}`, EXAMINED_REVISIONS);
  const examined = changesBehind(sql, owner, behind, order, EXAMINED_REVISIONS);
  const answered = await sql<AnsweredRow>`
    with page as materialized (
      select true as found, ${order}, ${columns} from (${walked}) walked
       where module_code <> all (string_to_array(${leftOut.join(" ")}, ' '))
       order by ${order} limit ${limit + 1}
    ),
    examined as materialized (
      select last_value(transaction_id) over walk as transaction_id,
             last_value(revision_id) over walk as revision_id,
             count(*) over walk as rows
        from (${examined}) examined
       where (select count(*) from page) <= ${limit}
      window walk as (order by ${order} rows between unbounded preceding and unbounded following)
       limit 1
    )
    select feed_id, found, page.transaction_id::text as transaction_id, page.revision_id, ${columns},
           examined.transaction_id::text as examined_transaction_id,
           examined.revision_id as examined_revision_id, examined.rows::integer as examined_rows
      from change_feed left join page on true left join examined on true
     order by page.transaction_id, page.revision_id`;
  return toFound(answered, behind, limit);
}

function toFound(
  answered: readonly AnsweredRow[],
  behind: ChangePlace,
  limit: number,
): FoundChanges {
  const [first] = answered;
  if (first === undefined) throw new Error("There is no changes feed");
  const feedId = first.feed_id;
  const found = answered.filter((row) => row.found);
  const rows = found.slice(0, limit);
  const last = rows.at(-1);
  if (found.length > limit && last !== undefined) {
    const end = { transactionId: last.transaction_id, revisionId: last.revision_id };
    return { feedId, rows, end, hasMore: true };
  }
  if (first.examined_transaction_id === null) return { feedId, rows, end: behind, hasMore: false };
  const end = {
    transactionId: first.examined_transaction_id,
    revisionId: first.examined_revision_id,
  };
  return { feedId, rows, end, hasMore: first.examined_rows === EXAMINED_REVISIONS };
}
