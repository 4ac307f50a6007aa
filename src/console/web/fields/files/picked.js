/** A file that is sent with a form, such as an import. */

import { h } from "../../core/base/elements.js";
import { field, newId } from "../controls/rows.js";

/** @param {string} label @param {string} sending @param {string} [accept] */
export function pickedFile(label, sending, accept) {
  const input = h("input", { id: newId(), name: "file", type: "file", accept });
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": sending });
  const file = field({ name: "file", label, required: true }, {
    element: h("div", input, progress),
    target: input,
    text: () => input.value,
    setText: () => {},
  });
  return { file, input, progress };
}
