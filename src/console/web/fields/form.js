/** A form that says what was refused, where, and keeps everything that was written. */

import { ApiError } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { failureText, t } from "../core/text.js";

/** @typedef {import("./text_field.js").Field} Field */

/**
 * @param {readonly Field[]} fields
 * @param {string} action What its button says.
 * @param {() => Promise<void>} submit
 */
export function form(fields, action, submit) {
  const summary = h("div", { class: "summary", role: "alert", tabindex: -1, hidden: true });
  const button = h("button", { type: "submit", class: "main" }, action);
  const refuse = (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError)) throw error;
    const named = new Set(error.details.fields ?? []);
    const refused = fields.filter(({ name }) => named.has(name));
    for (const field of refused) field.refuse(failureText(error.code));
    fill(summary, h("p", {}, failureText(error.code)));
    summary.hidden = false;
    (refused[0] ?? summary).focus();
  };
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    summary.hidden = true;
    const empty = fields.filter((field) => field.value().trim() === "");
    for (const field of fields) field.refuse(empty.includes(field) ? t("required") : "");
    if (empty.length > 0) return empty[0]?.focus();
    button.disabled = true;
    try {
      await submit();
    } catch (error) {
      refuse(error);
    } finally {
      button.disabled = false;
    }
  };
  const elements = fields.map(({ element }) => element);
  return h("form", { novalidate: true, onsubmit: send }, summary, ...elements, button);
}
