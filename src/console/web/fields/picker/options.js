/** The list of options below a picker's input. */

import { fill, h } from "../../core/base/elements.js";
import { newId } from "../controls/rows.js";

/**
 * The focus stays in the input, which names the active option.
 * @param {HTMLInputElement} input
 * @param {string} label
 * @param {(option: Named) => void} choose
 * @returns {OptionList}
 */
export function optionList(input, label, choose) {
  /** @type {readonly Named[]} */
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
  const optionOf = (/** @type {Named} */ named, /** @type {number} */ at) =>
    h(
      "li",
      { id: `${id}-${at}`, role: "option", onclick: () => choose(named) },
      h("span.words", named.text),
      named.note !== undefined && h("span.quiet.small", " ", named.note),
    );
  const show = (/** @type {readonly Named[]} */ options, /** @type {boolean} */ isChosen) => {
    shown = options;
    fill(element, options.map(optionOf));
    element.hidden = options.length === 0;
    input.setAttribute("aria-expanded", String(!element.hidden));
    activate(isChosen && options.length > 0 ? 0 : -1);
  };
  show([], false);
  return {
    element,
    isOpen: () => !element.hidden,
    show,
    close: () => show([], false),
    move(step) {
      const from = active === -1 && step < 0 ? 0 : active;
      if (shown.length > 0) activate((from + step + shown.length) % shown.length);
    },
    active: () => shown[active],
  };
}
