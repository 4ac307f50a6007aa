/** Sections of Today, which are left out if they are empty. */

import { h } from "../../core/base/elements.js";

/** @param {string} name @param {readonly Child[]} lines */
export function linesSection(name, lines) {
  return lines.length === 0 ? [] : [h("section", h("h2", name), h("ul.lines", lines))];
}
