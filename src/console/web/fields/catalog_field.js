/** Makes the form field for a catalog field's edit type. */

import { h } from "../core/dom.js";
import { numberText, t } from "../core/text.js";
import { label } from "../logic/labels.js";
import { localTime, toInstant } from "../logic/local_time.js";
import { choiceField } from "./choice.js";
import { field, newId } from "./field.js";
import { tagsField } from "./tags.js";
import { lineField, linesField } from "./text.js";

/**
 * @param {import("../core/catalog.js").CatalogField} described
 * @returns {Promise<import("./field.js").Field>}
 */
export async function catalogField({ name, edit, required, sensitive, options = [], ...rest }) {
  const row = {
    name,
    required,
    sensitive,
    label: rest.label ?? label(name),
    hint: rest.hint ?? hintOf(rest),
  };
  if (rest.make !== undefined) return rest.make(row);
  switch (edit) {
    case "text":
      return lineField({ ...row, words: true });
    case "textarea":
      return linesField(row);
    case "number":
      return lineField({ ...row, inputmode: "decimal" });
    case "select":
      return choiceField(
        row,
        rest.choices ?? options.map((value) => ({ value, label: label(value) })),
      );
    case "boolean":
      return choiceField(row, [
        { value: "true", label: t("yes") },
        { value: "false", label: t("no") },
      ]);
    case "datetime":
      return timeField(row);
    case "tags":
      return tagsField(row);
    case "file":
      return (await import("./file.js")).fileField(row);
    case "json":
      return linesField({ ...row, exact: true });
  }
}

/** @param {{ minimum?: number, maximum?: number }} bounds */
function hintOf({ minimum, maximum }) {
  // Larger bounds only protect the service.
  const [least, most] = [minimum, maximum].map((bound) =>
    bound === undefined || Math.abs(bound) >= 1e9 ? "" : numberText(bound)
  );
  if (least && most) return t("between", { minimum: least, maximum: most });
  if (least) return t("atLeast", { minimum: least });
  return most ? t("atMost", { maximum: most }) : undefined;
}

/** @param {import("./field.js").Row} row */
function timeField(row) {
  const input = h("input", { id: newId(), name: row.name, type: "datetime-local", step: "any" });
  /** Keeps the value while a time is being typed. */
  let whole = "";
  const show = () => {
    if (!input.validity.badInput) whole = toInstant(input.value);
  };
  input.addEventListener("input", show);
  return field(row, {
    element: input,
    target: input,
    text: () => input.validity.badInput ? whole : toInstant(input.value),
    setText(text) {
      input.value = text === "" ? "" : localTime(new Date(text));
      show();
    },
    problem: () => input.validity.badInput ? t("timeUnfinished") : "",
  });
}
