/** Objects that forms create or change: records and things of families. */

import { needed, optional, toText } from "../logic/form_values.js";
import { viewOf } from "../logic/module_views.js";
import { notLoaded } from "./not_loaded.js";
import { t } from "./text.js";

/** @typedef {import("./catalog.js").CatalogModule} CatalogModule */
/** @typedef {import("./catalog.js").CatalogField} CatalogField */

/**
 * @typedef {object} Change
 * @property {Record<string, unknown>} set
 * @property {readonly string[]} remove
 */

/**
 * @typedef {object} Editable How an object is read and written through the API.
 * @property {readonly CatalogField[]} fields
 * @property {string} list The path of creation.
 * @property {string | null} one Null for a new object.
 * @property {Readonly<Record<string, string>>} [first] Texts of a new form.
 * @property {readonly string[]} [matters] Optional fields that are shown first.
 * @property {(shown: any) => Record<string, any>} valuesOf
 * @property {(shown: any) => string} idOf
 * @property {(change: Change) => Record<string, unknown>} creation
 * @property {(change: Change, shown: any) => Record<string, unknown>} patch Without the revision.
 * @property {(revision: number) => Promise<any>} [earlier] Reads an earlier revision, if the path
 *   does not accept `revision=N`.
 * @property {string} [changes] Posts changes to this path instead of patching the object.
 */

/**
 * @param {CatalogModule} module
 * @param {string | undefined} recordId Undefined for a new record.
 * @param {Readonly<Record<string, string>>} [first]
 * @returns {Editable}
 */
export function editableRecord(module, recordId, first = {}) {
  const list = `/api/v2/records/${module.code}`;
  return {
    fields: [
      needed("title", "text", { label: t("title") }),
      optional("summary", "textarea", { label: t("summary") }),
      ...module.fields,
    ],
    list,
    one: recordId === undefined ? null : `${list}/${recordId}`,
    first,
    matters: viewOf(module.code).facts,
    valuesOf: ({ title, summary, payload }) => ({ ...payload, title, summary }),
    idOf: ({ recordId }) => recordId,
    creation: ({ set: { title, summary, ...payload } }) => ({ title, summary, payload }),
    patch({ set: { title, summary, ...payload }, remove }) {
      const removed = remove.filter((name) => name !== "summary");
      return {
        title,
        summary: remove.includes("summary") ? "" : summary,
        ...(Object.keys(payload).length > 0 && { payload }),
        ...(removed.length > 0 && { payloadRemove: removed }),
      };
    },
  };
}

/**
 * An object of a family: flat fields, null without a value; a patch names the fields to set and to
 * remove.
 *
 * @param {readonly CatalogField[]} fields
 * @param {{ list: string, one: string | null, idName: string }} place Paths of creation and change
 *   (null for a new object), and the name of the id.
 * @param {Readonly<Record<string, string>>} [first]
 * @returns {Editable}
 */
export function editableThing(fields, { list, one, idName }, first = {}) {
  return {
    fields,
    list,
    one,
    first,
    valuesOf: (shown) => presentValues(fields, shown),
    idOf: (shown) => shown[idName],
    creation: ({ set }) => set,
    patch: ({ set, remove }) => ({
      ...(Object.keys(set).length > 0 && { set }),
      ...(remove.length > 0 && { remove }),
    }),
  };
}

/**
 * Empty for a new object.
 *
 * @param {Editable} editable
 * @param {any} shown
 */
export function shownValues({ valuesOf }, shown) {
  return shown === null ? {} : valuesOf(shown);
}

/**
 * @param {Editable} editable
 * @param {any} shown
 * @returns {Record<string, string>}
 */
export function shownTexts(editable, shown) {
  const values = shownValues(editable, shown);
  return Object.fromEntries(
    editable.fields.map((field) => [field.name, toText(field, values[field.name])]),
  );
}

/**
 * @param {Editable} editable
 * @param {Change} change
 * @param {any} shown Null for a new object.
 * @param {number | null} base Its revision.
 */
export function requestOf({ one, list, creation, patch, changes }, change, shown, base) {
  if (one === null) return { method: "POST", path: list, body: creation(change) };
  const body = { ...patch(change, shown), expectedRevision: base };
  return changes === undefined
    ? { method: "PATCH", path: one, body }
    : { method: "POST", path: changes, body };
}

/**
 * Finds a revision of objects that only list theirs.
 *
 * @param {string} one
 * @param {number} wanted
 */
export async function readListedRevision(one, wanted) {
  const { readAll } = await import("./read_all.js").catch(notLoaded);
  const revisions = await readAll(`${one}/revisions?limit=100`);
  return revisions.find(({ revision }) => revision === wanted);
}

/**
 * @param {readonly Pick<CatalogField, "name">[]} fields
 * @param {any} shown
 * @returns {Record<string, any>}
 */
export function presentValues(fields, shown) {
  const present = fields.filter(({ name }) => shown[name] !== null && shown[name] !== undefined);
  return Object.fromEntries(present.map(({ name }) => [name, shown[name]]));
}
