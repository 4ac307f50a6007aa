import { ApiError, send } from "../../core/base.js";
import { readModule } from "../../core/names.js";

export const TAGS = "/console/tags";
const API = "/api/v2/taxonomy";
export const TAGS_API = `${API}/tags`;
export const CATEGORIES_API = `${API}/categories`;
export const TREE_API = `${CATEGORIES_API}/tree`;
export const SEARCH_API = `${API}/search`;
export const ASSIGNMENTS_API = `${API}/assignments`;

/** Rename, move and merge are separate actions. */
export const PATCHED = ["aliases", "description", "color", "sortOrder"];

/** @param {{ kind: string, termId: string }} term */
export function pathsOf({ kind, termId }) {
  const list = kind === "TAG" ? TAGS_API : CATEGORIES_API;
  return { page: `${TAGS}/${termId}`, api: `${list}/${termId}`, list };
}

/** The id does not show whether it is a tag or a category. @param {string | undefined} id */
export async function readTerm(id) {
  try {
    return (await send("GET", `${TAGS_API}/${id}`)).data;
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "RECORD_NOT_FOUND")) throw error;
    return (await send("GET", `${CATEGORIES_API}/${id}`)).data;
  }
}

/** Keeps the catalog's order. @param {readonly string[]} names */
export async function fieldsNamed(names) {
  const fields = (await readModule("taxonomy"))?.fields ?? [];
  return fields.filter(({ name }) => names.includes(name));
}

/**
 * Active categories, each with its path from the top.
 * @param {string} [without] Omitted, with its descendants.
 */
export async function categoryChoices(without) {
  const { data } = await send("GET", TREE_API);
  /** @type {(nodes: readonly any[], way: string) => { value: string, label: string }[]} */
  const choices = (nodes, way) =>
    nodes.filter(({ termId }) => termId !== without).flatMap(({ termId, name, children }) => [
      { value: termId, label: `${way}${name}` },
      ...choices(children, `${way}${name} › `),
    ]);
  return choices(data.items, "");
}
