/** Lists, read to their ends. */

import { send } from "./api.js";

/**
 * Reads every item of a list.
 *
 * @param {string} path With a query.
 * @param {AbortSignal} [signal]
 * @returns {Promise<any[]>}
 */
export async function readAll(path, signal) {
  const items = [];
  let cursor = "";
  do {
    const page = cursor === "" ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
    const { data } = await send("GET", page, signal === undefined ? {} : { signal });
    items.push(...data.items);
    cursor = data.nextCursor ?? "";
  } while (cursor !== "");
  return items;
}
