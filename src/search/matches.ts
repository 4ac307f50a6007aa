/**
 * The records that a search examines, newest first, and their contents. Both are read in limited
 * pieces, because the built-in engine serves no other request during a statement.
 *
 * One read examines at most `FILTERED_PAGE_BUDGET` records of the index:
 *
 *   few    at most that many have the words: all of them, in order
 *   many   a walk from the newest record, which `WALKED_BYTES` can end earlier
 */

import type { Permission } from "../access/permissions.ts";
import { MODULE_CODES } from "../catalog/module_codes.ts";
import type { Query, Sql } from "../database/sql.ts";
import { FILTERED_PAGE_BUDGET as BUDGET } from "../database/walk.ts";
import { findServed, type ServedRecords } from "../records/port.ts";
import { contentColumns, type ContentRow } from "./content.ts";
import { lexemeQuery } from "../records/search_index/lexemes.ts";
import { type LentAudience, markOf, PREFIXES } from "../records/search_index/texts.ts";
import type { Word } from "../records/search_index/words.ts";

export interface SearchPageQuery extends ServedRecords {
  readonly owner: string;
  readonly words: readonly Word[];
  /** The page begins after this record; null for the first page. */
  readonly after: string | null;
  readonly limit: number;
  /** The audiences whose texts are searched; by default all texts are. */
  readonly audiences?: readonly LentAudience[];
  /** True if an earlier read has shown that too many records have the words to read them all. */
  readonly areMany?: boolean;
}

export interface Matches {
  /** At most the page's limit, newest first. */
  readonly ids: readonly string[];
  /** The last record examined; null at the end of the index. */
  readonly end: string | null;
  /** True if a walk ended at a budget. */
  readonly areMany: boolean;
}

export interface FoundRow extends ContentRow {
  readonly record_id: string;
  /** The permission required in addition to the module's; null for none. */
  readonly guard: Permission | null;
}

/** Bytes of stored words that a walk reads. The record that reaches them is still examined. */
export const WALKED_BYTES = 16 * 1024 * 1024;

export async function readMatches(sql: Sql, query: SearchPageQuery): Promise<Matches> {
  const { limit } = query;
  const rows = await sql<{ record_id: string; is_match: boolean }>`
    ${matches(sql, query, limit + 1)}
    select * from (select * from page union all select * from budget) found
     order by record_id desc`;
  const ids = rows.filter((row) => row.is_match).map((row) => row.record_id);
  if (ids.length > limit) {
    return { ids: ids.slice(0, limit), end: ids[limit - 1] ?? null, areMany: false };
  }
  const end = rows.find((row) => !row.is_match)?.record_id ?? null;
  return { ids, end, areMany: end !== null };
}

/** CTEs `page`, of at most `limit` records, and `budget`, empty unless a budget ends the page. */
function matches(sql: Sql, query: SearchPageQuery, limit: number): Query<object> {
  const { owner, words, modules, audiences, after, areMany = false } = query;
  const isLimited = modules.length < MODULE_CODES.length;
  const lent = audiences && {
    prefixes: audiences.map((audience) => PREFIXES[audience]),
    marks: isLimited ? modules.map(({ code }) => markOf(code)) : [],
  };
  const lexemes = sql`${lexemeQuery(owner, words, lent)}::text::tsquery`;
  const behind = after === null ? sql`` : sql`and record_id < ${after}`;
  const served = findServed(sql, owner, sql`examined.record_id`, query);
  const walked = walkedRecords(sql, owner, after, sql`and (select not are_few from amount)`);
  return sql`
    with candidate as materialized (
      select owner_id, record_id from word_candidates(${lexemes}, ${BUDGET + 1})
       where not ${areMany}::boolean
    ),
    amount as materialized (
      select count(*) <= ${BUDGET} and not ${areMany}::boolean as are_few from candidate
    ),
    page as materialized (
      (select examined.record_id, true as is_match
         from (select record_id from candidate
                where owner_id = ${owner} ${behind} and (select are_few from amount)
                order by record_id desc) examined
              cross join lateral (${served}) served
        order by examined.record_id desc limit ${limit})
      union all
      (select examined.record_id, true
         from (${walked}) examined
              cross join lateral (${served}) served
        where case when bytes_before < ${WALKED_BYTES} then ${hasWords(sql, lexemes)} end
        order by examined.record_id desc limit ${limit})
    ),
    budget as materialized (
      select min(record_id) filter (where bytes_before < ${WALKED_BYTES}) as record_id,
             false as is_match
        from (${walked}) examined
       where (select count(*) from page) < ${limit}
      having count(*) = ${BUDGET} or max(bytes_before) >= ${WALKED_BYTES}
    )`;
}

/**
 * Selects the next 5,000 records of the index, the newest first, each with the bytes of the words
 * before it.
 *
 * @param after They begin after it; null at the newest record.
 * @param condition Begins with `and`; default: none.
 */
export function walkedRecords(
  sql: Sql,
  owner: string,
  after: string | null,
  condition: Query<object> = sql``,
): Query<object> {
  // The size of a long value is known without reading it.
  const bytes = sql`coalesce(pg_column_size(lexemes), pg_column_size(words))`;
  return sql`
    select owner_id, record_id, lexemes, words, sum(${bytes}) over (
             order by record_id desc rows between unbounded preceding and current row
           ) - ${bytes} as bytes_before
      from search_index
     where owner_id = ${owner} ${condition}
           ${after === null ? sql`` : sql`and record_id < ${after}`}
     order by record_id desc limit ${BUDGET}`;
}

/** True if a row of `search_index` has the words of a query, by the rules of either release. */
export function hasWords(sql: Sql, query: Query<object>): Query<object> {
  return sql`coalesce(owned_words(owner_id, lexemes), words) @@ ${query}`;
}

/** Reads contents of records that are still served, by identifier. */
export async function readContents(
  sql: Sql,
  query: SearchPageQuery,
  ids: readonly string[],
): Promise<FoundRow[]> {
  const { owner } = query;
  const served = findServed(sql, owner, sql`listed.record_id`, query);
  return await sql<FoundRow>`
    select record_id, module_code, title, summary, guard, ${contentColumns(sql, sql`${owner}`)}
      from (select listed.*, served.*
              from unnest(string_to_array(${ids.join(" ")}, ' ')::ulid[])
                     with ordinality listed (record_id, place)
                   cross join lateral (${served}) served) found
     order by place`;
}
