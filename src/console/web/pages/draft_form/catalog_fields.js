/** The fields of the catalog in a form. */

import { numberText, t } from "../../core/base/language.js";
import { notLoaded } from "../../core/base/visits.js";
import { label, labelled } from "../../core/names.js";
import { choiceField, choicesOf, scaleField } from "../../fields/controls/choices.js";
import { lineField, linesField } from "../../fields/controls/lines.js";
import { enteredFields } from "../../fields/shown/entered.js";
import { tagsField } from "../../fields/controls/tags.js";
import { timeField } from "../../fields/controls/times.js";
import { isReference } from "../../fields/shown/values.js";
import * as localTimes from "../../logic/local_time.js";

/** Unless the catalog has another number. @type {Readonly<Record<string, number>>} */
export const LENGTHS = { text: 500, textarea: 100_000 };

/** Numbers up to these are shown in a row. */
const SCALES = [5, 10];

/** The form field for a catalog field's edit type. @param {CatalogField} described */
export async function catalogField({ name, edit, required, sensitive, options = [], ...rest }) {
  const row = {
    name,
    limits: { maximumLength: LENGTHS[edit], ...rest },
    required,
    sensitive,
    label: rest.label ?? label(name),
    hint: rest.hint ?? hintOf(rest),
  };
  if (rest.make !== undefined) return rest.make(row);
  if (isReference({ name, edit })) return await referenceField(row, edit);
  switch (edit) {
    case "text":
      if (rest.attachment) return (await files()).fileField(row, true);
      return lineField({ ...row, words: true });
    case "textarea":
      return linesField(row);
    case "number":
      return await figureField(row, rest);
    case "select":
      return choiceField(row, rest.choices ?? labelled(options));
    case "boolean":
      return choiceField(row, choicesOf({ true: t("yes"), false: t("no") }));
    case "datetime":
      return timeField(row, localTimes);
    case "tags":
      return tagsField(row);
    case "file":
      return (await files()).fileField(row);
    case "json":
      return linesField({ ...row, exact: true });
  }
}

/** Loads the fields for files, which few forms have. */
export const files = () => import("../../fields/files/fields.js");

/** Loaded by the forms that have one. */
export async function loadPicker() {
  const [field, sources] = await Promise.all([
    import("../../fields/picker/field.js"),
    import("../../fields/picker/sources.js"),
  ]).catch(notLoaded);
  return { ...field, ...sources };
}

/**
 * Makes a picker of a short list.
 * @param {Choices | (() => Choices)} choices
 */
export function pickAmong(choices) {
  return async (/** @type {FieldRow} */ row) => {
    const { pickerField, choicesSource } = await loadPicker();
    return pickerField(row, choicesSource(choices));
  };
}

/** @param {FieldRow} row @param {CatalogField["edit"]} edit */
async function referenceField(row, edit) {
  const { pickerField, referenceSource } = await loadPicker();
  // A new record does not have an address yet.
  const without = /\/([^/]+)\/edit$/.exec(location.pathname)?.[1];
  return pickerField({ ...row, isSeveral: edit === "tags" }, referenceSource(row.name, without));
}

/** @param {FieldRow} row @param {Bounds} bounds */
async function figureField(row, { minimum, maximum = 0 }) {
  if (minimum === 1 && SCALES.includes(maximum)) {
    return scaleField({ ...row, hint: undefined }, maximum);
  }
  const { numberField, shareField } = await enteredFields();
  return minimum === 0 && maximum === 1 ? shareField(row) : numberField(row);
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

/** @param {readonly CatalogField[]} fields */
export function namesOf(fields) {
  return new Set(fields.map(({ name }) => name));
}
