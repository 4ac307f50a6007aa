/** What the records of a module can be narrowed by: conditions on its fields, and the order. */

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

/** The orders that can be asked for, beside the usual one: the newest first. */
export const SORT = { name: "sort", orders: ORDERS };

/**
 * The conditions that the API takes. A sensitive value never stands in an address, and records of modules
 * with routes of their own cannot be narrowed by their fields.
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
 * What the API is asked for. Days in the address are whole ones of this device's calendar; what the address
 * names and the API does not take is left out.
 *
 * @param {readonly Condition[]} conditions
 * @param {URLSearchParams} query The address's.
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
 * What a condition is called.
 *
 * @param {Condition} condition
 * @param {{ from: string, to: string, exactly: string }} words
 */
export function conditionLabel({ field, edit, comparison }, words) {
  if (comparison !== "equals") return `${label(field)}: ${words[comparison]}`;
  return edit === "text" ? `${label(field)}: ${words.exactly}` : label(field);
}
