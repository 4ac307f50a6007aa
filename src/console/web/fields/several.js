import { h } from "../core/base.js";
import { field, newId } from "./controls.js";

/** @param {FieldRow} row @param {Choices} choices */
export function severalField(row, choices) {
  const boxes = choices.map(({ value }) => h("input", { type: "checkbox", value }));
  const labels = choices.map(({ label }, index) => h("label.choice", boxes[index], label));
  const group = h("fieldset.field", { id: newId() }, h("div.groups", labels));
  return field(row, {
    element: group,
    target: group,
    /** Returns JSON; empty for none. */
    text() {
      const chosen = boxes.filter(({ checked }) => checked).map(({ value }) => value);
      return chosen.length === 0 ? "" : JSON.stringify(chosen);
    },
    setText(text) {
      const chosen = text === "" ? [] : JSON.parse(text);
      for (const box of boxes) box.checked = chosen.includes(box.value);
    },
  });
}
