/** Filters of a list of records. */

import { t } from "../../core/base/language.js";
import { label, labelled } from "../../core/names.js";
import { choicesOf } from "../../fields/controls/choices.js";
import {
  activeFilters,
  askedOf,
  conditionLabel,
  conditionsOf,
  filterForm,
  SORT,
} from "../../fields/filters.js";
import { isReference } from "../../fields/shown/values.js";

/**
 * @param {CatalogModule} module
 * @param {string} page
 * @param {URLSearchParams} query
 * @param {boolean} isByTime True if the list is by its records' own time at first.
 */
export function recordFilters(module, page, query, isByTime) {
  const conditions = conditionsOf(module);
  const asked = askedOf(conditions, query);
  const shown = [...query].filter(([name]) => name === SORT.name || asked.has(name));
  const words = { from: t("filterFrom"), to: t("filterTo"), exactly: t("filterExactly") };
  const orders = {
    "-createdAt": t("newestFirst"),
    createdAt: t("oldestFirst"),
    "-updatedAt": t("newestChangeFirst"),
    updatedAt: t("oldestChangeFirst"),
  };
  const order = {
    name: SORT.name,
    label: t("order"),
    none: t(isByTime ? "byTime" : "newestFirst"),
    options: SORT.orders.slice(isByTime ? 0 : 1).map((value) => ({ value, label: orders[value] })),
  };
  const [single = [], ranges = []] = [true, false].map((isSingle) =>
    conditions.filter(({ comparison }) => (comparison === "equals") === isSingle)
  );
  /** @type {Filter[]} */
  const filters = [...single, ...ranges].map((condition) => ({
    name: condition.name,
    label: conditionLabel(condition, words),
    ...controlOf(condition),
    ...(isNaming(condition) && { label: label(condition.field), reference: condition.field }),
  }));
  // Two inputs share a row; a range's inputs stay together.
  filters.splice(single.length % 2 === 1 ? single.length : filters.length, 0, order);
  return {
    asked: Object.fromEntries(asked),
    shown: Object.fromEntries(shown),
    form: filterForm(page, query, filters),
    active: activeFilters(page, query, filters),
  };
}

/** @param {FilterCondition} condition */
function isNaming({ field, edit }) {
  return isReference({ name: field, edit });
}

/** @param {FilterCondition} condition */
function controlOf({ edit, options }) {
  if (edit === "select") return { options: labelled(options) };
  if (edit === "boolean") return { options: choicesOf({ true: t("yes"), false: t("no") }) };
  return edit === "datetime" ? {} : { type: edit === "number" ? edit : "text" };
}
