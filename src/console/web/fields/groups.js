/** A repeatable group of fields; its text is a JSON list with one object per group. */

import { fill, h, t } from "../core/base.js";
import { field, newId } from "./controls.js";

/**
 * @param {FieldRow} row
 * @param {{
 *   max: number,
 *   name: (number: number) => string,
 *   add: string,
 *   makeFields: () => readonly Field[],
 *   arrange?: (fields: readonly Field[]) => void,
 * }} groups `name` labels a group by its number; `arrange` shows the fields that match the current values.
 */
export function groupsField(row, { max, name, add, makeFields, arrange = () => {} }) {
  /** @type {(readonly Field[])[]} */
  let groups = [];
  const list = h("div");
  const adding = h("button", add);
  const whole = h("fieldset.field", { id: newId(), "data-name": row.name }, list, adding);
  const changed = () => list.dispatchEvent(new Event("input", { bubbles: true }));
  const draw = () => {
    adding.hidden = groups.length >= max;
    fill(
      list,
      groups.map((fields, index) => groupOf(fields, name(index + 1), () => remove(fields))),
    );
  };
  const groupOf = (
    /** @type {readonly Field[]} */ fields,
    /** @type {string} */ called,
    /** @type {() => void} */ leave,
  ) =>
    h(
      "fieldset.field.group",
      { oninput: () => arrange(fields) },
      h("legend", called),
      fields.map(({ element }) => element),
      groups.length > 1 &&
        h("button.plain", { onclick: leave }, t("removeTag", { tag: called })),
    );
  const make = (/** @type {Readonly<Record<string, string>>} */ texts) => {
    const fields = makeFields();
    for (const { name: each, setText } of fields) setText(texts[each] ?? "");
    arrange(fields);
    return fields;
  };
  const remove = (/** @type {readonly Field[]} */ fields) => {
    groups = groups.filter((group) => group !== fields);
    draw();
    changed();
    adding.focus();
  };
  adding.addEventListener("click", () => {
    groups = [...groups, make({})];
    draw();
    changed();
    groups.at(-1)?.[0]?.focus();
  });
  return field(row, {
    element: whole,
    target: whole,
    text() {
      const texts = groups.map((fields) =>
        Object.fromEntries(
          fields.map((each) => [each.name, each.text()]).filter(([, text]) => text !== ""),
        )
      );
      const isEmpty = texts.every((group) => Object.keys(group).length === 0);
      return isEmpty ? "" : JSON.stringify(texts, null, 2);
    },
    setText(text) {
      groups = (text === "" ? [{}] : JSON.parse(text)).map(make);
      draw();
    },
  });
}
