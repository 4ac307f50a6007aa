/** Pages of the walks of `two_part_walk.ts`, whose cursors are signed positions. */

import type { Sql } from "../database/sql.ts";
import { readWalk, type Walk, type Walked } from "../database/walk.ts";
import { type Page, toWalkedPage } from "../http/page.ts";
import type { SignedCursors } from "../http/signed_page.ts";
import { type OrderPosition, parsePosition } from "./two_part_walk.ts";

/** A row with the text of its position in an order. */
export type Placed<Row> = Row & { readonly position: string };

export async function readPlaced<Row extends object>(
  sql: Sql,
  walk: Walk,
  { columns, ...page }: Parameters<typeof readWalk>[2],
): Promise<Walked<Placed<Row>>> {
  return await readWalk<Placed<Row>>(sql, walk, {
    columns: sql`${columns}, ${walk.ordered}, ${walk.key} as position`,
    ...page,
  });
}

/**
 * Returns null without a cursor.
 *
 * @throws errors of `SignedCursors.read`.
 */
export function readPosition(
  cursors: SignedCursors,
  cursor: string | null | undefined,
): OrderPosition | null {
  const data = cursors.read(cursor)?.data;
  return data === undefined ? null : parsePosition(data);
}

export function toSignedPage<Row, Item>(
  cursors: SignedCursors,
  walked: Walked<Placed<Row>>,
  toItem: (row: Placed<Row>) => Item,
): Page<Item> {
  const { items, nextCursor: data } = toWalkedPage(walked, toItem, ({ position }) => position);
  if (data === null) return { items, nextCursor: null };
  const [, , after] = parsePosition(data);
  return { items, nextCursor: cursors.sign({ after, data }) };
}
