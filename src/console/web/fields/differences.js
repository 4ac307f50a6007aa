/** What differs between two states of one thing, field by field. */

import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { label } from "../logic/labels.js";
import { changedText } from "./changed_text.js";
import { veiled } from "./shown_value.js";

/**
 * @typedef {object} ComparedField
 * @property {string} name As the API calls it.
 * @property {string} [label] Where the name alone does not say what it is.
 * @property {(state: any) => string} text What a state has of it, exactly; empty for nothing.
 * @property {(state: any) => string} [shown] The same as people read it, though two may be read alike.
 * @property {boolean} [byModel] Whether the words are a model's.
 * @property {boolean} [sensitive] Whether they are shown when that is asked for.
 */

/**
 * @param {readonly ComparedField[]} fields
 * @param {any} before Null where there was nothing yet.
 * @param {any} after
 * @param {(name: string, label: string) => Element | null} [beside] What stands below a field that differs.
 * @param {string} [of] What tells these differences from others on the page.
 */
export function differences(fields, before, after, beside = () => null, of = "") {
  const changed = fields.flatMap((field) => {
    const [former, present] = textsOf(field.text, before, after);
    if (former === present) return [];
    const [earlier, later] = textsOf(field.shown ?? field.text, before, after);
    const isTold = earlier !== later;
    const name = field.label ?? label(field.name);
    const show = () => isTold ? changedText(earlier, later) : changedText(former, present);
    return [
      h("dt", {}, name),
      h(
        "dd",
        { class: field.byModel && "note" },
        field.sensitive === true ? veiled(of === "" ? name : `${name}, ${of}`, show) : show(),
        beside(field.name, name),
      ),
    ];
  });
  return changed.length === 0
    ? h("p", { class: "quiet" }, t("nothingChanged"))
    : h("dl", { class: "values" }, changed);
}

/**
 * @param {(state: any) => string} text
 * @param {...any} states
 * @returns {readonly [string, string]}
 */
function textsOf(text, ...states) {
  const [former = "", present = ""] = states.map((state) => state === null ? "" : text(state));
  return [former, present];
}
