import type { Walked } from "../database/walk.ts";
import { type JsonSchema, listOf, nullable, objectOf, ULID } from "../validate/json_schema.ts";
import { identifier, integer, optional, readQuery } from "../validate/schema.ts";

/** Items of a page: minimum, default and maximum (specification, Limits). */
export const PAGE_LIMIT = { minimum: 1, standard: 50, maximum: 100 } as const;

/** The query parameters that every list takes. */
export const PAGE_QUERY = {
  limit: optional(integer(PAGE_LIMIT.minimum, PAGE_LIMIT.maximum)),
  cursor: optional(identifier),
};

/** Where a page begins and how long it is. */
export interface PageQuery {
  readonly limit: number;
  readonly cursor: string | null;
}

/**
 * Reads the query of a list that takes nothing else.
 *
 * @throws ServiceError `PAYLOAD_INVALID`.
 */
export function readPageQuery(query: URLSearchParams): PageQuery {
  const { limit = PAGE_LIMIT.standard, cursor = null } = readQuery(PAGE_QUERY, query);
  return { limit, cursor };
}

/** The page envelope of every list (specification, Endpoints). */
export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** The JSON Schema of a page. */
export function pageOf(item: JsonSchema): JsonSchema {
  return objectOf({ items: listOf(item), nextCursor: nullable(ULID) });
}

/** Makes a page of what a walk found. */
export function toWalkedPage<Row, Item>(
  { rows, more, examined }: Walked<Row>,
  toItem: (row: Row) => Item,
  cursorOf: (row: Row) => string,
): Page<Item> {
  const last = rows.at(-1);
  return { items: rows.map(toItem), nextCursor: more && last ? cursorOf(last) : examined };
}

/**
 * Makes a page of rows that were read with `limit + 1`: the one row too many tells that a next page
 * exists.
 */
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
