/** Reads and inserts rows of any table. Names come from the list of tables and the catalog. */

import type { Tx } from "../../database/database.ts";
import { restoredTransaction } from "../../audit/seal_store.ts";
import { identifier, type Query, type Sql } from "../../database/sql.ts";
import { type TableSum, TableTally } from "./format.ts";
import type { BackedUpTable } from "./tables.ts";

interface Column {
  readonly name: string;
  readonly is_json: boolean;
}

/**
 * Reads rows as lines of a backup, by primary key, some hundred at once; the server prepares the
 * next ones while the caller works. Uses a cursor, so call it in a snapshot or a transaction.
 *
 * @param now The end of rows that have not ended; null if they keep none.
 */
export async function* readRows(
  sql: Sql,
  table: BackedUpTable,
  now: Date | null,
): AsyncGenerator<readonly string[]> {
  const { name, ended, transaction } = table;
  const columns = await readColumns(sql, table);
  const key = await readKey(sql, name);
  const shown = columns.map((column) => {
    const quoted = identifier(sql, column.name);
    if (column.is_json) return sql`t.${quoted}::text as ${quoted}`;
    if (column.name === transaction) return sql`${restoredTransaction(sql, quoted)} as ${quoted}`;
    return column.name === ended && now !== null
      ? sql`coalesce(t.${quoted}, ${now}::timestamptz(3)) as ${quoted}`
      : sql`t.${quoted}`;
  });
  await sql`
    declare backed_up_rows no scroll cursor for
    select (select row_to_json(r) from (select ${list(sql, shown)}) r)::text as line
      from ${identifier(sql, name)} t order by ${list(sql, key)}`;
  const fetchRows = () => sql<{ line: string }>`fetch 100 from backed_up_rows`.execute();
  let rows = await fetchRows();
  while (rows.length > 0) {
    const next = fetchRows();
    // If the caller stops, nothing awaits it.
    next.catch(() => {});
    yield rows.map(({ line }) => line);
    rows = await next;
  }
  await sql`close backed_up_rows`;
}

/** Counts and digests the current rows of a table. */
export async function sumTable(
  sql: Sql,
  table: BackedUpTable,
  now: Date | null,
): Promise<TableSum> {
  const tally = new TableTally();
  for await (const lines of readRows(sql, table, now)) lines.forEach((line) => tally.add(line));
  return tally.sum();
}

export async function insertRows(
  { sql }: Tx,
  table: BackedUpTable,
  lines: readonly string[],
): Promise<void> {
  const name = identifier(sql, table.name);
  const columns = await readColumns(sql, table);
  const names = columns.map((column) => identifier(sql, column.name));
  const values = columns.map((column, index) =>
    column.is_json ? sql`(given.line->>${column.name})::json` : sql`r.${names[index] ?? sql``}`
  );
  await sql`
    insert into ${name} (${list(sql, names)})
    select ${list(sql, values)}
      from json_array_elements(${`[${lines.join()}]`}::text::json) given(line),
           json_populate_record(null::${name}, given.line) r`;
}

/** Locks the table against other writers; returns whether it has rows. */
export async function lockTable({ sql }: Tx, { name }: BackedUpTable): Promise<boolean> {
  await sql`lock table ${identifier(sql, name)} in share row exclusive mode`;
  const [row] = await sql<{ filled: boolean }>`
    select exists (select from ${identifier(sql, name)}) as filled`;
  return row?.filled ?? false;
}

/** Columns of a backup, in order: those that the database does not generate. */
async function readColumns(
  sql: Sql,
  { name, transaction, isSealed }: BackedUpTable,
): Promise<Column[]> {
  const columns = await sql<Column>`
    select attname::text as name, atttypid = 'json'::regtype as is_json from pg_attribute
     where attrelid = ${name}::text::regclass
       and attnum > 0 and not attisdropped and attgenerated = ''
     order by attnum`;
  return columns.filter((column) => isSealed || column.name !== transaction);
}

async function readKey(sql: Sql, table: string): Promise<Query<object>[]> {
  const rows = await sql<{ name: string }>`
    select a.attname::text as name
      from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any(i.indkey)
     where i.indrelid = ${table}::text::regclass and i.indisprimary
     order by array_position(i.indkey::int2[], a.attnum)`;
  return rows.map(({ name }) => sql`t.${identifier(sql, name)}`);
}

function list(sql: Sql, parts: readonly Query<object>[]): Query<object> {
  return parts.reduce((before, part) => sql`${before}, ${part}`);
}
