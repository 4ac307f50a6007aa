/** Between the values of a payload and the texts that a form's fields hold. */

import { label } from "./labels.js";

/** @typedef {import("../core/catalog.js").CatalogField} CatalogField */
/** @typedef {Pick<CatalogField, "name" | "edit">} Typed */

/**
 * The text of a value; empty for none.
 *
 * @param {Typed} field
 * @param {unknown} value
 * @returns {string}
 */
export function toText({ edit }, value) {
  if (value === undefined) return "";
  if (edit === "json") return JSON.stringify(value, null, 2);
  if (edit === "tags") return Array.isArray(value) && value.length > 0 ? JSON.stringify(value) : "";
  return String(value);
}

/**
 * The text of a value in a comparison: a line for each entry of a list, and the labels of options.
 * Different values have different texts.
 *
 * @param {Typed} field
 * @param {unknown} value
 */
export function toComparedText(field, value) {
  if (field.edit === "tags" && Array.isArray(value)) return value.join("\n");
  return field.edit === "select" && typeof value === "string" ? label(value) : toText(field, value);
}

/**
 * The value of a text: `undefined` for an empty one, and null if the text is not a value of the type.
 *
 * @param {Typed} field
 * @param {string} text
 */
export function toValue({ edit }, text) {
  if (text.trim() === "") return undefined;
  if (edit === "boolean") return text === "true";
  // The ids of attachments, which hold no comma.
  if (edit === "file") return text.split(",");
  if (edit === "number") return Number.isFinite(Number(text)) ? Number(text) : null;
  if (edit !== "json" && edit !== "tags") return text;
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/**
 * The changes of a form to a payload. An untouched field is omitted, so that its value stays exactly the
 * same.
 *
 * @param {readonly Typed[]} fields
 * @param {Readonly<Record<string, unknown>>} payload
 * @param {Readonly<Record<string, string>>} texts
 * @returns {{ set: Record<string, unknown>, remove: string[], wrong: string[] }} `wrong` names the fields
 * with invalid texts.
 */
export function changesOf(fields, payload, texts) {
  const set = /** @type {Record<string, unknown>} */ ({});
  const remove = /** @type {string[]} */ ([]);
  const wrong = /** @type {string[]} */ ([]);
  for (const field of fields) {
    const { name } = field;
    const text = texts[name] ?? "";
    if (text === toText(field, payload[name])) continue;
    const value = toValue(field, text);
    if (value === null) wrong.push(name);
    else if (value !== undefined) set[name] = value;
    else if (payload[name] !== undefined) remove.push(name);
  }
  return { set, remove, wrong };
}

/**
 * Parses a number; NaN for an empty text, or one that is not a number.
 *
 * @param {string | undefined} text
 */
export function toNumber(text = "") {
  return text.trim() === "" || !Number.isFinite(Number(text)) ? NaN : Number(text);
}

/**
 * Makes a catalog field for something that the catalog does not describe.
 *
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
