/**
 * Rows of the search index and of the order of records, one of each per record. Every write of a
 * record writes them in the same statement, so that acknowledged text is found immediately.
 */

import type { Query, Sql } from "../../database/sql.ts";
import { lexemesOf, WORD_RULE } from "./lexemes.ts";
import type { OrderEntry } from "./order_entry.ts";
import { orderForm } from "./order_form.ts";
import type { IndexedText } from "./texts.ts";

/** The content from which both rows of a record are computed. */
export interface IndexContent {
  readonly title: string;
  readonly texts: readonly IndexedText[];
  readonly order: OrderEntry;
}

export interface IndexedRecord extends IndexContent {
  readonly recordId: string;
}

/** Columns that `indexEntries` reads in addition to those of the record. */
export function indexColumns(
  { title, texts, order }: IndexContent,
): Readonly<Record<string, string | Date | null>> {
  return {
    lexemes: lexemesOf(title, texts, order),
    order_form: orderForm(title),
    own_time: order.time,
    own_day: order.day,
    kind: order.kind,
  };
}

/** Types of `indexColumns` for `json_to_recordset`. */
export function indexTypes(sql: Sql): Query<object> {
  return sql`lexemes text, order_form text, own_time timestamptz, own_day date, kind text`;
}

/**
 * CTEs `indexed` and `ordered`: the rows of the records in the CTE `record_row`.
 *
 * @param areNew True if the records are new. Their old rows need no look-up, which would cost
 *   nearly as much as indexing the words.
 */
export function indexEntries(sql: Sql, owner: string, areNew: boolean): Query<object> {
  return sql`
    indexed as (
      insert into search_index (owner_id, record_id, rule, lexemes)
      select ${owner}, record_id, ${WORD_RULE}::smallint, lexemes
        from record_row
      ${areNew ? sql`` : replacing(sql)}
    ),
    ordered as (
      insert into record_order (${orderColumns(sql)})
      select ${owner}, record_id, module_code, ${WORD_RULE}::smallint, archived_at is not null,
             coalesce(guard, ''), order_form, own_time, own_day, kind
        from record_row
      ${areNew ? sql`` : replacingOrder(sql)}
    )`;
}

/**
 * CTEs `indexed` and `ordered`: the rows of many distinct records.
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
  return sql`
    indexed as (${insertWords(sql, owned)} ${condition} ${replacing(sql)}),
    ordered as (${insertOrder(sql, owned)} ${condition} ${replacingOrder(sql)})`;
}

type OwnedRecord = IndexedRecord & { readonly owner: string };

/**
 * Writes the rows of many records of any owners, except those that have them by the current rules,
 * which were written after the records were read.
 */
export function fillIndex(sql: Sql, records: readonly OwnedRecord[]): Query<object> {
  return sql`
    with indexed as (
      ${insertWords(sql, records)}
      on conflict (owner_id, record_id) do update set ${wordChanges(sql)}
        where search_index.rule <> excluded.rule
    )
    ${insertOrder(sql, records)}
    on conflict (owner_id, record_id) do update set ${orderChanges(sql)}
      where record_order.rule <> excluded.rule`;
}

function insertWords(sql: Sql, records: readonly OwnedRecord[]): Query<object> {
  const rows = records.map(({ owner, recordId, title, texts, order }) => ({
    owner_id: owner,
    record_id: recordId,
    lexemes: lexemesOf(title, texts, order),
  }));
  return sql`
    insert into search_index (owner_id, record_id, rule, lexemes)
    select owner_id, record_id, ${WORD_RULE}::smallint, lexemes
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as indexed (
        owner_id text, record_id text, lexemes text)`;
}

function insertOrder(sql: Sql, records: readonly OwnedRecord[]): Query<object> {
  const rows = records.map(({ owner, recordId, title, order }) => ({
    owner_id: owner,
    record_id: recordId,
    module_code: order.moduleCode,
    is_archived: order.isArchived,
    guard: order.guard ?? "",
    order_form: orderForm(title),
    own_time: order.time,
    own_day: order.day,
    kind: order.kind,
  }));
  return sql`
    insert into record_order (${orderColumns(sql)})
    select owner_id, record_id, module_code, ${WORD_RULE}::smallint, is_archived, guard, order_form,
           own_time, own_day, kind
      from json_to_recordset(${JSON.stringify(rows)}::text::json) as ordered (
        owner_id text, record_id text, module_code text, is_archived boolean, guard text,
        order_form text, own_time timestamptz, own_day date, kind text)`;
}

/** Also clears the words of a row that the release before wrote. */
function wordChanges(sql: Sql): Query<object> {
  return sql`rule = excluded.rule, lexemes = excluded.lexemes, words = excluded.words`;
}

/** Replaces the row, unless a change, such as an archival, keeps the words. */
function replacing(sql: Sql): Query<object> {
  return sql`
    on conflict (owner_id, record_id) do update set ${wordChanges(sql)}
      where (search_index.rule, search_index.lexemes)
        is distinct from (excluded.rule, excluded.lexemes)`;
}

function orderColumns(sql: Sql): Query<object> {
  return sql`owner_id, record_id, module_code, rule, is_archived, guard, order_form, own_time,
    own_day, kind`;
}

function orderChanges(sql: Sql): Query<object> {
  return sql`
    module_code = excluded.module_code, rule = excluded.rule, is_archived = excluded.is_archived,
    guard = excluded.guard, order_form = excluded.order_form, own_time = excluded.own_time,
    own_day = excluded.own_day, kind = excluded.kind`;
}

/** Replaces the row, unless nothing in it changes. */
function replacingOrder(sql: Sql): Query<object> {
  return sql`
    on conflict (owner_id, record_id) do update set ${orderChanges(sql)}
      where record_order is distinct from excluded`;
}
