/** The 24 modules from the service, and their labels. */

import { setLabels } from "../logic/labels.js";
import { send } from "./api.js";

/**
 * @typedef {object} Shown What the catalog does not say about a field.
 * @property {string} [label] A label, if the field's name is not clear enough.
 * @property {string} [hint]
 * @property {readonly { value: string, label: string }[]} [choices] The options of a select over user data.
 * @property {(row: import("../fields/field.js").Row) => import("../fields/field.js").Field} [make] Makes a
 * field that no edit type covers.
 */

/** @typedef {import("../wire.d.ts").CatalogModule} CatalogModule */
/** @typedef {import("../wire.d.ts").CatalogField & Shown} CatalogField */

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

/** Loads the labels of the API's names in the language of the page. English makes them of the names. */
export async function loadLabels() {
  const { lang } = document.documentElement;
  setLabels(lang === "en" ? null : (await import(`../lang/${lang}/labels.js`)).default);
}
