/** A group of equal fields, several times. */

import { showTexts, textsOf } from "../../core/acts/texts.js";
import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { field, newId } from "../../fields/controls/rows.js";

/**
 * A repeatable group of fields; its text is a JSON list with one object per group.
 * @param {FieldRow} row
 * @param {GroupsOptions} options
 */
export function groupsField(row, { max, name, add, makeFields, arrange = () => {} }) {
  /** @type {(readonly Field[])[]} */
  let groups = [];
  const list = h("div");
  const adding = h("button", add);
  const whole = h("fieldset.field", { id: newId(), "data-name": row.name }, list, adding);
  const draw = () => {
    adding.hidden = groups.length >= max;
    const acts = { arrange, ...(groups.length > 1 && { remove }) };
    fill(list, groups.map((fields, index) => groupElement(fields, name(index + 1), acts)));
  };
  const remove = (/** @type {readonly Field[]} */ fields) => {
    change(groups.filter((group) => group !== fields));
    adding.focus();
  };
  const make = (/** @type {GroupTexts} */ texts) => {
    const fields = makeFields();
    showTexts(fields, texts);
    arrange(fields);
    return fields;
  };
  const change = (/** @type {typeof groups} */ changed) => {
    groups = changed;
    draw();
    list.dispatchEvent(new Event("input", { bubbles: true }));
  };
  adding.addEventListener("click", () => {
    change([...groups, make({})]);
    groups.at(-1)?.[0]?.focus();
  });
  return field(row, {
    element: whole,
    target: whole,
    text: () => textOfGroups(groups),
    setText(text) {
      groups = (text === "" ? [{}] : JSON.parse(text)).map(make);
      draw();
    },
  });
}

/** Without empty texts; empty if all are. @param {readonly (readonly Field[])[]} groups */
function textOfGroups(groups) {
  const texts = groups.map((fields) =>
    Object.fromEntries(Object.entries(textsOf(fields)).filter(([, text]) => text !== ""))
  );
  const isEmpty = texts.every((group) => Object.keys(group).length === 0);
  return isEmpty ? "" : JSON.stringify(texts, null, 2);
}

/** @type {(fields: readonly Field[], name: string, acts: GroupActs) => Element} */
function groupElement(fields, name, { arrange, remove }) {
  return h(
    "fieldset.field.group",
    { oninput: () => arrange(fields) },
    h("legend", name),
    fields.map(({ element }) => element),
    remove && h("button.plain", { onclick: () => remove(fields) }, t("removeTag", { tag: name })),
  );
}
