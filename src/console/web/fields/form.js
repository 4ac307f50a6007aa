/** A form that says what was refused, and where, and keeps everything that was written. */

import { ApiError } from "../core/api.js";
import { fill, h } from "../core/dom.js";
import { refusalText, t } from "../core/text.js";

/** @typedef {import("./field.js").Field} Field */

/**
 * @param {readonly Field[]} fields
 * @param {string} action What its button says.
 * @param {() => Promise<unknown>} submit Throws an `ApiError` whose details name what was refused.
 * @param {{ before?: readonly Element[], beside?: readonly Element[] }} [parts] What stands between the
 * fields and the button, and beside it.
 */
export function form(fields, action, submit, { before = [], beside = [] } = {}) {
  const summary = h("div", { class: "summary", role: "alert", tabindex: -1, hidden: true });
  const button = h("button", { type: "submit", class: "main" }, action);
  const send = async () => {
    if (button.disabled) return;
    summary.hidden = true;
    const empty = fields.filter((field) => field.required && field.text().trim() === "");
    for (const field of fields) field.refuse(empty.includes(field) ? t("required") : "");
    if (empty.length > 0) return empty[0]?.focus();
    button.disabled = true;
    try {
      await submit();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      showRefusal(error, fields, summary);
    } finally {
      button.disabled = false;
    }
  };
  const element = h(
    "form",
    { novalidate: true },
    summary,
    ...fields.map((field) => field.element),
    ...before,
    h("div", { class: "bar" }, button, ...beside),
  );
  element.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
  element.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) void send();
  });
  return element;
}

/**
 * Says what was refused above the form and at each field that the refusal names.
 *
 * @param {ApiError} error
 * @param {readonly Field[]} fields
 * @param {HTMLElement} summary
 */
function showRefusal(error, fields, summary) {
  const { details } = error;
  const named = new Set(details.fields ?? []);
  const refused = fields.filter(({ name }) => named.has(name));
  for (const field of refused) field.refuse(t("notValid"));
  fill(
    summary,
    h("p", {}, refusalText(error)),
    details.rules !== undefined && h("p", { class: "small exact" }, details.rules.join(", ")),
  );
  summary.hidden = false;
  summary.focus();
}
