/** Read-only fields, without empty ones. */

import { h } from "../core/dom.js";
import { label } from "../logic/labels.js";
import { shownValue } from "./shown_value.js";

/**
 * @param {readonly import("../core/catalog.js").CatalogField[]} fields
 * @param {Readonly<Record<string, any>>} values
 */
export function valuesList(fields, values) {
  const present = fields.filter(({ name }) => (values[name] ?? null) !== null);
  return present.length > 0 && h(
    "dl",
    { class: "values" },
    present.flatMap((field) => [
      h("dt", {}, field.label ?? label(field.name)),
      h("dd", {}, shownValue(field, values[field.name])),
    ]),
  );
}
