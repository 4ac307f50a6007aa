/** Walks over due rows that examine at most `FILTERED_PAGE_BUDGET` candidates. */

import type { Query, Sql } from "../../database/sql.ts";
import { FILTERED_PAGE_BUDGET } from "../../database/walk.ts";
import type { DueRow, DueRows } from "../../kit/due.ts";

/** A row of a walk. The last candidate examined is a row too if the walk ended at its budget. */
export type WalkedRow<Row extends DueRow> = Row & { readonly is_end: boolean };

interface BoundedWalk {
  /** The rows in order, without conditions on them and without a limit. */
  readonly candidates: Query<object>;
  /** The order of the candidates `d`. */
  readonly order: Query<object>;
  /** Expression of the due time of candidate `d`. */
  readonly due: Query<object>;
  /** Expression of the source of candidate `d`. */
  readonly source: Query<object>;
  /** Selects the rows that count from the candidates. Their last column is `is_end`. */
  readonly select: (candidates: Query<object>) => Query<object>;
  readonly limit: number;
}

/** Selects the columns of `DueRow` and `is_end`, unordered. */
export function boundedWalk(
  sql: Sql,
  { candidates, order, due, source, select, limit }: BoundedWalk,
): Query<object> {
  const bounded = sql`${candidates} limit ${FILTERED_PAGE_BUDGET}`;
  return sql`(
    with page as materialized (${select(bounded)} order by ${order} limit ${limit})
    select * from page
    union all
    select * from (
      select d.person_id, ${source}, null, null, null, null::integer, ${due}, null::integer,
             null::timestamptz, false, true
        from (${bounded}) d
       order by ${order} offset ${FILTERED_PAGE_BUDGET - 1} limit 1) last
     where (select count(*) from page) < ${limit})`;
}

/** Ends the rows before the last candidate that the first walk examined. */
export function untilEnd<Row extends DueRow>(rows: readonly WalkedRow<Row>[]): DueRows<Row> {
  const end = rows.findIndex((row) => row.is_end);
  return end === -1 ? { rows, end: null } : { rows: rows.slice(0, end), end: rows[end] ?? null };
}
