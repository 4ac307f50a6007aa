/** Converts payload values to and from texts. */

import { label } from "./labels.js";

/** @typedef {import("../core/catalog.js").CatalogField} CatalogField */
/** @typedef {Pick<CatalogField, "name" | "edit">} Typed */

/**
 * Empty for none.
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
 * For comparisons: one line per list entry, labels of options. Different values have different texts.
 *
 * @param {Typed} field
 * @param {unknown} value
 */
export function toComparedText(field, value) {
  if (field.edit === "tags" && Array.isArray(value)) return value.join("\n");
  return field.edit === "select" && typeof value === "string" ? label(value) : toText(field, value);
}

/** For reading JSON. @type {(name: string, value: any) => any} */
export const roundedFigure = (_, value) =>
  typeof value === "number" ? Number(value.toFixed(3)) : value;

/**
 * Undefined for an empty text, null for an invalid one.
 *
 * @param {Typed} field
 * @param {string} text
 */
export function toValue({ edit }, text) {
  if (text.trim() === "") return undefined;
  if (edit === "boolean") return text === "true";
  // Ids contain no comma.
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
 * The changes to a payload. Untouched fields are omitted, so their values stay exact.
 *
 * @param {readonly Typed[]} fields
 * @param {Readonly<Record<string, unknown>>} payload
 * @param {Readonly<Record<string, string>>} texts
 * @returns {{ set: Record<string, unknown>, remove: string[], wrong: string[] }} `wrong` names fields with
 *   invalid texts.
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
 * NaN for empty or invalid texts.
 *
 * @param {string | undefined} text
 */
export function toNumber(text = "") {
  return text.trim() === "" || !Number.isFinite(Number(text)) ? NaN : Number(text);
}

/**
 * A field that the catalog does not describe.
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

const FIRST = /** @type {Readonly<Record<string, string>>} */ ({
  completionStatus: "OPEN",
  actionType: "TASK",
  actionStatus: "PLANNED",
  active: "true",
  quality: "MEASURED",
  readingStatus: "UNREAD",
  interviewStatus: "CANDIDATE",
  legacyStatus: "DRAFT",
  publicationStatus: "DRAFT",
  approvalStatus: "NOT_REQUIRED",
  authorizationStatus: "NOT_AUTHORIZED",
  auditStatus: "NOT_AUDITED",
  importMode: "MANUAL",
  contentType: "TEXT",
  routeStatus: "INBOX",
});
const NOW = ["measuredAt", "capturedAt"];

/**
 * The texts of a new record's form.
 *
 * @param {readonly { name: string }[]} fields
 * @param {string} now
 */
export function firstTexts(fields, now) {
  const texts = fields.map(({ name }) => [name, NOW.includes(name) ? now : FIRST[name] ?? ""]);
  return Object.fromEntries(texts.filter(([, text]) => text !== ""));
}

/** The fields before "More": all required ones, and of the others those that matter, then the first. */
const SHORT = 6;

/**
 * Required fields first, then those that matter.
 *
 * @template {{ name: string, required: boolean }} Field
 * @param {readonly Field[]} fields
 * @param {readonly string[]} [matters]
 * @returns {{ fields: Field[], shown: number }} `shown` counts those before "More".
 */
export function inOrder(fields, matters = []) {
  const rank = (/** @type {Field} */ { name, required }) =>
    required ? 0 : matters.includes(name) ? 1 : 2;
  const ordered = fields.toSorted((one, other) => rank(one) - rank(other));
  const required = ordered.filter(({ required }) => required).length;
  // One or two folded fields would not make a form shorter.
  const isShort = fields.length <= SHORT;
  return { fields: ordered, shown: isShort ? fields.length : Math.max(required, SHORT) };
}
