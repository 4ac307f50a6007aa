/** A line of text with its label, hint and refusal. */

import { h } from "../core/dom.js";

/**
 * @typedef {object} Field
 * @property {string} name As the API calls it.
 * @property {HTMLElement} element
 * @property {() => string} value
 * @property {(text: string) => void} refuse Shows what is wrong; nothing where the text is empty.
 * @property {() => void} focus
 */

let count = 0;

/**
 * @param {string} name
 * @param {string} label
 * @param {{ type?: string, autocomplete?: string, value?: string, hint?: string }} [options]
 * @returns {Field}
 */
export function textField(name, label, { type = "text", autocomplete, value = "", hint } = {}) {
  const id = `field-${++count}`;
  const refusal = h("p", { class: "refusal", id: `${id}-refusal` });
  const described = [hint !== undefined && `${id}-hint`, refusal.id].filter(Boolean).join(" ");
  const input = h("input", {
    ...{ id, name, type, value, autocomplete: autocomplete ?? "off" },
    ...{ required: true, "aria-describedby": described },
    ...(type === "text" && { spellcheck: "false" }),
  });
  return {
    name,
    element: h(
      "div",
      { class: "field" },
      h("label", { for: id }, label),
      hint !== undefined && h("p", { class: "hint", id: `${id}-hint` }, hint),
      input,
      refusal,
    ),
    value: () => input.value,
    refuse(text) {
      refusal.textContent = text;
      if (text === "") input.removeAttribute("aria-invalid");
      else input.setAttribute("aria-invalid", "true");
    },
    focus: () => input.focus(),
  };
}
