/** Signed cursors of the walks of `order_walk.ts`. */

import type { Page } from "../http/page.ts";
import type { SignedCursors } from "../http/signed_page.ts";
import { type OrderPosition, parsePosition } from "./order_walk.ts";

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

/** Signs the cursor of a page, which is the text of a position. */
export function signPositions<Item>(
  cursors: SignedCursors,
  { items, nextCursor: data }: Page<Item>,
): Page<Item> {
  if (data === null) return { items, nextCursor: null };
  const [, , after] = parsePosition(data);
  return { items, nextCursor: cursors.sign({ after, data }) };
}
