/** The lines of a list, under headings if its order has them. */

import { h } from "../../core/base/elements.js";

/** @param {Element} line */
const addressOf = (line) => line.querySelector("a")?.getAttribute("href") ?? null;

/** @param {boolean} isLong @returns {LineGroups} */
export function lineGroups(isLong) {
  const newList = () => h("ul", { class: isLong ? "lines entries" : "lines" });
  /** Lines without a heading, and lines that were just added. */
  const first = newList();
  const element = h("div", first);
  /** @type {Map<string, HTMLElement>} */
  const lists = new Map();
  /** New lines by address, until the list has them in their place. @type {Map<string, Element>} */
  const added = new Map();
  /** @type {PlacedLine[]} */
  let placed = [];
  /** @type {Headings | undefined} */
  let headings;
  const listOf = (/** @type {string | undefined} */ heading, /** @type {Node | null} */ next) => {
    if (heading === undefined) return first;
    const list = lists.get(heading) ?? newList();
    if (!lists.has(heading)) {
      lists.set(heading, list);
      element.insertBefore(h("section.month", h("h2", heading), list), next);
    }
    return list;
  };
  return {
    first,
    element,
    begin(order) {
      headings = order?.headings;
      const kept = [...first.children].filter((line) => line.matches(".sending"));
      first.replaceChildren(...kept);
      element.replaceChildren(first);
      lists.clear();
      added.clear();
      placed = [];
    },
    append(item, line) {
      const address = addressOf(line);
      if (address !== null) added.get(address)?.remove();
      listOf(headings?.headingOf(item), null).append(line);
      placed.push({ item, line });
    },
    add(item, line, isWhole) {
      const address = addressOf(line);
      if (address !== null) added.set(address, line);
      // A list that was read since it was sent has it already.
      const known = placed.find((other) => addressOf(other.line) === address);
      placed = placed.filter((other) => other !== known);
      known?.line.remove();
      if (headings?.placeOf === undefined) return;
      const { headingOf, placeOf } = headings;
      const at = placed.findIndex((other) => placeOf(item) <= placeOf(other.item));
      // Its place is on a page that was not read yet.
      if (at === -1 && !isWhole) return;
      const next = placed[at]?.line ?? null;
      const list = listOf(headingOf(item), next?.closest("section") ?? null);
      list.insertBefore(line, next?.parentElement === list ? next : null);
      placed.splice(at === -1 ? placed.length : at, 0, { item, line });
    },
  };
}
