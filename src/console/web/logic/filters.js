import { label } from "../core/names.js";

const EDITS = ["select", "boolean", "text", "tags", "number", "datetime"];
const RANGES = ["number", "datetime"];
const ORDERS = /** @type {const} */ (["createdAt", "-updatedAt", "updatedAt"]);

/** Besides the default, newest first. */
export const SORT = { name: "sort", orders: ORDERS };

/**
 * Sensitive values never appear in addresses; modules with dedicated routes do not accept conditions on
 * fields.
 * @param {CatalogModule} module
 * @returns {FilterCondition[]}
 */
export function conditionsOf({ entry, fields }) {
  if (entry !== "GENERIC") return [];
  return fields.filter(({ edit, sensitive }) => !sensitive && EDITS.includes(edit))
    .flatMap(conditionsOn);
}

/** @type {(field: CatalogField) => FilterCondition[]} */
function conditionsOn({ name: field, edit, options = [] }) {
  const shared = { field, edit: /** @type {FilterCondition["edit"]} */ (edit), options };
  if (!RANGES.includes(edit)) {
    return [{ ...shared, name: `filter[${field}]`, comparison: "equals" }];
  }
  return [
    { ...shared, name: `filter[${field}][gte]`, comparison: "from" },
    { ...shared, name: `filter[${field}][lte]`, comparison: "to" },
  ];
}

/**
 * The API's query: whole days of the device's calendar, without unsupported parameters.
 * @param {readonly FilterCondition[]} conditions
 * @param {URLSearchParams} query
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

/** @param {FilterCondition} condition @param {string} text */
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

/** @param {string} day As `2026-11-22`. @param {boolean} isLast */
function boundOfDay(day, isLast) {
  const [year = NaN, month = NaN, date = NaN] = day.split("-").map(Number);
  const start = new Date(year, month - 1, isLast ? date + 1 : date);
  const bound = new Date(start.getTime() - (isLast ? 1 : 0));
  return Number.isNaN(bound.getTime()) ? null : bound.toISOString();
}

/**
 * @param {FilterCondition} condition
 * @param {{ from: string, to: string, exactly: string }} words
 */
export function conditionLabel({ field, edit, comparison }, words) {
  if (comparison !== "equals") return `${label(field)}: ${words[comparison]}`;
  return edit === "text" ? `${label(field)}: ${words.exactly}` : label(field);
}
