import { t } from "../../core/base.js";

export const RESOURCES = "/console/resources";
const API = "/api/v2/resource";
export const RESOURCES_API = `${API}/resources`;
export const NETWORK_API = `${API}/network`;
export const OVERLOAD_API = `${API}/overload-analyses`;

export const FIGURES = /** @type {const} */ (["amount", "capacity", "available", "level"]);

/** @param {string | undefined} id */
export function pathsOf(id) {
  return { page: `${RESOURCES}/${id}`, api: `${RESOURCES_API}/${id}` };
}

/**
 * Applies the bounds of the resource's figures.
 * @param {readonly CatalogField[]} fields
 * @returns {CatalogField[]}
 */
export function snapshotFields(fields) {
  const figures = fields.filter(({ name }) => FIGURES.some((figure) => figure === name));
  const rest = { sensitive: false };
  return [
    { ...rest, name: "observedAt", edit: "datetime", required: true, label: t("measuredOn") },
    ...figures,
    { ...rest, name: "note", edit: "textarea", required: false, label: t("note") },
  ];
}
