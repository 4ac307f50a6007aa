/** Inserts an account file's rows, with all checks of normal writes. */

import type { JsonObject } from "../core/json.ts";
import { identifier, type Query, type Sql } from "../database/sql.ts";
import { canonicalJson } from "../validate/canonical.ts";
import type { NestedRows } from "./account_file.ts";
import { type Columns, type LineType, membersOf } from "./description.ts";
import type { ValueKind } from "./kinds.ts";
import { listed } from "./row_cursor.ts";

const BATCH_CHARACTERS = 64 * 1024;

interface TableWrite {
  readonly table: string;
  readonly columns: Columns;
}

/** Inserts rows of one type after another. Call `flush` at the end. */
export class RowWriter {
  readonly #sql: Sql;
  readonly #owner: string;
  #type: LineType | null = null;
  /** The last row, with which the rows below it share columns. */
  #row: JsonObject = {};
  /** JSON of rows that wait for insertion, by table in the order of insertion. */
  #waiting = new Map<string, { readonly write: TableWrite; readonly rows: string[] }>();
  #characters = 0;

  constructor(sql: Sql, owner: string) {
    this.#sql = sql;
    this.#owner = owner;
  }

  async addRow(type: LineType, row: JsonObject, below: NestedRows = {}): Promise<void> {
    if (type !== this.#type) await this.#begin(type);
    this.#row = row;
    this.#add(type.table, row);
    for (const { table, rowsOf } of type.derived) {
      for (const derived of rowsOf(row)) this.#add(table, derived);
    }
    await this.addBelow(below);
  }

  async addBelow(below: NestedRows): Promise<void> {
    for (const { member, table, inherited } of this.#type?.lists ?? []) {
      const above = Object.fromEntries(inherited.map((name) => [name, this.#row[name] ?? null]));
      for (const row of below[member] ?? []) this.#add(table, { ...above, ...row });
    }
    if (this.#characters >= BATCH_CHARACTERS) await this.flush();
  }

  async flush(): Promise<void> {
    for (const { write, rows } of this.#waiting.values()) {
      if (rows.length === 0) continue;
      await insertRows(this.#sql, this.#owner, write, `[${rows.join()}]`);
      rows.length = 0;
    }
    this.#characters = 0;
  }

  async #begin(type: LineType): Promise<void> {
    await this.flush();
    this.#type = type;
    this.#waiting = new Map(
      tablesOf(type).map((write) => [write.table, { write, rows: [] }]),
    );
  }

  #add(table: string, row: JsonObject): void {
    const waiting = this.#waiting.get(table);
    if (waiting === undefined) return;
    const json = toGivenRow(waiting.write.columns, row);
    waiting.rows.push(json);
    this.#characters += json.length;
  }
}

/** A type's tables in the order of insertion. */
function tablesOf({ table, columns, lists, derived }: LineType): TableWrite[] {
  const below = lists.map((list) => {
    const inherited = list.inherited.map((name) => [name, columns[name] as ValueKind] as const);
    return { table: list.table, columns: { ...Object.fromEntries(inherited), ...list.columns } };
  });
  return [{ table, columns }, ...below, ...derived];
}

function toGivenRow(columns: Columns, row: JsonObject): string {
  const given = membersOf(columns).map(({ column, kind }) => {
    const value = row[column] ?? null;
    return [column, kind.isStoredJson && value !== null ? canonicalJson(value) : value] as const;
  });
  return JSON.stringify(Object.fromEntries(given));
}

async function insertRows(
  sql: Sql,
  owner: string,
  { table, columns }: TableWrite,
  json: string,
): Promise<void> {
  const entries = Object.entries(columns).map(([name, kind]) =>
    [identifier(sql, name), kind] as const
  );
  const names: Query<object>[] = entries.map(([name]) => name);
  const values = entries.map(([name, kind]) => kind.insert(sql, sql`given.${name}`));
  const types = entries.map(([name, kind]) => sql`${name} ${kind.given(sql)}`);
  await sql`
    insert into ${identifier(sql, table)} (owner_id, ${listed(sql, names)})
    select ${owner}, ${listed(sql, values)}
      from json_to_recordset(${json}::text::json) as given (${listed(sql, types)})`;
}
