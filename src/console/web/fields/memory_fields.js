import { t } from "../core/text.js";
import { label } from "../logic/labels.js";
import { choiceField } from "./choice.js";
import { momentField } from "./moment.js";
import { lineField, linesField } from "./text.js";

/** Increasing privacy. */
export const PRIVACY_LEVELS = /** @type {const} */ (["NORMAL", "PRIVATE", "SECRET"]);

/** @typedef {import("./field.js").Field} Field */

/**
 * @param {import("../core/catalog.js").CatalogModule} module The catalog module of memories.
 * @param {boolean} isNew Whether the original or the current text is written.
 * @returns {readonly Field[]}
 */
export function memoryFields(module, isNew) {
  const choices = (/** @type {string} */ name) =>
    module.fields.find((field) => field.name === name)?.options?.map(choice) ?? [];
  const words = isNew
    ? { name: "originalContent", label: t("yourWords"), hint: t("originalHint") }
    : { name: "currentContent", label: t("currentWords") };
  return [
    lineField({ name: "title", label: t("title"), required: true, words: true }),
    linesField({ ...words, required: true, sensitive: true }),
    choiceField(
      { name: "memoryType", label: t("memoryType"), required: true },
      choices("memoryType"),
    ),
    ...(isNew ? [privacyField()] : []),
    ...timeFields(choices("timePrecision")),
    choiceField(
      { name: "importance", label: t("importance") },
      [1, 2, 3, 4, 5].map((number) => ({ value: String(number), label: String(number) })),
    ),
    linesField({ name: "summary", label: t("summary") }),
  ];
}

/**
 * The inputs depend on the precision.
 *
 * @param {import("./choice.js").Choices} precisions
 * @returns {readonly Field[]}
 */
function timeFields(precisions) {
  const precision = choiceField({ name: "timePrecision", label: t("howPrecisely") }, precisions);
  const moment = momentField({ name: "occurredAt", label: t("when") });
  precision.element.addEventListener("input", () => moment.ask(precision.text()));
  const setText = (/** @type {string} */ text) => {
    precision.setText(text);
    moment.ask(text);
  };
  const own = {
    name: "timeText",
    label: t("timeInWords"),
    hint: t("timeInWordsHint"),
    words: true,
  };
  return [{ ...precision, setText }, moment, lineField(own)];
}

function privacyField() {
  const row = {
    name: "privacyLevel",
    label: t("privacy"),
    hint: t("memoryPrivacyHint"),
    required: true,
  };
  return choiceField(row, PRIVACY_LEVELS.map(choice));
}

/** @param {string} value */
function choice(value) {
  return { value, label: label(value) };
}
