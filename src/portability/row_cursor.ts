/** Reads a table's rows in order, some at a time, inside a snapshot. */

import { identifier, type Query, type Sql } from "../database/sql.ts";
import { canonicalJson } from "../validate/canonical.ts";
import { type Columns, membersOf } from "./description.ts";

interface TableRead {
  readonly table: string;
  /** Rows to read instead of the table's; in parentheses. */
  readonly rows?: Query<object> | null;
  readonly order: readonly string[];
  readonly columns: Columns;
}

/** An owner's rows in a table, with a look at the current one. */
export class RowCursor {
  readonly #sql: Sql;
  readonly #name: Query<object>;
  readonly #columns: Columns;
  #rows: Record<string, unknown>[] = [];
  #place = 0;

  private constructor(sql: Sql, { table, columns }: TableRead) {
    this.#sql = sql;
    this.#name = identifier(sql, `${table}_cursor`);
    this.#columns = columns;
  }

  /** Starts at the first row. Only one cursor may be open per table. */
  static async open(sql: Sql, owner: string, read: TableRead): Promise<RowCursor> {
    const { table, order, columns, rows } = read;
    const cursor = new RowCursor(sql, read);
    const shown = Object.entries(columns).map(([name, kind]) => {
      const column = identifier(sql, name);
      return sql`${kind.select(sql, sql`t.${column}`)} as ${column}`;
    });
    const ordered = order.map((name) => sql`t.${identifier(sql, name)}`);
    const keys = order.filter((name) => !(name in columns)).map((name) => identifier(sql, name));
    await sql`
      declare ${cursor.#name} no scroll cursor for
      select ${listed(sql, [...keys, ...shown])} from ${rows ?? identifier(sql, table)} t
       where t.owner_id = ${owner} order by ${listed(sql, ordered)}`;
    await cursor.#fetch();
    return cursor;
  }

  get isDone(): boolean {
    return this.#place === this.#rows.length;
  }

  key(name: string): unknown {
    return this.#rows[this.#place]?.[name];
  }

  /** The row's members in a line, in canonical JSON. */
  members(): [name: string, json: string][] {
    const row = this.#rows[this.#place] ?? {};
    return membersOf(this.#columns)
      .filter(({ column, kind }) => !kind.isSparse || row[column] !== null)
      .map(({ column, member, kind }) => [member, canonicalJson(kind.toJson(row[column]))]);
  }

  async advance(): Promise<void> {
    this.#place++;
    if (this.isDone) await this.#fetch();
  }

  async close(): Promise<void> {
    await this.#sql`close ${this.#name}`;
  }

  /**
   * Reads few rows at once, because a row may have megabytes. Empties the previous list, because V8
   * keeps the driver's lists long after their last use: most of an export's memory was rows in
   * them.
   */
  async #fetch(): Promise<void> {
    this.#rows.length = 0;
    this.#rows = await this.#sql`fetch 25 from ${this.#name}`;
    this.#place = 0;
  }
}

export function listed(sql: Sql, parts: readonly Query<object>[]): Query<object> {
  return parts.reduce((before, part) => sql`${before}, ${part}`);
}
