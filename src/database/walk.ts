/**
 * Keyset walks over an index. A page without conditions reads only its own rows. One with
 * conditions examines at most `FILTERED_PAGE_BUDGET` rows, and may then be short without being the
 * last, as may a page limited by `PAGE_BYTES`.
 */

import {
  countFitting,
  countFittingInJson,
  isLarge,
  type LongColumns,
  sizeColumn,
  type SizedRow,
  smallColumns,
  smallEnough,
  wholeColumns,
} from "./page_bytes.ts";
import type { Query, Sql } from "./sql.ts";

export const FILTERED_PAGE_BUDGET = 5_000;

/** The rows and their order, before any condition on their content. */
export interface Walk {
  readonly key: Query<object>;
  readonly order: Query<object>;
  /** The columns that `order` names, which a page's columns have to include. */
  readonly ordered: Query<object>;
  readonly rows: (columns: Query<object>, limit: number) => Query<object>;
  /** Rows of the columns `ordered`, for a walk whose `rows` joins them to others. */
  readonly places?: (limit: number) => Query<object>;
}

interface WalkedPage {
  readonly columns: Query<object>;
  /** Columns that may end the page before its limit. */
  readonly long: LongColumns | null;
  /** Each starts with `and`; null if every row belongs to the page. */
  readonly conditions: Query<object> | null;
  readonly limit: number;
}

export interface Walked<Row> {
  readonly rows: readonly Row[];
  /** True if a next page begins after the last row. */
  readonly more: boolean;
  /** The last row examined if the row budget was used up; null at the end of the index. */
  readonly examined: string | null;
}

export async function readWalk<Row extends object>(
  sql: Sql,
  walk: Walk,
  { conditions, ...page }: WalkedPage,
): Promise<Walked<Row>> {
  if (conditions === null) return await readRows(sql, walk.rows, page);
  return await readBounded<Row>(
    sql,
    page,
    (columns, limit) => readFiltered(sql, walk, columns, conditions, limit),
  );
}

/** Reads one page of a walk without conditions. */
export async function readRows<Row extends object>(
  sql: Sql,
  rows: Walk["rows"],
  page: Omit<WalkedPage, "conditions">,
): Promise<Walked<Row>> {
  return await readBounded<Row>(sql, page, async (columns, limit) => ({
    rows: await sql<Row & SizedRow>`${rows(columns, limit)}`,
    examined: null,
  }));
}

interface Found<Row> {
  readonly rows: readonly Row[];
  readonly examined: string | null;
}

/**
 * Reads one row more, to detect a next page, with the long columns of small rows. If some row is
 * not small, its sizes are read, and then as many whole rows as fit: the others never leave the
 * database.
 */
async function readBounded<Row extends object>(
  sql: Sql,
  { columns, long, limit }: Omit<WalkedPage, "conditions">,
  read: (columns: Query<object>, limit: number) => Promise<Found<Row & SizedRow>>,
): Promise<Walked<Row>> {
  if (long === null) return toWalked(await read(columns, limit + 1), limit);
  const most = smallEnough(limit + 1);
  const found = await read(sql`${columns}, ${smallColumns(sql, long, most)}`, limit + 1);
  if (!found.rows.some((row) => isLarge(row, long))) return cutInJson(toWalked(found, limit), long);
  // Reading all sizes would double the cost of every page.
  const sized = await read(sql`${columns}, ${sizeColumn(sql, long)}`, limit + 1);
  const sizes = sized.rows.map((row) => row.bytes);
  const fitting = countFitting(sizes);
  const whole = sql`${columns}, ${wholeColumns(sql, long)}`;
  if (fitting === sizes.length) {
    return cutInJson(toWalked(await read(whole, limit + 1), limit), long);
  }
  // Fewer rows than planned remain only if some were removed in between.
  const cut = await read(whole, fitting);
  return cutInJson({ ...cut, more: cut.rows.length === fitting }, long);
}

function toWalked<Row>({ rows, examined }: Found<Row>, limit: number): Walked<Row> {
  return { rows: rows.slice(0, limit), more: rows.length > limit, examined };
}

function cutInJson<Row extends object>(walked: Walked<Row>, long: LongColumns): Walked<Row> {
  const fitting = countFittingInJson(walked.rows, long);
  if (fitting === walked.rows.length) return walked;
  return { ...walked, rows: walked.rows.slice(0, fitting), more: true };
}

/**
 * Uses one statement: between two, an added or removed row could move the budget's end, and rows
 * would be skipped or repeated.
 */
async function readFiltered<Row extends object>(
  sql: Sql,
  walk: Walk,
  columns: Query<object>,
  conditions: Query<object>,
  limit: number,
): Promise<Found<Row>> {
  const places = walk.places?.(FILTERED_PAGE_BUDGET) ??
    walk.rows(walk.ordered, FILTERED_PAGE_BUDGET);
  const answered = await sql<{ examined: string | null; found: true | null } & Row>`
    with page as materialized (
      select true as found, ${columns} from (${walk.rows(sql`*`, FILTERED_PAGE_BUDGET)}) walk
       where true ${conditions} ${walk.order} limit ${limit}
    ),
    budget as materialized (
      select case when (select count(*) from page) < ${limit} then (
        select ${walk.key} from (${places}) walk
         ${walk.order} offset ${FILTERED_PAGE_BUDGET - 1} limit 1
      ) end as examined
    )
    select budget.examined, page.* from budget left join page on true ${walk.order}`;
  const rows = answered.filter((row) => row.found);
  return { rows, examined: answered[0]?.examined ?? null };
}
