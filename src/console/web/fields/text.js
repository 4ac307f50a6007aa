import { h } from "../core/dom.js";
import { field, KEPT_HERE, newId } from "./field.js";

/** @typedef {import("./field.js").Row} Row */

/** @param {Row & { type?: string, autocomplete?: string, inputmode?: string, words?: boolean }} row */
export function lineField(row) {
  const { type = "text", autocomplete = "off", inputmode, words = false, sensitive = false } = row;
  const input = h("input", {
    id: newId(),
    name: row.name,
    type,
    autocomplete,
    inputmode,
    class: words && "words",
    ...(sensitive && KEPT_HERE),
  });
  return field(row, controlOf(input));
}

/**
 * A person's text, or with `exact` one for machines.
 *
 * @param {Row & { exact?: boolean }} row
 */
export function linesField(row) {
  const { exact = false, sensitive = false } = row;
  const area = h("textarea", {
    id: newId(),
    name: row.name,
    class: exact ? "exact" : "words",
    rows: 4,
    ...(exact && { spellcheck: "false", autocapitalize: "off" }),
    ...(sensitive && KEPT_HERE),
  });
  return field(row, controlOf(area));
}

/** @param {HTMLInputElement | HTMLTextAreaElement} input */
function controlOf(input) {
  return {
    element: input,
    target: input,
    text: () => input.value,
    setText: (/** @type {string} */ text) => {
      input.value = text;
    },
  };
}
