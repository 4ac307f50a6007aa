import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { label } from "../logic/labels.js";
import { changedText } from "./changed_text.js";
import { veiled } from "./shown_value.js";

/**
 * @typedef {object} ComparedField
 * @property {string} name
 * @property {string} [label] If the name is not clear enough.
 * @property {(state: any) => string} text The exact value; empty for none.
 * @property {(state: any) => string} [shown] The readable value; two values may share one.
 * @property {boolean} [byModel] True if a model wrote the text.
 * @property {boolean} [sensitive] True if shown only on request.
 */

/**
 * @param {readonly ComparedField[]} fields
 * @param {any} before Null for a new object.
 * @param {any} after
 * @param {(name: string, label: string) => Element | null} [beside] An element below a changed field.
 * @param {string} [of] Distinguishes these differences from others on the page.
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
