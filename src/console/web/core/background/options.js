/** The list of options below an input. */

import { newId } from "../../fields/controls/rows.js";
import { fill, h } from "../base/elements.js";

/** @param {string} text In lower case, without accents. */
export function plainWords(text) {
  const plain = text.normalize("NFD").replaceAll(/\p{M}/gu, "").toLowerCase();
  return plain.match(/[\p{L}\p{N}]+/gu) ?? [];
}

/**
 * True if every word of the query begins a word of the text.
 * @param {string} text
 * @param {string} query
 */
export function fits(text, query) {
  const all = plainWords(text);
  return plainWords(query).every((start) => all.some((word) => word.startsWith(start)));
}

/**
 * The focus stays in the input, which names the active option.
 * @template {{ text: string, note?: string | undefined }} Option
 * @param {HTMLInputElement} input
 * @param {string} label
 * @param {(option: Option) => void} choose
 * @param {string} [look] The class of a person's words.
 * @returns {OptionList<Option>}
 */
export function optionList(input, label, choose, look = "words") {
  /** @type {readonly Option[]} */
  let shown = [];
  let active = -1;
  const id = newId();
  // Keeps the focus in the input.
  const onmousedown = (/** @type {Event} */ event) => event.preventDefault();
  const element = h("ul", { id, role: "listbox", "aria-label": label, hidden: true, onmousedown });
  input.setAttribute("role", "combobox");
  input.setAttribute("aria-autocomplete", "list");
  input.setAttribute("aria-controls", id);
  const activate = (/** @type {number} */ index) => {
    active = index;
    for (const [at, option] of [...element.children].entries()) {
      option.setAttribute("aria-selected", String(at === active));
    }
    const option = element.children[active];
    if (option === undefined) input.removeAttribute("aria-activedescendant");
    else input.setAttribute("aria-activedescendant", option.id);
    option?.scrollIntoView({ block: "nearest" });
  };
  const optionOf = (/** @type {Option} */ option, /** @type {number} */ at) =>
    h(
      "li",
      { id: `${id}-${at}`, role: "option", onclick: () => choose(option) },
      h("span", { class: look }, option.text),
      option.note !== undefined && h("span.quiet.small", " ", option.note),
    );
  const show = (/** @type {readonly Option[]} */ options, at = active) => {
    shown = options;
    fill(element, options.map(optionOf));
    element.hidden = options.length === 0;
    input.setAttribute("aria-expanded", String(!element.hidden));
    activate(options.length === 0 ? at : Math.min(at, options.length - 1));
  };
  show([], -1);
  return {
    element,
    isOpen: () => !element.hidden,
    show,
    close: () => show([], -1),
    move(step) {
      const from = active === -1 && step < 0 ? 0 : active;
      if (shown.length > 0) activate((from + step + shown.length) % shown.length);
    },
    active: () => shown[active],
  };
}
