/** Pages of tools: their arguments, cursors and size. */

import { type PagePosition, SignedCursors } from "../http/signed_page.ts";
import { type JsonSchema, listOf, nullable, objectOf, TEXT } from "../validate/json_schema.ts";
import { integer, optional, string } from "../validate/schema.ts";
import { ANSWER_BYTES, bytesOf } from "./shown.ts";
import { InvalidParams, type ToolAnswer, type ToolContext, type ToolServices } from "./tool.ts";

/** Items of a page: the default and the maximum. */
export const PAGE_ITEMS = 20;

export const PAGE_ARGUMENTS = {
  limit: optional(integer(1, PAGE_ITEMS)),
  cursor: optional(string({ maximum: 1024 })),
};

export function pageOutput(item: JsonSchema): JsonSchema {
  return objectOf({ items: listOf(item), nextCursor: nullable(TEXT) });
}

interface PageStart {
  readonly cursors: SignedCursors;
  /** Null for the first page. */
  readonly position: PagePosition | null;
}

/**
 * Reads the cursor of a call, which is valid for one assistant, tool and set of arguments, with any
 * limit.
 *
 * @throws InvalidParams for any other cursor.
 */
export function readPageStart(
  { serverSecret }: ToolServices,
  { tool, sent, lent: { owner, assistantId }, now }: ToolContext,
): PageStart {
  const { limit: _, cursor, ...args } = sent;
  const binding = { list: `mcp.${tool}`, owner, assistantId, arguments: args };
  const cursors = new SignedCursors(serverSecret, binding, { now, lifetimeMs: null });
  if (cursor === undefined) return { cursors, position: null };
  const position = cursors.find(String(cursor));
  if (position === null) throw new InvalidParams(["cursor"], ["cursor.unknown"]);
  return { cursors, position };
}

/** An item, and the position of the page that begins after it. */
export interface PageItem<Item> {
  readonly item: Item;
  readonly position: PagePosition;
}

/** Bytes for the rest of a page: names, and a cursor. */
const FRAME_BYTES = 512;

/**
 * Answers a page, and ends it before the item that would make it too large.
 *
 * @param next The position after all items; null after the last page.
 * @param fit Shortens an item that is too large alone.
 */
export function answerPage<Item>(
  cursors: SignedCursors,
  items: readonly PageItem<Item>[],
  next: PagePosition | null,
  fit: (item: Item, bytes: number) => Item = (item) => item,
): ToolAnswer {
  let left = ANSWER_BYTES - FRAME_BYTES;
  const fitting: Item[] = [];
  for (const { item } of items) {
    const shown = fitting.length === 0 && bytesOf(item) > left ? fit(item, left) : item;
    // With the comma.
    left -= bytesOf(shown) + 1;
    if (left < 0 && fitting.length > 0) break;
    fitting.push(shown);
  }
  const isWhole = fitting.length === items.length;
  const after = isWhole ? next : items[fitting.length - 1]?.position ?? null;
  const nextCursor = after === null ? null : cursors.sign(after);
  return { content: { items: fitting, nextCursor }, records: fitting.length };
}
