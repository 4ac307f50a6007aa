/** Menus of acts. */

import { h } from "../../core/base/elements.js";
import { newId } from "./rows.js";

/**
 * A button and the menu that it opens. A choice, Escape or a press elsewhere closes the menu.
 * @param {string} name
 * @param {string} label
 * @param {readonly { name: string, act: () => unknown }[]} choices
 * @returns {[HTMLButtonElement, HTMLElement]}
 */
export function menuButton(name, label, choices) {
  const items = choices.map(({ name, act }, index) => {
    const onclick = () => {
      menu.hidePopover();
      act();
    };
    return h(
      "button.plain",
      { role: "menuitem", tabindex: -1, autofocus: index === 0, onclick },
      name,
    );
  });
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const at = items.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Tab") menu.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length)?.focus();
  };
  const id = newId();
  const about = { id, role: "menu", popover: "auto", "aria-label": label };
  const menu = h("div.menu", { ...about, onkeydown }, items);
  const opens = { popovertarget: id, "aria-haspopup": "menu", "aria-label": label };
  return [h("button", opens, name), menu];
}
