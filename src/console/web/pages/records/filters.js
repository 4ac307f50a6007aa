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
} from "../../fields/filters.js";
import { isReference } from "../../fields/shown/values.js";

/** @param {CatalogModule} module @param {string} page @param {URLSearchParams} query */
export function recordFilters(module, page, query) {
  const conditions = conditionsOf(module);
  const asked = askedOf(conditions, query);
  const shown = [...query].filter(([name]) => asked.has(name));
  const words = { from: t("filterFrom"), to: t("filterTo"), exactly: t("filterExactly") };
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
