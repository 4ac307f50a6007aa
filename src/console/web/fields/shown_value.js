/** A field's value for reading; sensitive ones on request. */

import { h } from "../core/dom.js";
import { numberText, t, timeText } from "../core/text.js";
import { label } from "../logic/labels.js";
import { shownFile } from "./shown_file.js";

/**
 * @param {import("../core/catalog.js").CatalogField} field
 * @param {any} value
 */
export function shownValue(field, value) {
  return field.sensitive
    ? veiled(label(field.name), () => plainValue(field, value))
    : plainValue(field, value);
}

/**
 * Reveals hidden content.
 *
 * @param {string} what The name of the content.
 * @param {() => HTMLElement} make
 */
export function veiled(what, make) {
  const show = (/** @type {Event} */ { currentTarget }) => {
    const shown = make();
    shown.tabIndex = -1;
    /** @type {Element} */ (currentTarget).replaceWith(shown);
    shown.focus();
  };
  const name = t("showOf", { name: what });
  return h(
    "button",
    { type: "button", class: "plain", "aria-label": name, onclick: show },
    t("show"),
  );
}

/**
 * @param {import("../core/catalog.js").CatalogField} field
 * @param {any} value
 */
export function plainValue({ edit }, value) {
  switch (edit) {
    case "datetime":
      return h("time", { datetime: value }, timeText(value));
    case "boolean":
      return h("span", {}, t(value ? "yes" : "no"));
    case "select":
      return h("span", {}, label(value));
    case "tags":
      return h("ul", { class: "tags" }, value.map((/** @type {string} */ tag) => h("li", {}, tag)));
    case "json":
      if (Array.isArray(value.items)) {
        const items = value.items.map((/** @type {unknown} */ item) => h("li", {}, String(item)));
        return h("ul", { class: "words" }, items);
      }
      return h("pre", { class: "exact" }, JSON.stringify(value, null, 2));
    case "file":
      return h("ul", {}, value.map((/** @type {string} */ id) => h("li", {}, shownFile(id))));
    case "number":
      return h("span", {}, numberText(value));
    default:
      return h("span", { class: "words" }, String(value));
  }
}
