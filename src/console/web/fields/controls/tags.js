/** A field of several words. */

import { fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { field, KEPT_HERE, newId } from "./rows.js";

/** @param {FieldRow} row */
export function tagsField(row) {
  /** @type {string[]} */
  let tags = [];
  const about = { id: newId(), name: row.name, autocomplete: "off" };
  const input = h("input.words", { ...about, ...(row.sensitive && KEPT_HERE) });
  const list = h("ul.tags");
  const changed = () => input.dispatchEvent(new Event("input", { bubbles: true }));
  const draw = () => fill(list, tags.map((tag) => h("li", tag, removeButton(tag))));
  const removeButton = (/** @type {string} */ tag) => {
    const remove = () => {
      tags = tags.filter((other) => other !== tag);
      draw();
      changed();
      input.focus();
    };
    const label = t("removeTag", { tag });
    return h("button.plain", { "aria-label": label, onclick: remove }, "×");
  };
  const add = () => {
    const added = input.value.trim();
    if (added === "") return;
    input.value = "";
    tags = [...tags.filter((tag) => tag !== added), added];
    draw();
    changed();
  };
  input.addEventListener("keydown", (event) => {
    // Input methods use Enter to choose a word.
    if (event.key !== "Enter" || event.isComposing || event.ctrlKey || event.metaKey) return;
    if (input.value.trim() === "") return;
    event.preventDefault();
    add();
  });
  const label = `${t("add")}: ${row.label}`;
  const button = h("button", { "aria-label": label, onclick: add }, t("add"));
  return field(row, {
    element: h("div", h("div.pair", input, button), list),
    target: input,
    // Includes a typed word that was not added.
    text() {
      const all = [...tags, input.value.trim()].filter((tag) => tag !== "");
      return all.length === 0 ? "" : JSON.stringify(all);
    },
    setText(text) {
      tags = text === "" ? [] : JSON.parse(text);
      input.value = "";
      draw();
    },
  });
}
