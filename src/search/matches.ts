/**
 * The records that a search examines, newest first. One page examines at most `FILTERED_PAGE_BUDGET` records
 * of the index, whatever it finds:
 *
 *   few    at most so many have the words: all of them, in order
 *   many   a walk over the index, from the newest record on
 */

import type { Query, Sql } from "../database/sql.ts";
import { FILTERED_PAGE_BUDGET as BUDGET, readRows, type Walked } from "../database/walk.ts";
import { findServed, type ServedRecords } from "../records/port.ts";
import { type ContentRow, longContentColumns } from "./content.ts";
import { lexemeQuery } from "./lexemes.ts";
import type { Word } from "./words.ts";

/** What a page is to be found of. */
export interface Wish extends ServedRecords {
  readonly owner: string;
  readonly words: readonly Word[];
  /** The record behind which the page begins; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
}

/** A record that may match, or the place that the page has examined up to, which has no module. */
export type FoundRow =
  & { readonly record_id: string }
  & (ContentRow | { readonly module_code: null });

/** Reads the records in which the words may stand, up to where the page ends. */
export async function readMatches(
  sql: Sql,
  wish: Wish,
): Promise<Walked<FoundRow>> {
  const { owner, limit } = wish;
  return await readRows<FoundRow>(
    sql,
    (columns, limit) =>
      sql`
        ${matches(sql, wish, limit)}
        select ${columns} from (select * from page union all select * from budget) found
         order by record_id desc`,
    {
      columns: sql`record_id, module_code, title, summary`,
      long: longContentColumns(sql, sql`${owner}`),
      limit,
    },
  );
}

/** The CTEs `page`, of `limit` records at most, and `budget`, which is empty unless the budget ends the page. */
function matches(sql: Sql, wish: Wish, limit: number): Query<object> {
  const { owner, words, after } = wish;
  const query = sql`${lexemeQuery(owner, words)}::text::tsquery`;
  const behind = after === null ? sql`` : sql`and record_id < ${after}`;
  const served = findServed(sql, owner, sql`examined.record_id`, wish);
  const walked = (columns: Query<object>) =>
    sql`
      select ${columns} from search_index
       where owner_id = ${owner} ${behind} and (select not are_few from amount)
       order by record_id desc`;
  return sql`
    with candidate as materialized (
      select owner_id, record_id from search_candidates(${query}, ${BUDGET + 1})
    ),
    amount as materialized (select count(*) <= ${BUDGET} as are_few from candidate),
    page as materialized (
      (select examined.record_id, served.*
         from (select record_id from candidate
                where owner_id = ${owner} ${behind} and (select are_few from amount)
                order by record_id desc) examined
              cross join lateral (${served}) served
        order by examined.record_id desc limit ${limit})
      union all
      (select examined.record_id, served.*
         from (${walked(sql`record_id, words`)} limit ${BUDGET}) examined
              cross join lateral (${served}) served
        where examined.words @@ ${query}
        order by examined.record_id desc limit ${limit})
    ),
    budget as materialized (
      select record_id, null::text as module_code, '' as title, '' as summary,
             '{}'::json as payload
        from (${walked(sql`record_id`)} offset ${BUDGET - 1} limit 1) last
       where (select count(*) from page) < ${limit}
    )`;
}
