/** Pages of lists whose signed cursors are positions in an order. */

import type { Query, Sql } from "../database/sql.ts";
import type { Walk, Walked } from "../database/walk.ts";
import { type Page, toWalkedPage } from "../http/page.ts";
import type { PagePosition, SignedCursors } from "../http/signed_page.ts";
import { type OrderPosition, parsePosition } from "./order_walk.ts";

/** A row with its position in an order. */
export interface PlacedRow {
  readonly position: string;
}

/** The columns of a `PlacedRow`, and those by which the rows of the walk are in order. */
export function placedColumns(sql: Sql, { key, ordered }: Walk): Query<object> {
  return sql`${ordered}, ${key} as position`;
}

export function toOrderedPage<Row extends PlacedRow, Item>(
  walked: Walked<Row>,
  toItem: (row: Row) => Item,
  cursors: SignedCursors,
): Page<Item> {
  const { items, nextCursor } = toWalkedPage(walked, toItem, ({ position }) => position);
  return { items, nextCursor: nextCursor === null ? null : signPosition(cursors, nextCursor) };
}

export function signPosition(cursors: SignedCursors, position: string): string {
  const [, , after] = parsePosition(position);
  return cursors.sign({ after, data: position });
}

/** The position of a read cursor; null at the beginning. */
export function positionOf(place: PagePosition | null): OrderPosition | null {
  return place?.data === undefined ? null : parsePosition(place.data);
}
