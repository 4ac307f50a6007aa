/** A measurement in a form: its kind gives it a unit, and a row of ten instead of a number. */

import { h } from "../../core/base/elements.js";
import { scaleField } from "../../fields/controls/choices.js";
import { enteredFields } from "../../fields/shown/entered.js";

const MOST = 10;

/** The value, as a number or on a scale. @param {FieldRow} row */
export async function measureField(row) {
  const { numberField } = await enteredFields();
  const [number, scale] = [numberField(row), scaleField(row, MOST)];
  scale.element.hidden = true;
  const present = () => scale.element.hidden ? number : scale;
  const setText = (/** @type {string} */ text) => {
    number.setText(text);
    scale.setText(text);
  };
  return {
    ...number,
    element: h("div", number.element, scale.element),
    setText,
    text: () => present().text(),
    problem: () => present().problem(),
    refuse: (/** @type {string} */ text) => present().refuse(text),
    focus: () => present().focus(),
    /** @param {boolean} isScale */
    ask(isScale) {
      if (scale.element.hidden !== isScale) return;
      setText(present().text());
      [number.element.hidden, scale.element.hidden] = [isScale, !isScale];
    },
  };
}

/** @param {readonly Field[]} fields */
export async function arrangeMeasure(fields) {
  const { unitOf } = await enteredFields();
  const [kind, unit, value] = ["metricType", "unit", "value"].map((name) =>
    fields.find((field) => field.name === name)
  );
  if (kind === undefined || unit === undefined || value === undefined) return;
  let given = unitOf(kind.text());
  const draw = () => {
    const next = unitOf(kind.text());
    if (unit.text() === "" || unit.text() === given) unit.setText(next);
    given = next;
    /** @type {any} */ (value).ask(next === "of 10");
  };
  kind.element.addEventListener("input", draw);
  draw();
}
