/** Filters of a list, stored in the page's address. */

import { h, t } from "../core/base.js";
import { newId } from "./controls.js";

/** @param {string} path @param {URLSearchParams} query @param {readonly Filter[]} filters */
export function filterForm(path, query, filters) {
  const controls = filters.map(({ name, options, type = "date", none = t("anyOf") }) => {
    const value = query.get(name) ?? "";
    if (options === undefined) {
      const inputmode = type === "number" && "decimal";
      const kind = type === "number" ? "text" : type;
      return h("input", { id: newId(), name, value, type: kind, inputmode });
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
        isNarrowed && h("a", { href: path }, t("showAll")),
      ),
    ),
  );
}
