/** Every way to change stored rows past the application. */

import type { World } from "../support/world.ts";
import { assertRefusedToAll, insertInto, literal, type Row } from "./rows.ts";

export interface StoredRow {
  readonly table: string;
  readonly key: readonly string[];
  readonly row: Row;
}

export function changesOf({ table, key, row }: StoredRow, changes: Row): string[] {
  const assignments = Object.entries(changes)
    .map(([column, value]) => `${column} = ${literal(value)}`).join(", ");
  const where = key.map((column) => `${column} = ${literal(row[column] ?? null)}`).join(" and ");
  const same = key.map((column) => `target.${column} = source.${column}`).join(" and ");
  const insert = insertInto(table, row).replace(/;$/, "");
  return [
    `update ${table} set ${assignments} where ${where}`,
    `${insert} on conflict (${key.join(", ")}) do update set ${assignments}`,
    `merge into ${table} target using (select * from ${table} where ${where}) source on ${same}
       when matched then update set ${assignments}`,
  ];
}

/** Every way fails in every role. */
export async function assertFixed(world: World, stored: StoredRow, changes: Row): Promise<void> {
  for (const statement of changesOf(stored, changes)) {
    await assertRefusedToAll(world, statement, "PRS04");
  }
}
