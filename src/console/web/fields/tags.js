/** A list of words: an input, and a remove button for each word. */

import { fill, h } from "../core/dom.js";
import { t } from "../core/text.js";
import { field, KEPT_HERE, newId } from "./field.js";

/** @param {import("./field.js").Row} row */
export function tagsField(row) {
  /** @type {string[]} */
  let tags = [];
  const input = h("input", {
    id: newId(),
    name: row.name,
    autocomplete: "off",
    class: "words",
    ...(row.sensitive && KEPT_HERE),
  });
  const list = h("ul", { class: "tags" });
  const changed = () => input.dispatchEvent(new Event("input", { bubbles: true }));
  const draw = () =>
    fill(list, tags.map((tag, index) => h("li", {}, tag, removeButton(tag, index))));
  const removeButton = (/** @type {string} */ tag, /** @type {number} */ index) => {
    const remove = () => {
      tags = tags.filter((_, place) => place !== index);
      draw();
      changed();
      input.focus();
    };
    const label = t("removeTag", { tag });
    return h(
      "button",
      { type: "button", class: "plain", "aria-label": label, onclick: remove },
      "×",
    );
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
  const button = h(
    "button",
    { type: "button", "aria-label": `${t("addTag")}: ${row.label}`, onclick: add },
    t("addTag"),
  );
  return field(row, {
    element: h("div", {}, h("div", { class: "pair" }, input, button), list),
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
