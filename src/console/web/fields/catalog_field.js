/** The field of a form for each edit type of the catalog. */

import { numberText } from "../core/numbers.js";
import { t } from "../core/text.js";
import { label } from "../logic/labels.js";
import { choiceField } from "./choice.js";
import { fileField } from "./file.js";
import { tagsField } from "./tags.js";
import { lineField, linesField } from "./text.js";
import { timeField } from "./time.js";

/**
 * @param {import("../core/catalog.js").CatalogField} described
 * @returns {import("./field.js").Field}
 */
export function catalogField({ name, edit, required, sensitive, options = [], ...rest }) {
  const row = {
    ...{ name, required, sensitive },
    ...{ label: rest.label ?? label(name), hint: rest.hint ?? hintOf(rest) },
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
      return fileField(row);
    case "json":
      return linesField({ ...row, exact: true });
  }
}

/** @param {{ minimum?: number, maximum?: number }} bounds */
function hintOf({ minimum, maximum }) {
  const [least, most] = [minimum, maximum].map((bound) =>
    bound === undefined ? "" : numberText(bound)
  );
  if (least && most) return t("between", { minimum: least, maximum: most });
  if (least) return t("atLeast", { minimum: least });
  return most ? t("atMost", { maximum: most }) : undefined;
}
