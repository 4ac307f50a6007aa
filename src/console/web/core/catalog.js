/** The modules of the service, and their labels. */

import { setLabels } from "../logic/labels.js";
import { send } from "./api.js";

/**
 * @typedef {object} Shown Options that the catalog does not have.
 * @property {string} [label] If the field's name is not clear enough.
 * @property {string} [hint]
 * @property {readonly { value: string, label: string }[]} [choices]
 * @property {(row: import("../fields/field.js").Row) => import("../fields/field.js").Field} [make]
 *   For fields without an edit type.
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
 * Null for an unknown code.
 *
 * @param {string | undefined} code
 */
export async function readModule(code) {
  const modules = await readCatalog();
  return modules.find((module) => module.code === code) ?? null;
}

/** English needs no table: labels are made of the names. */
export async function loadLabels() {
  const { lang } = document.documentElement;
  setLabels(lang === "en" ? null : (await import(`../lang/${lang}/labels.js`)).default);
}
