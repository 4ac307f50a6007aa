/** Addresses and figures of resources. */

export const RESOURCES = "/console/resources";
export const OVERLOAD = `${RESOURCES}/overload`;
export const API = "/api/v2/resource";
export const RESOURCES_API = `${API}/resources`;
export const OVERLOAD_API = `${API}/overload-analyses`;

export const FIGURES = ["amount", "capacity", "available", "level"];

/** @param {string | undefined} id */
export function pathsOf(id) {
  return { page: `${RESOURCES}/${id}`, api: `${RESOURCES_API}/${id}` };
}
