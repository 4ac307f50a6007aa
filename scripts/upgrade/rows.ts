/** Digests of all rows of a database, in the columns of the release that wrote them. */

import { assert, assertEquals } from "@std/assert";
import type { Database } from "../../src/database/database.ts";
import { openEmbedded } from "../../src/database/embedded.ts";
import { openPostgres } from "../../src/database/postgres.ts";
import { columnList, identifier } from "../../src/database/sql.ts";

/** The columns of each table. */
export type Columns = ReadonlyMap<string, readonly string[]>;
/** The digests of the rows of each table, sorted. */
export type Rows = ReadonlyMap<string, readonly string[]>;

/** Uses a database that no service has opened, or one of a server. */
export async function withDatabase<T>(
  place: { readonly dataDir: string } | { readonly url: string },
  use: (database: Database) => Promise<T>,
): Promise<T> {
  const database = "url" in place ? openPostgres(place.url, 2) : await openEmbedded(place.dataDir);
  try {
    return await use(database);
  } finally {
    await database.close();
  }
}

/** Without the numbers of transactions, which each database assigns. */
export async function readColumns(database: Database): Promise<Columns> {
  const rows = await database.read((sql) =>
    sql<{ table: string; columns: string }>`
      select table_name as table, string_agg(column_name, ' ' order by ordinal_position) as columns
        from information_schema.columns join information_schema.tables
             using (table_catalog, table_schema, table_name)
       where table_schema = 'public' and table_type = 'BASE TABLE'
         and column_name <> 'transaction_id'
       group by table_name order by table_name`
  );
  return new Map(rows.map(({ table, columns }) => [table, columns.split(" ")]));
}

export async function readRows(database: Database, columns: Columns): Promise<Rows> {
  return await database.snapshot(async (sql) => {
    const found = new Map<string, readonly string[]>();
    for (const [table, names] of columns) {
      const rows = await sql<{ digest: string }>`
        select encode(sha256(convert_to(kept::text, 'UTF8')), 'hex') as digest
          from (select ${columnList(sql, names)} from ${identifier(sql, table)}) kept
         order by 1`;
      found.set(table, rows.map(({ digest }) => digest));
    }
    return found;
  });
}

/** Tables of which a row is missing afterwards. */
export function changedTables(before: Rows, after: Rows): string[] {
  return [...before].filter(([table, digests]) => {
    const left = new Set(after.get(table));
    return digests.some((digest) => !left.has(digest));
  }).map(([table]) => table);
}

/** Asserts that only these tables lost or changed rows. */
export function assertKept(before: Rows, after: Rows, except: readonly string[]): void {
  for (const table of ["records", "record_revisions", "attachments", "memory_revisions"]) {
    assert((before.get(table)?.length ?? 0) > 0, `${table} is empty`);
  }
  assertEquals(changedTables(before, after).filter((table) => !except.includes(table)), []);
}
