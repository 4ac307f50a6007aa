import { loadArea, t } from "../core/base.js";
import { filterForm } from "../fields/filters.js";
import { askedOf, conditionLabel, conditionsOf, SORT } from "../logic/filters.js";
import { label } from "../core/names.js";

/** @param {CatalogModule} module @param {string} page @param {URLSearchParams} query */
export async function recordFilters(module, page, query) {
  await loadArea("home");
  const conditions = conditionsOf(module);
  const asked = askedOf(conditions, query);
  const shown = [...query].filter(([name]) => name === SORT.name || asked.has(name));
  const words = { from: t("filterFrom"), to: t("filterTo"), exactly: t("filterExactly") };
  const orders = {
    createdAt: t("oldestFirst"),
    "-updatedAt": t("newestChangeFirst"),
    updatedAt: t("oldestChangeFirst"),
  };
  const order = {
    name: SORT.name,
    label: t("order"),
    none: t("newestFirst"),
    options: SORT.orders.map((value) => ({ value, label: orders[value] })),
  };
  const [single = [], ranges = []] = [true, false].map((isSingle) =>
    conditions.filter(({ comparison }) => (comparison === "equals") === isSingle)
      .map((condition) => ({
        name: condition.name,
        label: conditionLabel(condition, words),
        ...controlOf(condition),
      }))
  );
  // Two inputs share a row; a range's inputs stay together.
  const isOdd = single.length % 2 === 1;
  const filters = [...single, ...(isOdd ? [order] : []), ...ranges, ...(isOdd ? [] : [order])];
  return {
    asked: Object.fromEntries(asked),
    shown: Object.fromEntries(shown),
    form: filterForm(page, query, filters),
  };
}

/** @param {FilterCondition} condition */
function controlOf({ edit, options }) {
  switch (edit) {
    case "select":
      return { options: options.map((value) => ({ value, label: label(value) })) };
    case "boolean":
      return {
        options: [{ value: "true", label: t("yes") }, { value: "false", label: t("no") }],
      };
    case "datetime":
      return {};
    default:
      return { type: edit === "number" ? "number" : "text" };
  }
}
