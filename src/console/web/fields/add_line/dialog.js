/** Add: one line for every kind of record. */

import { h, showDialog } from "../../core/base/elements.js";
import { loadArea, t } from "../../core/base/language.js";
import { ADDED_KINDS, labelOfOne } from "../../core/names.js";
import { newId } from "../controls/rows.js";
import { kindSymbol } from "../shown/anchors.js";
import { AddLine } from "./line.js";
import { mayAdd, sendAdded } from "./lists.js";

/** The text of a dialog that was closed. */
let unsent = "";

export async function openAddDialog() {
  await loadArea("add_line");
  if (document.querySelector("dialog[open]") !== null) return;
  // The first one is chosen.
  const kinds = ADDED_KINDS.filter(mayAdd);
  let [list = ""] = kinds;
  const line = new AddLine({
    place: () => ({ list }),
    send: (entered) => {
      dialog.close();
      sendAdded(list, entered);
    },
    left: () => dialog.close(),
  });
  const choose = (/** @type {string} */ kind) => {
    list = kind;
    line.changed();
  };
  const id = newId();
  const dialog = showDialog(
    { "aria-labelledby": id, onclose: () => unsent = line.text },
    h("h2", { id }, t("add")),
    line.element,
    kindsGroup(kinds, choose, () => line.focus()),
    h("div.bar", h("button", { onclick: () => dialog.close() }, t("cancel"))),
  );
  if (unsent !== "") line.putBack(unsent, "");
  line.focus();
}

/**
 * @param {readonly string[]} kinds
 * @param {(kind: string) => void} choose
 * @param {() => void} focus
 */
function kindsGroup(kinds, choose, focus) {
  const name = newId();
  let isPointer = false;
  const choices = kinds.map((value, index) => {
    const onchange = () => {
      choose(value);
      // Someone who chooses with the arrow keys may choose on.
      if (isPointer) focus();
      isPointer = false;
    };
    const input = h("input", { type: "radio", name, value, checked: index === 0, onchange });
    const onpointerdown = () => isPointer = true;
    return h("label.choice", { onpointerdown }, input, kindSymbol(value), labelOfOne(value));
  });
  return h("fieldset.field.kinds", { role: "radiogroup" }, h("legend", t("kindOf")), choices);
}
