/** A point in time. Untouched, it stays to the letter what was stored. */

import { fill, h } from "../core/dom.js";
import { t } from "../core/text.js";
import { localTime, offsetOf, toInstant } from "../logic/local_time.js";
import { field, newId } from "./field.js";

/** @param {import("./field.js").Row} row */
export function timeField(row) {
  const input = h("input", { id: newId(), name: row.name, type: "datetime-local", step: "any" });
  const zone = h("p", { class: "hint" });
  let stored = "";
  let shown = "";
  const show = () => {
    const offset = input.value === "" ? "" : offsetOf(new Date(input.value));
    fill(zone, offset === "" ? "" : t("offset", { offset }));
  };
  input.addEventListener("input", show);
  return field(row, {
    element: h("div", {}, input, zone),
    target: input,
    text: () => input.value === shown ? stored : toInstant(input.value),
    setText(text) {
      stored = text;
      input.value = text === "" ? "" : localTime(new Date(text));
      // As the browser writes it.
      shown = input.value;
      show();
    },
  });
}
