/** Fields of a choice. */

import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { field, newId } from "./rows.js";

/** @param {Texts} labels By value; whole numbers would be sorted. */
export function choicesOf(labels) {
  return Object.entries(labels).map(([value, label]) => ({ value, label }));
}

/**
 * Chosen is the first one.
 * @param {string} name
 * @param {string} label
 * @param {Texts} labels By value.
 */
export function chosenField(name, label, labels) {
  const choices = choicesOf(labels);
  return choiceField({ name, label, required: true, initial: choices[0]?.value ?? "" }, choices);
}

/** @param {Texts} texts By the value of a list's view. */
export function viewsOf(texts) {
  return Object.entries(texts).map(([value, text]) => ({ value, text }));
}

const MAX_RADIO_BUTTONS = 4;

/** The most characters of choices in one row, also on a phone. */
const MAX_SEGMENTS = 28;

/**
 * Radio buttons for up to four options, a list for more.
 * @param {FieldRow} row @param {Choices} choices
 */
export function choiceField(row, choices) {
  const none = row.required ? [] : [{ value: "", label: row.none ?? t("noValue") }];
  const shown = { ...row, choices };
  return row.isList || choices.length > MAX_RADIO_BUTTONS
    ? field(
      shown,
      listControl(row.name, [{ value: "", label: row.none ?? t("choose") }, ...choices]),
    )
    : field(shown, radioControl(row.name, [...choices, ...none]));
}

/** A row of numbers from 1. @param {FieldRow} row @param {number} most */
export function scaleField(row, most) {
  const numbers = Array.from({ length: most }, (_, index) => String(index + 1));
  const none = row.required ? [] : [{ value: "", label: row.none ?? t("noValue") }];
  const choices = numbers.map((value) => ({ value, label: value }));
  return field(row, radioControl(row.name, [...choices, ...none]));
}

/** @type {MakeChoice} */
function listControl(name, choices) {
  // A label that is the value is a name, such as a time zone.
  const options = choices.map(({ value, label }) =>
    h("option", { value, ...(value === label && { translate: "no" }) }, label)
  );
  const select = h("select", { id: newId(), name }, options);
  return {
    target: select,
    text: () => select.value,
    setText(text) {
      select.value = text;
      // A stored value that the options no longer include.
      if (select.value !== text) select.append(h("option", { value: text, selected: true }, text));
    },
  };
}

/** @type {MakeChoice} */
function radioControl(name, choices) {
  const id = newId();
  const buttons = choices.map(({ value }) => h("input", { type: "radio", name: id, value }));
  const labels = choices.map(({ label }, index) => h("label.choice", buttons[index], label));
  const isShort = choices.map(({ label }) => label).join("").length <= MAX_SEGMENTS;
  const shown = isShort ? h("div.segments", labels) : labels;
  const group = h("fieldset.field", { id, role: "radiogroup", "data-name": name }, shown);
  return {
    target: group,
    text: () => buttons.find(({ checked }) => checked)?.value ?? "",
    setText(text) {
      for (const button of buttons) button.checked = button.value === text;
    },
  };
}
