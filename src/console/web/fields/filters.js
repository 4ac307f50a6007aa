/** Filters of lists. */

import { h, link } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { newId } from "./controls/rows.js";
import { label } from "../core/names.js";

/** @param {string} path @param {URLSearchParams} query @param {readonly Filter[]} filters */
export function filterForm(path, query, filters) {
  const controls = filters.map(({ name, options, type = "date", none = t("anyOf") }) => {
    const value = query.get(name) ?? "";
    if (options === undefined) {
      const kind = type === "number" ? { type: "text", inputmode: "decimal" } : { type };
      return h("input", { id: newId(), name, value, ...kind });
    }
    const choices = [{ value: "", label: none }, ...options].map((option) =>
      h("option", { value: option.value, selected: option.value === value }, option.label)
    );
    return h("select", { id: newId(), name }, choices);
  });
  const apply = (/** @type {Event} */ event) => {
    event.preventDefault();
    const asked = new URLSearchParams(query);
    asked.delete("cursor");
    for (const { name, value } of controls) {
      if (value === "") asked.delete(name);
      else asked.set(name, value);
    }
    location.assign(`${path}?${asked}`);
  };
  const isNarrowed = filters.some(({ name }) => (query.get(name) ?? "") !== "");
  return h(
    "details",
    { open: isNarrowed },
    h("summary", t("narrowList")),
    h(
      "form.groups",
      { onsubmit: apply },
      filters.map(({ label }, index) =>
        h("div.field", h("label", { for: controls[index]?.id }, label), controls[index])
      ),
      h(
        "div.bar",
        h("button", { type: "submit" }, t("apply")),
        isNarrowed && link(path, t("showAll")),
      ),
    ),
  );
}

const EDITS = ["select", "boolean", "text", "tags", "number", "datetime"];
const RANGES = ["number", "datetime"];
const ORDERS = /** @type {const} */ (["createdAt", "-updatedAt", "updatedAt"]);

export const SORT = { name: "sort", orders: ORDERS };

/**
 * Sensitive values never appear in addresses; modules with dedicated routes do not accept
 * conditions on fields.
 * @param {CatalogModule} module
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

/** @param {readonly FilterCondition[]} conditions @param {URLSearchParams} query */
export function askedOf(conditions, query) {
  const asked = new URLSearchParams();
  for (const condition of conditions) {
    const value = valueOf(condition, query.get(condition.name) ?? "");
    if (value !== null) asked.set(condition.name, value);
  }
  const sort = ORDERS.find((order) => order === query.get("sort"));
  if (sort !== undefined) asked.set("sort", sort);
  return asked;
}

/** Null if the API does not accept it. @param {FilterCondition} condition @param {string} text */
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
 * On this device's calendar; null for an invalid day.
 * @param {string} day
 * @param {boolean} isLast
 */
export function boundOfDay(day, isLast) {
  const [year = NaN, month = NaN, date = NaN] = day.split("-").map(Number);
  const start = new Date(year, month - 1, isLast ? date + 1 : date);
  const bound = new Date(start.getTime() - (isLast ? 1 : 0));
  return Number.isNaN(bound.getTime()) ? null : bound.toISOString();
}

/** @param {FilterCondition} condition @param {Record<"from" | "to" | "exactly", string>} words */
export function conditionLabel({ field, edit, comparison }, words) {
  if (comparison !== "equals") return `${label(field)}: ${words[comparison]}`;
  return edit === "text" ? `${label(field)}: ${words.exactly}` : label(field);
}
