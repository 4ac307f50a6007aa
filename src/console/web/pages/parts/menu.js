/** Menus of acts. */

import { h } from "../../core/base/elements.js";
import { newId } from "../../fields/controls/rows.js";

/**
 * A button and the menu that it opens. An act, Escape, Tab or a press elsewhere closes the menu.
 * @param {Element} symbol
 * @param {string} label Names the button and the menu.
 * @param {readonly HTMLElement[]} items Buttons and links.
 * @returns {[HTMLButtonElement, HTMLElement]}
 */
export function menuButton(symbol, label, items) {
  for (const item of items) {
    item.setAttribute("role", "menuitem");
    item.tabIndex = -1;
  }
  items[0]?.setAttribute("autofocus", "");
  const move = (/** @type {KeyboardEvent} */ event) => {
    const at = items.findIndex((item) => item === document.activeElement);
    const to = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key];
    if (event.key === "Tab") menu.hidePopover();
    if (to === undefined) return;
    event.preventDefault();
    items.at(to % items.length)?.focus();
  };
  const open = (/** @type {KeyboardEvent} */ event) => {
    const to = { ArrowDown: 0, ArrowUp: -1 }[event.key];
    if (to === undefined) return;
    event.preventDefault();
    button.click();
    items.at(to)?.focus();
  };
  const id = newId();
  const about = { id, role: "menu", popover: "auto", "aria-label": label };
  const menu = h("div.menu", { ...about, onkeydown: move }, items);
  // Before the act of an item, which may move the focus.
  menu.addEventListener("click", () => menu.hidePopover(), true);
  const opens = { popovertarget: id, "aria-haspopup": "menu", "aria-label": label, title: label };
  const button = h("button.act", { ...opens, onkeydown: open }, symbol);
  return [button, menu];
}
