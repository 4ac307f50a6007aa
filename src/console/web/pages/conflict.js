/** The record was changed elsewhere: nothing is sent until the person has seen it. */

import { fill, h } from "../core/dom.js";
import { t } from "../core/text.js";
import { changedText } from "../fields/changed_text.js";
import { label } from "../logic/labels.js";

/**
 * @param {{
 *   fields: readonly import("../fields/field.js").Field[],
 *   theirs: Readonly<Record<string, string>>,
 *   taken: readonly string[],
 *   contested: readonly string[],
 * }} conflict
 */
export function conflictNotice({ fields, theirs, taken, contested }) {
  const notice = h("section", { class: "summary", role: "alert", tabindex: -1 });
  const choice = (/** @type {import("../fields/field.js").Field} */ field) => {
    const other = theirs[field.name] ?? "";
    const part = h("div", {});
    const settle = (/** @type {string} */ text) => {
      field.setText(text);
      field.element.dispatchEvent(new Event("input", { bubbles: true }));
      part.remove();
      field.focus();
    };
    const mine = field.text();
    const button = (/** @type {string} */ name, /** @type {string} */ text) =>
      h(
        "button",
        {
          type: "button",
          "aria-label": `${name}: ${label(field.name)}`,
          onclick: () => settle(text),
        },
        name,
      );
    fill(
      part,
      h("h3", {}, label(field.name)),
      changedText(other, mine),
      h("div", { class: "bar" }, button(t("keepMine"), mine), button(t("useTheirs"), other)),
    );
    return part;
  };
  const names = taken.map(label).join(", ");
  fill(
    notice,
    h("h2", {}, t("changedElsewhere")),
    taken.length > 0 && h("p", {}, t("mergedFields", { names })),
    contested.length > 0 && h("p", {}, t("conflictingFields")),
    fields.filter(({ name }) => contested.includes(name)).map(choice),
    h("p", {}, t("mergeHint")),
  );
  return notice;
}
