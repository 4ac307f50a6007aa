import { ApiError, send } from "./api.js";

/**
 * Null if it cannot be read now, or not by this account.
 *
 * @param {string} path
 */
export async function readOrNull(path) {
  try {
    return (await send("GET", path)).data;
  } catch (error) {
    if (error instanceof ApiError && error.code !== "AUTH_REQUIRED") return null;
    throw error;
  }
}

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
