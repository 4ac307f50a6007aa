/** Empty lists and pages. */

import { h } from "../../core/base/elements.js";
import { drawing } from "../../core/base/icons.js";

/**
 * A drawing, one sentence, and at most one button.
 * @param {Parameters<typeof drawing>[0]} name
 * @param {Child} sentence
 * @param {Child} [act]
 */
export function emptyPlace(name, sentence, act) {
  return h("div.empty", drawing(name), h("p", sentence), act);
}
