/** One form row: label, hint, control, error. A control's value is one text, as in drafts. */

import { h } from "../core/dom.js";
import { t } from "../core/text.js";

/**
 * @typedef {object} Field
 * @property {string} name
 * @property {HTMLElement} element
 * @property {() => string} text
 * @property {(text: string) => void} setText
 * @property {boolean} required
 * @property {() => string} problem Why it cannot be sent; empty if it can.
 * @property {(text: string) => void} refuse Shows an error; an empty text clears it.
 * @property {() => void} focus
 */

/**
 * @typedef {object} Control
 * @property {HTMLElement} element Shown between hint and error.
 * @property {HTMLElement} target Gets the label and the focus.
 * @property {() => string} text
 * @property {(text: string) => void} setText
 * @property {() => string} [problem] Why its input is not a value yet.
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} label
 * @property {string | undefined} [hint]
 * @property {boolean} [required]
 * @property {boolean} [sensitive] Keeps its text from spelling and translation services.
 */

/** Keeps sensitive text from spelling and translation services. */
export const KEPT_HERE = {
  autocomplete: "off",
  spellcheck: "false",
  writingsuggestions: "false",
  translate: "no",
};

let count = 0;

export function newId() {
  return `field-${++count}`;
}

/**
 * @param {Row} row
 * @param {Control} control
 * @returns {Field}
 */
export function field({ name, label, hint, required = false }, control) {
  const { element, target, problem = () => "" } = control;
  const { text, setText } = untouched(control);
  const id = target.id;
  const isGroup = target instanceof HTMLFieldSetElement;
  const refusal = h("p", { class: "refusal", id: `${id}-refusal` });
  const hinted = hint === undefined ? null : h("p", { class: "hint", id: `${id}-hint` }, hint);
  target.setAttribute("aria-describedby", [hinted?.id, refusal.id].filter(Boolean).join(" "));
  // Only radiogroup supports `required`, of the group roles.
  if (required && (!isGroup || target.getAttribute("role") === "radiogroup")) {
    target.setAttribute("aria-required", "true");
  }
  const named = required ? label : [label, h("span", { class: "quiet" }, ` ${t("optional")}`)];
  if (isGroup) {
    target.prepend(h("legend", {}, ...[named].flat()), ...(hinted === null ? [] : [hinted]));
    target.append(refusal);
  }
  return {
    name,
    element: isGroup ? target : h(
      "div",
      { class: "field" },
      h("label", { for: id }, ...[named].flat()),
      hinted,
      element,
      refusal,
    ),
    text,
    setText(text) {
      setText(text);
      const folded = text === "" ? null : target.closest("details");
      if (folded !== null) folded.open = true;
    },
    required,
    problem: () => problem() || (required && text().trim() === "" ? t("required") : ""),
    refuse(problem) {
      refusal.textContent = problem;
      if (problem === "") target.removeAttribute("aria-invalid");
      else target.setAttribute("aria-invalid", "true");
    },
    focus() {
      const folded = target.closest("details");
      if (folded !== null) folded.open = true;
      (isGroup ? target.querySelector("input") : target)?.focus();
    },
  };
}

/** @typedef {{ text: () => string, setText: (text: string) => void }} Holder */

/**
 * Controls change line ends, seconds and removed options. Returns the original text until the control's own
 * version of it changes.
 *
 * @param {Holder} control
 * @returns {Holder}
 */
export function untouched({ text, setText }) {
  let shown = text();
  let given = shown;
  return {
    text() {
      const now = text();
      return now === shown ? given : now;
    },
    setText(next) {
      setText(next);
      given = next;
      shown = text();
    },
  };
}
