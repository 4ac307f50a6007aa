/** A field's value for reading; sensitive ones on request if the device veils them. */

import { h } from "../core/dom.js";
import { sinceText } from "../core/numbers.js";
import { numberText, t, timeText } from "../core/text.js";
import { roundedFigure } from "../logic/form_values.js";
import { label } from "../logic/labels.js";
import { shownFile } from "./shown_file.js";

/**
 * @param {import("../core/catalog.js").CatalogField} field
 * @param {any} value
 */
export function shownValue(field, value) {
  return field.sensitive && isVeiling()
    ? veiled(label(field.name), () => plainValue(field, value))
    : plainValue(field, value);
}

/** The device's setting. */
export function isVeiling() {
  return localStorage.getItem("veil") === "on";
}

/**
 * A relative time. Its tooltip is the exact one, which replaces it on paper.
 *
 * @param {string} time
 * @param {(time: string) => string} [text]
 */
export function ago(time, text = sinceText) {
  const exact = timeText(time);
  return h(
    "time",
    { datetime: time, title: exact },
    h("span", { class: "on-screen" }, text(time)),
    h("span", { class: "on-paper" }, exact),
  );
}

/**
 * A sentence with elements in it.
 *
 * @param {import("../core/text.js").Sentence} name
 * @param {Readonly<Record<string, import("../core/dom.js").Child>>} values
 */
export function parts(name, values) {
  return t(name, Object.fromEntries(Object.keys(values).map((key) => [key, `\0${key}\0`])))
    .split("\0").map((part, index) => index % 2 === 1 ? values[part] : part);
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
 * @param {Pick<import("../core/catalog.js").CatalogField, "edit">} field
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
      return h("pre", { class: "exact" }, JSON.stringify(value, roundedFigure, 2));
    case "file":
      return h("ul", {}, value.map((/** @type {string} */ id) => h("li", {}, shownFile(id))));
    case "number":
      return h("span", {}, numberText(value));
    default:
      return h("span", { class: "words" }, String(value));
  }
}
