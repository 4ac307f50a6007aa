/** What differs between two states of one thing, field by field. */

import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { label } from "../logic/labels.js";
import { changedText } from "./changed_text.js";

/**
 * @typedef {object} ComparedField
 * @property {string} name As the API calls it.
 * @property {string} [label] Where the name alone does not say what it is.
 * @property {(state: any) => string} text What a state has of it; empty for nothing.
 * @property {boolean} [byModel] Whether the words are a model's.
 */

/**
 * @param {readonly ComparedField[]} fields
 * @param {any} before Null where there was nothing yet.
 * @param {any} after
 * @param {(name: string) => Element | null} [beside] What stands below a field that differs.
 */
export function differences(fields, before, after, beside = () => null) {
  const changed = fields.flatMap((field) => {
    const [former, present] = [before, after].map((state) =>
      state === null ? "" : field.text(state)
    );
    if (former === present) return [];
    return [
      h("dt", {}, field.label ?? label(field.name)),
      h(
        "dd",
        { class: field.byModel && "note" },
        changedText(former ?? "", present ?? ""),
        beside(field.name),
      ),
    ];
  });
  return changed.length === 0
    ? h("p", { class: "quiet" }, t("nothingChanged"))
    : h("dl", { class: "values" }, changed);
}
