/** Radio buttons for up to four options, a list for more. */

import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { field, newId } from "./field.js";

const MAX_RADIO_BUTTONS = 4;

/** @typedef {import("./field.js").Row} Row */
/** @typedef {readonly { value: string, label: string }[]} Choices */

/**
 * @param {Row} row
 * @param {Choices} choices
 */
export function choiceField(row, choices) {
  const none = row.required ? [] : [{ value: "", label: t("noValue") }];
  return choices.length > MAX_RADIO_BUTTONS
    ? field(row, listControl(row.name, [{ value: "", label: t("choose") }, ...choices]))
    : field(row, radioControl(row.name, [...choices, ...none]));
}

/**
 * @param {string} name
 * @param {Choices} choices
 */
function listControl(name, choices) {
  // A label that is the value is a name, such as a time zone.
  const options = choices.map(({ value, label }) =>
    h("option", { value, ...(value === label && { translate: "no" }) }, label)
  );
  const select = h("select", { id: newId(), name }, options);
  return {
    element: select,
    target: select,
    text: () => select.value,
    setText: (/** @type {string} */ text) => {
      select.value = text;
      // Shows a value that is no longer an option.
      if (select.value !== text) select.append(h("option", { value: text, selected: true }, text));
    },
  };
}

/**
 * @param {string} name
 * @param {Choices} choices
 */
function radioControl(name, choices) {
  const id = newId();
  const buttons = choices.map(({ value }) => h("input", { type: "radio", name: id, value }));
  const labels = choices.map(({ label }, index) =>
    h("label", { class: "choice" }, buttons[index], label)
  );
  const group = h(
    "fieldset",
    { id, role: "radiogroup", class: "field", "data-name": name },
    labels,
  );
  return {
    element: group,
    target: group,
    text: () => buttons.find(({ checked }) => checked)?.value ?? "",
    setText: (/** @type {string} */ text) => {
      for (const button of buttons) button.checked = button.value === text;
    },
  };
}
