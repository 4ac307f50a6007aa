/** One row of a form: label, hint, control, refusal. What a control holds is one text, as drafts keep it. */

import { h } from "../core/dom.js";
import { t } from "../core/text.js";

/**
 * @typedef {object} Field
 * @property {string} name As the API calls it.
 * @property {HTMLElement} element
 * @property {() => string} text
 * @property {(text: string) => void} setText
 * @property {boolean} required
 * @property {() => string} problem What keeps it from being sent; empty for nothing.
 * @property {(text: string) => void} refuse Shows what is wrong; nothing where the text is empty.
 * @property {() => void} focus
 */

/**
 * @typedef {object} Control
 * @property {HTMLElement} element What is shown between hint and refusal.
 * @property {HTMLElement} target What the label names and the focus goes to.
 * @property {() => string} text
 * @property {(text: string) => void} setText
 * @property {() => string} [problem] Says where something stands in it that is no text yet.
 */

/**
 * @typedef {object} Row
 * @property {string} name
 * @property {string} label
 * @property {string | undefined} [hint]
 * @property {boolean} [required]
 * @property {boolean} [sensitive] Its words are handed to no spelling or translation service.
 */

/** What a browser must not send away of a sensitive field. */
export const KEPT_HERE = {
  autocomplete: "off",
  spellcheck: "false",
  writingsuggestions: "false",
  translate: "no",
};

let count = 0;

/** An id for a control. */
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
  // Of groups, only those of radio buttons can be called required.
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
    setText,
    required,
    problem: () => problem() || (required && text().trim() === "" ? t("required") : ""),
    refuse(problem) {
      refusal.textContent = problem;
      if (problem === "") target.removeAttribute("aria-invalid");
      else target.setAttribute("aria-invalid", "true");
    },
    focus: () => (isGroup ? target.querySelector("input") : target)?.focus(),
  };
}

/** @typedef {{ text: () => string, setText: (text: string) => void }} Holder */

/**
 * Controls change what they are given: line ends, seconds, choices that are gone. As long as one holds what
 * it made of a text, it holds that text.
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
