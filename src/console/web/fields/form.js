import { ApiError } from "../core/api.js";
import { announce, fill, h } from "../core/dom.js";
import { failureText, passwordRuleText, refusalText, t } from "../core/text.js";

/** @typedef {import("./field.js").Field} Field */

/**
 * @param {readonly Field[]} fields
 * @param {string} action
 * @param {() => Promise<unknown>} submit Throws an `ApiError` whose details name fields.
 * @param {object} [parts]
 * @param {readonly Element[]} [parts.before] Before the button.
 * @param {readonly Element[]} [parts.beside] Beside it.
 * @param {boolean} [parts.staysOpen] Allows typing while it is sent.
 * @param {number} [parts.shown] The fields before "More", on two columns if there is room; default all, on one.
 */
export function form(fields, action, submit, parts = {}) {
  const { before = [], beside = [], staysOpen, shown } = parts;
  const summary = h("div", { class: "summary", role: "alert", tabindex: -1, hidden: true });
  const button = h("button", { type: "submit", class: "main" }, action);
  const send = async () => {
    if (button.disabled) return;
    summary.hidden = true;
    for (const field of fields) field.refuse(field.problem());
    const wrong = fields.find((field) => field.problem() !== "");
    if (wrong !== undefined) return wrong.focus();
    const unlock = lock(staysOpen ? [button] : [...element.elements]);
    try {
      await submit();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (element.isConnected) showRefusal(error, fields, summary);
      else announce(failureText(error.code));
    } finally {
      unlock();
    }
  };
  const element = h(
    "form",
    { novalidate: true },
    summary,
    h("div", { class: shown && "columns" }, fields.slice(0, shown).map(({ element }) => element)),
    shown !== undefined && shown < fields.length && more(fields.slice(shown)),
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
 * Folded, unless one of the fields holds something.
 *
 * @param {readonly Field[]} fields
 */
function more(fields) {
  const isFilled = fields.some((field) => field.text() !== "");
  return h(
    "details",
    { class: "more", open: isFilled },
    h("summary", {}, t("more")),
    h("div", { class: "columns" }, fields.map((field) => field.element)),
  );
}

/**
 * Makes controls read-only until the returned function is called.
 *
 * @param {readonly Element[]} controls
 */
function lock(controls) {
  const focused = document.activeElement;
  const texts = "textarea, input:not([type=checkbox], [type=radio], [type=file])";
  const locked = controls.filter((control) => control.matches(":enabled:not(fieldset)"));
  const set = (/** @type {boolean} */ isLocked) => {
    for (const control of locked) {
      // A read-only control keeps the focus; a disabled one loses it.
      control.toggleAttribute(control.matches(texts) ? "readonly" : "disabled", isLocked);
    }
  };
  set(true);
  return () => {
    set(false);
    if (document.activeElement === document.body) /** @type {any} */ (focused)?.focus();
  };
}

/**
 * @param {ApiError} error
 * @param {readonly Field[]} fields
 * @param {HTMLElement} summary
 */
function showRefusal(error, fields, summary) {
  const { details } = error;
  const named = new Set(details.fields ?? []);
  const refused = fields.filter(({ name }) => named.has(name));
  const rules = details.rules ?? [];
  const said = rules.map(passwordRuleText).find((/** @type {string} */ text) => text !== "");
  for (const field of refused) field.refuse(said ?? t("notValid"));
  const unsaid = rules.filter((/** @type {string} */ rule) => passwordRuleText(rule) === "");
  fill(
    summary,
    h("p", {}, refusalText(error)),
    details.parts ??
      (unsaid.length > 0 && h("p", { class: "small exact" }, unsaid.join(", "))),
  );
  summary.hidden = false;
  summary.focus();
}
