/**
 * The records that a search examines, newest first, and their contents. Both are read in limited
 * pieces, because the built-in engine serves no other request during a statement.
 *
 * One read examines at most `FILTERED_PAGE_BUDGET` records that have the words:
 *
 *   few    no more have them: all of them, in order
 *   many   those among a number of the newest records, which grows until some are found
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
  /** Records to look among, if an earlier read has shown that many have the words. */
  readonly span?: number | null;
}

export interface Matches {
  /** At most the page's limit, newest first. */
  readonly ids: readonly string[];
  /** The last record examined; null at the end of the index. */
  readonly end: string | null;
  /** Records that the next read looks among; null if few have the words. */
  readonly span: number | null;
}

export interface FoundRow extends ContentRow {
  readonly record_id: string;
  /** The permission required in addition to the module's; null for none. */
  readonly guard: Permission | null;
}

/** Records that the first of many reads looks among, its growth, and the most. */
const [FIRST_SPAN, SPAN_GROWTH, MAX_SPAN] = [1_000, 4, 64_000];

export async function readMatches(sql: Sql, query: SearchPageQuery): Promise<Matches> {
  const { limit } = query;
  const span = query.span ?? FIRST_SPAN;
  const rows = await sql<{ record_id: string | null; is_match: boolean; are_few: boolean }>`
    ${matches(sql, query, limit + 1, span)}
    select found.*, are_few from amount cross join (
      select record_id, true as is_match from page
      union all select record_id, false from ended) found
     order by record_id desc nulls last`;
  const ids = rows.flatMap(({ is_match, record_id }) => is_match && record_id ? [record_id] : []);
  const next = rows.some(({ are_few }) => !are_few) ? span : null;
  if (ids.length > limit) {
    return { ids: ids.slice(0, limit), end: ids[limit - 1] ?? null, span: next };
  }
  const end = rows.find((row) => !row.is_match)?.record_id ?? null;
  return { ids, end, span: next && Math.min(next * SPAN_GROWTH, MAX_SPAN) };
}

/** CTEs `amount`, `page`, of at most `limit` records, and `ended`, null at the end of the index. */
function matches(sql: Sql, query: SearchPageQuery, limit: number, span: number): Query<object> {
  const { owner, words, modules, audiences, after } = query;
  const isLimited = modules.length < MODULE_CODES.length;
  const lent = audiences && {
    prefixes: audiences.map((audience) => PREFIXES[audience]),
    marks: isLimited ? modules.map(({ code }) => markOf(code)) : [],
  };
  const lexemes = lexemeQuery(owner, words, lent);
  const areMany = (query.span ?? null) !== null;
  const served = findServed(sql, owner, sql`examined.record_id`, query);
  return sql`
    with candidate as materialized (
      select owner_id, record_id
        from word_candidates(${lexemes}::text::tsquery, ${BUDGET + 1})
       where not ${areMany}::boolean
    ),
    amount as materialized (
      select count(*) <= ${BUDGET} and not ${areMany}::boolean as are_few from candidate
    ),
    ${walkedRecords(sql, owner, { lexemes, after, span }, sql`(select not are_few from amount)`)},
    examined as materialized (
      select record_id from candidate
       where owner_id = ${owner} and record_id < ${
    after ?? LAST_ID
  } and (select are_few from amount)
      union all select record_id from walked
    ),
    page as materialized (
      select examined.record_id
        from (select record_id from examined order by record_id desc) examined
             cross join lateral (${served}) served
       order by examined.record_id desc limit ${limit}
    )`;
}

/** After every identifier. */
const LAST_ID = "7ZZZZZZZZZZZZZZZZZZZZZZZZZ";

interface Walk {
  /** Text of a tsquery; null for all records. */
  readonly lexemes: string | null;
  /** The walk begins after this record; null at the newest one. */
  readonly after: string | null;
  /** Records to look among; for all records at most the budget. */
  readonly span: number;
}

/**
 * CTEs `walked`, at most 5,000 records among the next ones that may match, and `ended`, the last
 * record that was looked at; null at the end of the index.
 *
 * @param condition False for no walk.
 */
export function walkedRecords(
  sql: Sql,
  owner: string,
  { lexemes, after, span }: Walk,
  condition: Query<object> = sql`true`,
): Query<object> {
  const last = after ?? LAST_ID;
  const records = lexemes === null
    ? sql`
      select record_id from search_index
       where owner_id = ${owner} and record_id < ${last}
         and record_id >= (select coalesce(record_id, '') from spanned)`
    : sql`
      select walked.record_id
        from spanned cross join lateral word_candidates_between(
          ${lexemes}::text::tsquery, ${owner}, coalesce(spanned.record_id, ''), ${last}, ${BUDGET}
        ) walked`;
  return sql`
    spanned as materialized (
      select (select record_id from search_index
               where owner_id = ${owner} and record_id < ${last}
               order by record_id desc offset ${span - 1} limit 1) as record_id
       where ${condition}
    ),
    walked as materialized (${records}),
    ended as materialized (
      select case when (select count(*) from walked) = ${BUDGET}
                  then (select min(record_id) from walked) else record_id end as record_id
        from spanned
    )`;
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
