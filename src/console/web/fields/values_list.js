/** Read-only fields, without empty ones. */

import { h } from "../core/dom.js";
import { numberText } from "../core/text.js";
import { label } from "../logic/labels.js";
import { ago, isVeiling, shownValue } from "./shown_value.js";

/** @typedef {import("../core/catalog.js").CatalogField} CatalogField */
/** @typedef {Readonly<Record<string, any>>} Values */

/** @param {string} name @param {...(import("../core/dom.js").Child | readonly import("../core/dom.js").Child[])} value */
export function pair(name, ...value) {
  return [h("dt", {}, name), h("dd", {}, ...value)];
}

/**
 * @param {readonly CatalogField[]} fields
 * @param {Values} values
 * @param {(field: CatalogField, value: any) => Element} [show]
 */
export function valuesList(fields, values, show = shownValue) {
  const present = fields.filter(({ name }) => (values[name] ?? null) !== null);
  return present.length > 0 && h(
    "dl",
    { class: "values" },
    present.flatMap((field) =>
      pair(field.label ?? label(field.name), show(field, values[field.name]))
    ),
  );
}

const MAX_KEY_VALUES = 5;

/**
 * The short values as one line, a status first, and the fields of all others.
 *
 * @param {readonly CatalogField[]} fields
 * @param {Values} values
 */
export function keyValues(fields, values) {
  const unit = fields.find(({ name }) => name === "unit");
  const isShort = (/** @type {CatalogField} */ { name, edit, sensitive }) =>
    ["select", "number", "datetime", "text"].includes(edit) && !/Ids?$|^url$/.test(name) &&
    name !== "unit" && !(sensitive && isVeiling()) && String(values[name]).length <= 60;
  const isStatus = ({ name = "" }) => /status$/i.test(name);
  const present = fields.filter((field) => (values[field.name] ?? null) !== null && isShort(field));
  const chosen = [
    ...present.filter(isStatus),
    ...present.filter((field) => !isStatus(field)),
  ].slice(0, MAX_KEY_VALUES);
  const hasUnit = chosen.some(isOfUnit);
  return {
    line: chosen.length > 0 && h(
      "p",
      { class: "key-values" },
      chosen.flatMap((field, index) => [
        index > 0 && " · ",
        ...keyValue(field, values[field.name], hasUnit && unit ? values.unit : null),
      ]),
    ),
    rest: fields.filter((field) => !chosen.includes(field) && !(hasUnit && field === unit)),
  };
}

/** @param {{ name: string }} field */
function isOfUnit({ name }) {
  return name === "value" || name === "amount";
}

/**
 * @param {CatalogField} field
 * @param {any} value
 * @param {string | null} unit
 * @returns {(Node | string)[]}
 */
function keyValue(field, value, unit) {
  switch (field.edit) {
    case "select":
      return [label(value)];
    case "datetime":
      return [`${label(field.name)}: `, ago(value)];
    case "number": {
      const number = numberText(value);
      if (isOfUnit(field)) return [unit === null ? number : `${number} ${unit}`];
      return [`${label(field.name)}: ${number}`];
    }
    default:
      return [h("span", { class: "words" }, value)];
  }
}
