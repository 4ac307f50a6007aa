/** Ledgers of private entries below a root: their rows are added and read, and never change. */

import type { Caller } from "../access/identity.ts";
import { wholeColumns } from "../database/page_bytes.ts";
import { identifier, type Query, type Sql } from "../database/sql.ts";
import { readWalk, type Walked } from "../database/walk.ts";
import type { PageQuery } from "../http/page.ts";
import {
  camelCase,
  type Columns,
  longColumns,
  namesOf,
  readColumns,
  type RowOf,
  shortColumns,
  valuesOf,
} from "./columns.ts";
import type { LedgerEntry } from "./entry.ts";
import { ownIdOf } from "./route.ts";
import { newestFirst } from "./tables.ts";
import type { RootPath } from "./write.ts";

/** From least to most private, and in byte order. */
export const PRIVACY_LEVELS = ["NORMAL", "PRIVATE", "SECRET"] as const;

export type PrivacyLevel = (typeof PRIVACY_LEVELS)[number];

export interface LedgerDeclaration<Row, Item>
  extends Pick<LedgerEntry<RootPath, Row, Item>, "policy" | "schema"> {
  readonly table: string;
  readonly columns: Columns;
  /** Column of the entry's identifier. */
  readonly id: keyof Row & string;
  /** Column of the root's identifier. */
  readonly root: keyof Row & string;
  /** A subquery that adds the columns of `derived`; default: the table alone. */
  readonly from?: (sql: Sql) => Query<object>;
  readonly derived?: Columns;
  /** The column whose level determines who may read the long columns. */
  readonly level: "privacy" | "privacy_today";
  readonly mayReadSecrets: (reader: Caller) => boolean;
  readonly show: (row: Row, reader: Caller) => Item;
  /** Returns the entry as created, with `level` as it is today; default: the entry itself. */
  readonly asMade?: (row: Row) => Row;
  /** Conditions of a list, each starting with `and`; default: null. */
  readonly conditions?: (sql: Sql, page: PageQuery) => Query<object> | null;
}

export interface StoredLedger<Row, Item> extends LedgerEntry<RootPath, Row, Item> {
  /** CTE of a new entry, conditional on the claim. */
  readonly added: (sql: Sql, owner: string, row: Row) => Query<object>;
}

/** The ledger of a declaration, newest first. */
export function storedLedger<Row extends object, Item>(
  declared: LedgerDeclaration<Row, Item>,
): StoredLedger<Row, Item> {
  const { policy, table, columns, id, schema, show, asMade } = declared;
  const find = (sql: Sql, owner: string, key: RootPath, entryId: string) =>
    sql<Row>`
      select ${wholeEntry(sql, declared)} from ${rowsOf(sql, declared)}
       where ${isEntry(sql, declared, owner, key, entryId)}`;
  return {
    policy,
    schema,
    idName: camelCase(id),
    cursorOf: (row) => row[id] as string,
    show,
    ...(asMade && { showAsMade: (row, reader) => show(asMade(row), reader) }),
    find,
    cursor: find,
    rows: (sql, reader, key, page) => readEntries(sql, declared, reader, ownIdOf(key), page),
    added: (sql, owner, row) => addedRow(sql, table, columns, owner, row as RowOf<Columns>),
  };
}

/** CTE of a new row, conditional on the claim. */
export function addedRow<C extends Columns>(
  sql: Sql,
  table: string,
  columns: C,
  owner: string,
  row: RowOf<C>,
): Query<object> {
  return sql`
    ${identifier(sql, `added_${table}`)} as (
      insert into ${identifier(sql, table)} (owner_id, ${namesOf(sql, columns)})
      select ${owner}, ${valuesOf(sql, columns, row)}
        from claim where verdict = 'GO'
    )`;
}

/** As `addedRow`, for any number of rows. */
export function addedRows<C extends Columns>(
  sql: Sql,
  table: string,
  columns: C,
  owner: string,
  rows: readonly RowOf<C>[],
): Query<object> {
  return sql`
    ${identifier(sql, `added_${table}`)} as (
      insert into ${identifier(sql, table)} (owner_id, ${namesOf(sql, columns)})
      select ${owner}, ${readColumns(sql, columns)}
        from json_populate_recordset(null::${identifier(sql, table)},
                                     ${JSON.stringify(rows)}::text::json)
       where (select verdict from claim) = 'GO'
    )`;
}

/** Condition of rows about one entry. */
export function isEntry(
  sql: Sql,
  { id, root }: { readonly id: string; readonly root: string },
  owner: string,
  key: RootPath,
  entryId: string,
): Query<object> {
  return sql`owner_id = ${owner} and ${identifier(sql, root)} = ${ownIdOf(key)}
    and ${identifier(sql, id)} = ${entryId}`;
}

type Source = Pick<LedgerDeclaration<object, unknown>, "table" | "columns" | "from" | "derived">;

/** Select list of whole entries. */
export function wholeEntry(sql: Sql, { columns, derived }: Source): Query<object> {
  const read = { ...columns, ...derived };
  return sql`${shortColumns(sql, read)}, ${wholeColumns(sql, longColumns(sql, read))}`;
}

function rowsOf(sql: Sql, { table, from }: Source): Query<object> {
  return from?.(sql) ?? identifier(sql, table);
}

function readEntries<Row extends object>(
  sql: Sql,
  declared: LedgerDeclaration<Row, unknown>,
  reader: Caller,
  rootId: string,
  page: PageQuery,
): Promise<Walked<Row>> {
  const { columns, derived, root, level, mayReadSecrets, conditions } = declared;
  const walk = newestFirst(sql, {
    from: rowsOf(sql, declared),
    id: identifier(sql, declared.id),
    owner: reader.account.accountId,
    part: sql`${identifier(sql, root)} = ${rootId}`,
    cursor: page.cursor,
  });
  const read = { ...columns, ...derived };
  const hidden = mayReadSecrets(reader) ? null : sql`${identifier(sql, level)} = 'SECRET'`;
  return readWalk<Row>(sql, walk, {
    columns: shortColumns(sql, read),
    long: { ...longColumns(sql, read), hidden },
    conditions: conditions?.(sql, page) ?? null,
    limit: page.limit,
  });
}
