/** Fields of what the catalog does not describe, as it would. */

/** @typedef {import("../core/catalog.js").CatalogField} CatalogField */

/**
 * @param {string} name
 * @param {CatalogField["edit"]} edit
 * @param {Partial<CatalogField>} [more]
 * @returns {CatalogField}
 */
export function optional(name, edit, more = {}) {
  return { name, edit, required: false, sensitive: false, ...more };
}

/** @type {typeof optional} */
export function needed(name, edit, more = {}) {
  return { ...optional(name, edit, more), required: true };
}
