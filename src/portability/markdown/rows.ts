import type { JsonObject } from "../../core/json.ts";
import type { Sql } from "../../database/sql.ts";
import type { LineType } from "../description.ts";
import { RowCursor } from "../row_cursor.ts";

/** Omits the rows below a type's rows. */
export async function* readRows(
  sql: Sql,
  owner: string,
  { table, key, columns }: Pick<LineType, "table" | "key" | "columns">,
): AsyncGenerator<JsonObject> {
  const cursor = await RowCursor.open(sql, owner, { table, order: key, columns });
  for (; !cursor.isDone; await cursor.advance()) {
    yield Object.fromEntries(cursor.members().map(([name, json]) => [name, JSON.parse(json)]));
  }
  await cursor.close();
}
