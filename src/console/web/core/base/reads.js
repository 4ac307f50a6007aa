/** Reads from the API. */

import { ApiError } from "./api.js";
import { send } from "./sender.js";

/** @template [Result=Data] @param {string} path @returns {Promise<Result>} */
export async function get(path) {
  return (await send("GET", path)).data;
}

/** Null if it cannot be read now, or not by this account. @param {string} path */
export async function readOrNull(path) {
  try {
    return (await send("GET", path)).data;
  } catch (error) {
    if (error instanceof ApiError && error.code !== "AUTH_REQUIRED") return null;
    throw error;
  }
}

/** @param {string} path @param {number} [limit] */
export async function readAll(path, limit = Infinity) {
  const items = [];
  let cursor = "";
  do {
    const page = cursor === "" ? path : `${path}&cursor=${encodeURIComponent(cursor)}`;
    const data = await get(page);
    items.push(...data.items);
    cursor = data.nextCursor ?? "";
  } while (cursor !== "" && items.length < limit);
  return items.slice(0, limit);
}
