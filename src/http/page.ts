import type { Database } from "../database/database.ts";
import type { Query, Sql } from "../database/sql.ts";
import type { Walked } from "../database/walk.ts";
import { payloadInvalid, ServiceError } from "../errors/service_error.ts";
import { type JsonSchema, listOf, nullable, objectOf, ULID } from "../validate/json_schema.ts";
import { identifier, integer, optional, readQuery } from "../validate/schema.ts";

/** Items of a page (specification, Limits). */
export const PAGE_LIMIT = { minimum: 1, standard: 50, maximum: 100 } as const;

export const PAGE_QUERY = {
  limit: optional(integer(PAGE_LIMIT.minimum, PAGE_LIMIT.maximum)),
  cursor: optional(identifier),
};

export interface PageQuery {
  readonly limit: number;
  readonly cursor: string | null;
}

/**
 * Reads `limit` and `cursor`, and rejects other parameters.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
export function readPageQuery(query: URLSearchParams): PageQuery {
  const { limit = PAGE_LIMIT.standard, cursor = null } = readQuery(PAGE_QUERY, query);
  return { limit, cursor };
}

/** The envelope of every list (specification, Endpoints). */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

export function pageOf(item: JsonSchema): JsonSchema {
  return objectOf({ items: listOf(item), nextCursor: nullable(ULID) });
}

interface PageStatements<Row> {
  readonly parent?: Query<object>;
  /** Selects the cursor's row; null without a cursor. */
  readonly cursor: Query<object> | null;
  readonly rows: Promise<Walked<Row>>;
}

/**
 * Reads a page. It sends all statements together, so that a missing parent or cursor takes as long
 * as an existing one.
 *
 * @throws ServiceError `RECORD_NOT_FOUND` if the parent is missing, `PAYLOAD_INVALID` if the
 *   cursor's row is.
 */
export async function readPage<Row>(
  database: Database,
  ask: (sql: Sql) => PageStatements<Row>,
): Promise<Walked<Row>> {
  return await database.read(async (sql) => {
    const { parent, cursor, rows } = ask(sql);
    const [parents, cursors, walked] = await Promise.all([parent, cursor, rows]);
    if (parents?.length === 0) throw new ServiceError("RECORD_NOT_FOUND");
    if (cursors?.length === 0) throw payloadInvalid(["cursor.unknown"], ["cursor"]);
    return walked;
  });
}

export function toWalkedPage<Row, Item>(
  { rows, more, examined }: Walked<Row>,
  toItem: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): Page<Item> {
  const last = rows.at(-1);
  return { items: rows.map(toItem), nextCursor: more && last ? cursorOf(last) : examined };
}

/** Expects rows read with `limit + 1`: the extra row shows that a next page exists. */
export function toPage<Row, Item>(
  rows: readonly Row[],
  limit: number,
  toItem: (row: Row) => Item,
  cursorOf: (item: Item) => string,
): Page<Item> {
  const items = rows.slice(0, limit).map(toItem);
  const last = items.at(-1);
  return { items, nextCursor: rows.length > limit && last ? cursorOf(last) : null };
}
