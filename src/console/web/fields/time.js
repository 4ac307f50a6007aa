/** A point in time. */

import { fill, h } from "../core/dom.js";
import { t } from "../core/text.js";
import { localTime, offsetOf, toInstant } from "../logic/local_time.js";
import { field, newId } from "./field.js";

/** @param {import("./field.js").Row} row */
export function timeField(row) {
  const input = h("input", { id: newId(), name: row.name, type: "datetime-local", step: "any" });
  const zone = h("p", { class: "hint" });
  /** The last whole time: one that is being typed is not one yet, and takes nothing away. */
  let whole = "";
  const show = () => {
    if (!input.validity.badInput) whole = toInstant(input.value);
    const offset = input.value === "" ? "" : offsetOf(new Date(input.value));
    fill(zone, offset === "" ? "" : t("offset", { offset }));
  };
  input.addEventListener("input", show);
  return field(row, {
    element: h("div", {}, input, zone),
    target: input,
    text: () => input.validity.badInput ? whole : toInstant(input.value),
    setText(text) {
      input.value = text === "" ? "" : localTime(new Date(text));
      show();
    },
    problem: () => input.validity.badInput ? t("timeUnfinished") : "",
  });
}
