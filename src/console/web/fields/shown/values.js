/** Values of a record. */

import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { label } from "../../core/names.js";
import { figureText } from "./figures.js";
import { ago, isVeiling, veiled } from "./files.js";
import { shownFiles } from "./pictures.js";
import { roundedFigure } from "./texts.js";
import { dayText, timeTag } from "./times.js";

/**
 * @param {Pick<CatalogField, "edit" | "attachment"> & Bounds} field @param {any} value
 * @returns {HTMLElement}
 */
export function plainValue(field, value) {
  switch (field.edit) {
    case "datetime":
      return timeTag(value);
    case "boolean":
      return h("span", t(value ? "yes" : "no"));
    case "select":
      return h("span", label(value));
    case "tags":
      return h("ul.tags", value.map((/** @type {string} */ tag) => h("li", tag)));
    case "json":
      if (Array.isArray(value.items)) {
        const items = value.items.map((/** @type {unknown} */ item) => h("li", String(item)));
        return h("ul.words", items);
      }
      return h("pre.exact", JSON.stringify(value, roundedFigure, 2));
    case "file":
      return h("ul.pictures", shownFiles(value).map((place) => h("li", place)));
    case "number":
      return h("span", figureText(field, value));
    default:
      return field.attachment ? h("span", shownFiles([value])) : h("span.words", String(value));
  }
}

/** @param {string} name @param {...(Child | readonly Child[])} value */
export function pair(name, ...value) {
  return [h("dt", name), h("dd", ...value)];
}

/**
 * @param {readonly CatalogField[]} fields
 * @param {Values} values
 * @param {(field: CatalogField, value: any) => Element} [show]
 */
export function valuesList(fields, values, show = shownValue) {
  const present = fields.filter(({ name }) => (values[name] ?? null) !== null);
  const pairs = present.flatMap((field) =>
    pair(field.label ?? label(field.name), show(...asStated(field, values)))
  );
  return pairs.length > 0 && h("dl.values", pairs);
}

/**
 * A field and its value. A time that is stated less precisely is only a date.
 * @type {(field: CatalogField, values: Values) => [CatalogField, any]}
 */
function asStated(field, values) {
  const isDay = field.edit === "datetime" && (values.timePrecision ?? "EXACT") !== "EXACT";
  const value = values[field.name];
  return isDay ? [{ ...field, edit: "text" }, dayText(value)] : [field, value];
}

const MAX_KEY_VALUES = 5;

/**
 * The short values as one line, a status first, and the fields of all others.
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
      "p.quiet",
      chosen.flatMap((field, index) => [
        index > 0 && " · ",
        ...keyValue(...asStated(field, values), hasUnit && unit ? values.unit : null),
      ]),
    ),
    rest: fields.filter((field) => !chosen.includes(field) && !(hasUnit && field === unit)),
  };
}

/** @param {{ name: string }} field */
function isOfUnit({ name }) {
  return name === "value" || name === "amount";
}

/** @type {(field: CatalogField, value: any, unit: string | null) => (Node | string)[]} */
function keyValue(field, value, unit) {
  switch (field.edit) {
    case "select":
      return [label(value)];
    case "datetime":
      return [`${label(field.name)}: `, ago(value)];
    case "number": {
      const number = figureText(field, value);
      if (isOfUnit(field)) return [unit === null ? number : `${number} ${unit}`];
      return [`${label(field.name)}: ${number}`];
    }
    default:
      return [textOrName(field, value)];
  }
}

/**
 * A value on the page of its record. Names of stored things are links; sensitive values are shown
 * on request if the device veils them.
 * @param {CatalogField} field @param {any} value @param {typeof plainValue} [draw]
 */
export function shownValue(field, value, draw = plainValue) {
  return field.sensitive && isVeiling()
    ? veiled(label(field.name), () => textOrName(field, value, draw))
    : textOrName(field, value, draw);
}

/** @param {CatalogField} field @param {any} value @param {typeof plainValue} [draw] */
function textOrName(field, value, draw = plainValue) {
  if (!isReference(field)) return draw(field, value);
  // Words can be read before a link takes their place.
  const place = h("span", /(Id|Ids|Ref|Refs)$/.test(field.name) ? t("loading") : value);
  import("../references.js").then(
    ({ shownNames }) => fill(place, shownNames(field.name, value)),
    () => fill(place, plainValue(field, value)),
  );
  return place;
}

/** The fields of the catalog and of entries that name something stored. */
const NAMING = [
  "parentId",
  "counterparty",
  "memberIds",
  "experimentId",
  "evidenceIds",
  "counterEvidenceIds",
  "contextRefs",
  "sourceRefs",
  "sourceRef",
  "targetModule",
];

/** @param {TypedField} field */
export function isReference({ name, edit }) {
  return (edit === "text" || edit === "tags") && NAMING.includes(name);
}
