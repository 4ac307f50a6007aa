/** The form of a list's filters, loaded when it is opened. */

import { h } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { newId } from "./controls/rows.js";
import { enteredFields } from "./shown/entered.js";

/** @param {string} path @param {URLSearchParams} query @param {readonly Filter[]} filters */
export async function formOf(path, query, filters) {
  const rows = await Promise.all(
    filters.map((filter) => rowOf(filter, query.get(filter.name) ?? "")),
  );
  const apply = (/** @type {Event} */ event) => {
    event.preventDefault();
    const unread = rows.find(({ problem }) => problem?.());
    if (unread !== undefined) return unread.target.focus();
    const asked = new URLSearchParams(query);
    asked.delete("cursor");
    for (const { name, text } of rows) {
      if (text() === "") asked.delete(name);
      else asked.set(name, text());
    }
    location.assign(`${path}?${asked}`);
  };
  const button = h("button", { type: "submit" }, t("apply"));
  const elements = rows.map(({ element }) => element);
  return h("form.groups", { onsubmit: apply }, elements, h("div.bar", button));
}

/** @param {Filter} filter @param {string} value */
async function rowOf(filter, value) {
  const { name, label, reference } = filter;
  if (reference !== undefined) {
    const [{ pickerField }, { referenceSource }] = await Promise.all([
      import("./picker/field.js"),
      import("./picker/sources.js"),
    ]);
    const { text, problem, element } = pickerField(
      { name, label, initial: value },
      referenceSource(reference),
    );
    return { name, text, problem, element, target: element };
  }
  const { target, text, problem, note } = await controlOf(filter, value);
  const named = h("label", { for: target.id }, label);
  return { name, text, problem, element: h("div.field", named, target, note?.element), target };
}

/** @param {Filter} filter @param {string} value @returns {Promise<FieldControl>} */
async function controlOf({ name, label, options, type = "date", none = t("anyOf") }, value) {
  if (options === undefined && type === "number") {
    return (await enteredFields()).numberFilter({ name, label }, value);
  }
  const choices = [{ value: "", label: none }, ...options ?? []].map((option) =>
    h("option", { value: option.value, selected: option.value === value }, option.label)
  );
  const target = options === undefined
    ? h("input", { id: newId(), name, value, type })
    : h("select", { id: newId(), name }, choices);
  return { target, text: () => target.value, setText: () => {} };
}
