/** A file that is sent with a form, such as an import: chosen, or dropped on its field. */

import { h } from "../../core/base/elements.js";
import { icon } from "../../core/base/icons.js";
import { t } from "../../core/base/language.js";
import { field, newId } from "../controls/rows.js";

/**
 * @param {string} label
 * @param {string} sending
 * @param {string} [accept]
 * @param {Element} [symbol]
 */
export function pickedFile(label, sending, accept, symbol = icon("upload")) {
  const name = h("span", t("dropFile"));
  const onchange = () => name.textContent = input.files?.[0]?.name ?? t("dropFile");
  const input = h("input", { id: newId(), name: "file", type: "file", accept, onchange });
  const progress = h("progress", { max: 1, value: 0, hidden: true, "aria-label": sending });
  const file = field({ name: "file", label, required: true }, {
    element: h("div.drop", symbol, name, input, progress),
    target: input,
    text: () => input.value,
    setText: () => {},
  });
  return { file, input, progress };
}
