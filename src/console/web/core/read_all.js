import { send } from "./api.js";

/**
 * Reads every page of a list.
 *
 * @param {string} path Includes the query.
 * @returns {Promise<any[]>}
 */
export async function readAll(path) {
  const items = [];
  let cursor = "";
  do {
    const page = cursor === "" ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
    const { data } = await send("GET", page);
    items.push(...data.items);
    cursor = data.nextCursor ?? "";
  } while (cursor !== "");
  return items;
}
