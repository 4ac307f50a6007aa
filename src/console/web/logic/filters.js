/** The filters and sort orders of a module's records. */

import { label } from "./labels.js";

/** @typedef {import("../core/catalog.js").CatalogModule} CatalogModule */

/**
 * @typedef {object} Condition
 * @property {string} name Of the parameter, in the page's address and in the API's.
 * @property {string} field
 * @property {"equals" | "from" | "to"} comparison
 * @property {"select" | "boolean" | "text" | "tags" | "number" | "datetime"} edit
 * @property {readonly string[]} options
 */

const EDITS = ["select", "boolean", "text", "tags", "number", "datetime"];
const RANGES = ["number", "datetime"];
const ORDERS = /** @type {const} */ (["createdAt", "-updatedAt", "updatedAt"]);

/** The available orders besides the default, which is newest first. */
export const SORT = { name: "sort", orders: ORDERS };

/**
 * The conditions that the API accepts. A sensitive value never appears in an address, and records of
 * modules with dedicated routes cannot be filtered by field.
 *
 * @param {CatalogModule} module
 * @returns {Condition[]}
 */
export function conditionsOf({ entry, fields }) {
  if (entry !== "GENERIC") return [];
  return fields.filter(({ edit, sensitive }) => !sensitive && EDITS.includes(edit))
    .flatMap(conditionsOn);
}

/**
 * @param {import("../core/catalog.js").CatalogField} field
 * @returns {Condition[]}
 */
function conditionsOn({ name: field, edit, options = [] }) {
  const shared = { field, edit: /** @type {Condition["edit"]} */ (edit), options };
  if (!RANGES.includes(edit)) {
    return [{ ...shared, name: `filter[${field}]`, comparison: "equals" }];
  }
  return [
    { ...shared, name: `filter[${field}][gte]`, comparison: "from" },
    { ...shared, name: `filter[${field}][lte]`, comparison: "to" },
  ];
}

/**
 * The query for the API. Days in the address are whole days of this device's calendar; parameters that the
 * API does not accept are omitted.
 *
 * @param {readonly Condition[]} conditions
 * @param {URLSearchParams} query The query of the address.
 */
export function askedOf(conditions, query) {
  const asked = new URLSearchParams();
  for (const condition of conditions) {
    const value = valueOf(condition, query.get(condition.name) ?? "");
    if (value !== null) asked.set(condition.name, value);
  }
  const sort = query.get("sort");
  if (ORDERS.some((order) => order === sort)) asked.set("sort", sort ?? "");
  return asked;
}

/**
 * @param {Condition} condition
 * @param {string} text
 */
function valueOf({ edit, comparison, options }, text) {
  if (text === "") return null;
  switch (edit) {
    case "select":
      return options.includes(text) ? text : null;
    case "boolean":
      return text === "true" || text === "false" ? text : null;
    case "number":
      return Number.isFinite(Number(text)) ? text : null;
    case "datetime":
      return boundOfDay(text, comparison === "to");
    default:
      return text;
  }
}

/**
 * The first or last moment of a day.
 *
 * @param {string} day As `2026-11-22`.
 * @param {boolean} isLast
 */
function boundOfDay(day, isLast) {
  const [year = NaN, month = NaN, date = NaN] = day.split("-").map(Number);
  const start = new Date(year, month - 1, isLast ? date + 1 : date);
  const bound = new Date(start.getTime() - (isLast ? 1 : 0));
  return Number.isNaN(bound.getTime()) ? null : bound.toISOString();
}

/**
 * The label of a condition.
 *
 * @param {Condition} condition
 * @param {{ from: string, to: string, exactly: string }} words
 */
export function conditionLabel({ field, edit, comparison }, words) {
  if (comparison !== "equals") return `${label(field)}: ${words[comparison]}`;
  return edit === "text" ? `${label(field)}: ${words.exactly}` : label(field);
}
