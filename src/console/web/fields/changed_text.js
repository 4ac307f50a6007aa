/** Marks changes by background and line, not by colour alone. */

import { h } from "../core/dom.js";
import { diffTexts } from "../logic/word_diff.js";

/**
 * @param {string} before
 * @param {string} after
 */
export function changedText(before, after) {
  const parts = diffTexts(before, after).map(({ kind, text }) => {
    if (kind === "same") return h("span", {}, text);
    return h(kind === "added" ? "ins" : "del", {}, text);
  });
  return h("div", { class: "words" }, parts);
}
