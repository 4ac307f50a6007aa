/** A button that opens a menu of acts. */

import { h } from "./base/elements.js";
import { t } from "./base/language.js";

let count = 0;

/**
 * The menu closes when an act begins, at Escape, and when the focus leaves it.
 * @param {string} label Names the button and the menu.
 * @param {readonly HTMLElement[]} items Buttons.
 */
export function menuButton(label, items) {
  const id = `menu-${++count}`;
  const menu = h("div", { id, role: "menu", "aria-label": label, hidden: true }, items);
  const show = (/** @type {boolean} */ isShown) => {
    menu.hidden = !isShown;
    button.setAttribute("aria-expanded", String(isShown));
  };
  const open = (/** @type {number} */ place) => {
    show(true);
    items.at(place)?.focus();
  };
  const close = () => {
    show(false);
    button.focus();
  };
  for (const item of items) {
    item.setAttribute("role", "menuitem");
    item.tabIndex = -1;
    item.addEventListener("click", close);
  }
  const onkeydown = (/** @type {KeyboardEvent} */ event) => {
    const isOpen = !menu.hidden;
    const at = items.findIndex((item) => item === document.activeElement);
    const goal = isOpen ? goalOf(event.key, at, items.length) : FIRST[event.key];
    if (goal !== undefined) open(goal);
    else if (isOpen && event.key === "Escape") close();
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const onfocusout = (/** @type {FocusEvent} */ { relatedTarget }) => {
    if (!(relatedTarget instanceof Node && element.contains(relatedTarget))) show(false);
  };
  const onclick = () => menu.hidden ? open(0) : close();
  const states = { "aria-label": label, "aria-controls": id, "aria-haspopup": "menu" };
  const button = h("button", { ...states, "aria-expanded": "false", onclick }, t("more"));
  const element = h("div.menu", { onkeydown, onfocusout }, button, menu);
  return element;
}

/** The item that a key opens a closed menu at. @type {Readonly<Record<string, number>>} */
const FIRST = { ArrowDown: 0, ArrowUp: -1 };

/** @param {string} key @param {number} at @param {number} length */
function goalOf(key, at, length) {
  switch (key) {
    case "ArrowDown":
      return (at + 1) % length;
    case "ArrowUp":
      return (Math.max(at, 0) + length - 1) % length;
    case "Home":
      return 0;
    case "End":
      return -1;
    default:
      return undefined;
  }
}
