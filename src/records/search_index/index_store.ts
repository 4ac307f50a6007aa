/**
 * Rows of the search index, one per record. Every write of a record writes its row in the same
 * statement, so that acknowledged text is found immediately.
 */

import type { Query, Sql } from "../../database/sql.ts";
import { lexemesOf, WORD_RULE } from "./lexemes.ts";
import type { IndexedText } from "./texts.ts";

export interface IndexedRecord {
  readonly recordId: string;
  readonly texts: readonly IndexedText[];
}

/**
 * CTE `indexed`: the index row of the record in the CTE `record_root`.
 *
 * @param isNew True if the record is new. Then there is no old row, and looking for one would cost
 *   nearly as much as indexing the words.
 */
export function indexRow(
  sql: Sql,
  owner: string,
  texts: readonly IndexedText[],
  isNew: boolean,
): Query<object> {
  return sql`
    indexed as (
      insert into search_index (owner_id, record_id, rule, words)
      select owner_id, record_id, ${WORD_RULE}::smallint,
             ${words(sql, sql`${lexemesOf(owner, texts)}`)}
        from record_root
      ${isNew ? sql`` : replacing(sql)}
    )`;
}

/**
 * Writes the rows of many distinct records.
 *
 * @param condition A WHERE clause; default: none.
 */
export function indexRows(
  sql: Sql,
  owner: string,
  records: readonly IndexedRecord[],
  condition: Query<object> = sql``,
): Query<object> {
  const owned = records.map((record) => ({ owner, ...record }));
  return sql`${insertRows(sql, owned)} ${condition} ${replacing(sql)}`;
}

/**
 * Writes the rows of many records of any owners, except those that have one by the current rules,
 * which was written after the records were read.
 */
export function fillIndex(
  sql: Sql,
  records: readonly (IndexedRecord & { readonly owner: string })[],
): Query<object> {
  return sql`
    ${insertRows(sql, records)}
    on conflict (owner_id, record_id) do update set rule = excluded.rule, words = excluded.words
      where search_index.rule <> excluded.rule`;
}

function insertRows(
  sql: Sql,
  records: readonly (IndexedRecord & { readonly owner: string })[],
): Query<object> {
  const rows = records.map(({ owner, recordId, texts }) => ({
    owner_id: owner,
    record_id: recordId,
    lexemes: lexemesOf(owner, texts),
  }));
  return sql`
    insert into search_index (owner_id, record_id, rule, words)
    select owner_id, record_id, ${WORD_RULE}::smallint, ${words(sql, sql`lexemes`)}
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as indexed (
        owner_id text, record_id text, lexemes text)`;
}

/** Lexemes separated by spaces need no quotes, and not the parser of texts. */
function words(sql: Sql, lexemes: Query<object>): Query<object> {
  return sql`array_to_tsvector(string_to_array(${lexemes}, ' '))`;
}

/** Replaces the row, unless a change, such as an archival, keeps the words. */
function replacing(sql: Sql): Query<object> {
  return sql`
    on conflict (owner_id, record_id) do update set rule = excluded.rule, words = excluded.words
      where (search_index.rule, search_index.words) <> (excluded.rule, excluded.words)`;
}
