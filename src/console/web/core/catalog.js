/** The 24 modules as the service describes them: read once, then asked whether it has changed. */

import { send } from "./api.js";

/**
 * @typedef {object} CatalogField
 * @property {string} name
 * @property {"text" | "textarea" | "select" | "number" | "datetime" | "boolean" | "tags" | "file" | "json"} edit
 * @property {boolean} required
 * @property {boolean} sensitive
 * @property {readonly string[]} [options]
 * @property {number} [minimum]
 * @property {number} [maximum]
 * @property {boolean} [integer]
 * @property {number} [maximumLength]
 * @property {boolean} [distinct]
 * @property {boolean} [attachment]
 * @property {string} [label] Where its name alone does not say what it is.
 * @property {string} [hint]
 * @property {readonly { value: string, label: string }[]} [choices] Those of a select whose values are
 * a person's words.
 * @property {(row: import("../fields/field.js").Row) => import("../fields/field.js").Field} [make] Makes
 * the field of what no edit type is for.
 */

/**
 * @typedef {object} CatalogModule
 * @property {string} code
 * @property {string} group
 * @property {"GENERIC" | "DEDICATED"} entry
 * @property {readonly CatalogField[]} fields
 * @property {readonly { name: string, statement: string, fields: readonly string[] }[]} rules
 */

/** @type {Promise<readonly CatalogModule[]> | undefined} */
let catalog;

/** @returns {Promise<readonly CatalogModule[]>} */
export function readCatalog() {
  catalog ??= send("GET", "/api/v2/catalog").then(({ data }) => data.modules).catch((error) => {
    catalog = undefined;
    throw error;
  });
  return catalog;
}

/**
 * One module; null for a code that there is not.
 *
 * @param {string | undefined} code
 */
export async function readModule(code) {
  const modules = await readCatalog();
  return modules.find((module) => module.code === code) ?? null;
}
