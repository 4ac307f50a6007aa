/**
 * Keyset walks over an index. A page without conditions reads the rows that it shows. A page with
 * conditions examines at most `FILTERED_PAGE_BUDGET` rows of the walk, and may then be short without
 * being the last.
 */

import type { Query, Sql } from "./sql.ts";

/** Rows that a filtered page may examine of its walk. */
export const FILTERED_PAGE_BUDGET = 5_000;

/** Which rows, in which order, before any condition on their content. */
export interface Walk {
  readonly key: Query<object>;
  readonly order: Query<object>;
  /** The columns that `order` names. */
  readonly ordered: Query<object>;
  /** At most `limit` rows with the given columns. */
  readonly rows: (columns: Query<object>, limit: number) => Query<object>;
}

/** What a page wants of a walk. */
export interface WalkedPage {
  /** The columns to read, those of the walk's order among them. */
  readonly columns: Query<object>;
  /** Conditions, each behind its own `and`; null where every row of the walk belongs to the page. */
  readonly conditions: Query<object> | null;
  readonly limit: number;
}

/** What a page found: one row more than it holds, where there are so many. */
export interface Walked<Row> {
  readonly rows: readonly Row[];
  /** The key of the last row that a short filtered page examined; null where the walk ended before it. */
  readonly examined: string | null;
}

/** Reads the rows of one page. */
export async function readWalk<Row extends object>(
  sql: Sql,
  walk: Walk,
  { columns, conditions, limit }: WalkedPage,
): Promise<Walked<Row>> {
  if (conditions === null) {
    return { rows: await sql<Row>`${walk.rows(columns, limit + 1)}`, examined: null };
  }
  return await readFiltered(sql, walk, columns, conditions, limit + 1);
}

/**
 * Page and budget are read by one statement: between two, a row that came or went could move the
 * budget's end, and rows would be left out or told twice.
 */
async function readFiltered<Row extends object>(
  sql: Sql,
  walk: Walk,
  columns: Query<object>,
  conditions: Query<object>,
  limit: number,
): Promise<Walked<Row>> {
  const answered = await sql<{ examined: string | null; found: true | null } & Row>`
    with page as materialized (
      select true as found, ${columns} from (${walk.rows(sql`*`, FILTERED_PAGE_BUDGET)}) walk
       where true ${conditions} ${walk.order} limit ${limit}
    ),
    budget as materialized (
      select case when (select count(*) from page) < ${limit} then (
        select ${walk.key} from (${walk.rows(walk.ordered, FILTERED_PAGE_BUDGET)}) walk
         ${walk.order} offset ${FILTERED_PAGE_BUDGET - 1} limit 1
      ) end as examined
    )
    select budget.examined, page.* from budget left join page on true ${walk.order}`;
  const rows = answered.filter((row) => row.found);
  return { rows, examined: answered[0]?.examined ?? null };
}
