/** Compares two values by their readable text, if that differs. */

import { numberText, t, timeText } from "../core/text.js";
import { roundedFigure, toComparedText } from "../logic/form_values.js";

/** @typedef {Pick<import("../core/catalog.js").CatalogField, "name" | "edit" | "label" | "sensitive">} Typed */

/**
 * @param {Typed} field
 * @param {(state: any) => unknown} valueOf Undefined for none.
 * @returns {import("./differences.js").ComparedField}
 */
export function comparedField(field, valueOf) {
  return {
    name: field.name,
    sensitive: field.sensitive,
    ...(field.label !== undefined && { label: field.label }),
    text: (state) => toComparedText(field, valueOf(state)),
    shown: (state) => readText(field, valueOf(state)),
  };
}

/**
 * @param {Typed} field
 * @param {any} value
 */
function readText(field, value) {
  if (value === undefined) return "";
  switch (field.edit) {
    case "datetime":
      return timeText(value);
    case "boolean":
      return t(value ? "yes" : "no");
    case "number":
      return numberText(value);
    case "json":
      return JSON.stringify(value, roundedFigure, 2);
    default:
      return toComparedText(field, value);
  }
}
