/** Parts of a form that are needed once something is refused. */

import { fill, h } from "../core/base/elements.js";
import { t } from "../core/base/language.js";
import { label } from "../core/names.js";
import { ask } from "../fields/controls/forms.js";
import { isReference } from "../fields/shown/values.js";
import { changedNames } from "./history/comparison.js";
import { changedText } from "./history/diff.js";
import { counted } from "../fields/shown/figures.js";
import { readableText } from "../fields/shown/times.js";

/** @param {number} count @param {() => Promise<unknown>} discard @returns {Promise<boolean>} */
export async function askDiscard(count, discard) {
  if (count === 0) {
    await discard();
    return true;
  }
  const text = counted(count, "fieldsLost");
  return await ask({ title: t("discardQuestion"), text, action: t("discardNow") }, discard);
}

/**
 * Merges two changes field by field. `taken`: changed only by them; `contested`: changed
 * differently by both, mine stay.
 * @param {Texts} base @param {Texts} mine @param {Texts} theirs
 */
export function merge(base, mine, theirs) {
  /** @type {Record<string, string>} */
  const texts = {};
  const taken = [];
  const contested = [];
  for (const name of new Set([base, mine, theirs].flatMap(Object.keys))) {
    const [before, here, there] = [base, mine, theirs].map((side) => side[name] ?? "");
    const isTaken = here === before && there !== before;
    if (isTaken) taken.push(name);
    else if (here !== before && there !== before && here !== there) contested.push(name);
    texts[name] = (isTaken ? there : here) ?? "";
  }
  return { texts, taken, contested };
}

/**
 * The identifiers in a field's text; several are JSON.
 * @param {string} name @param {string} text
 */
function valuesOf(name, text) {
  if (text === "") return [];
  return /(Ids|Refs)$/.test(name) ? JSON.parse(text) : text;
}

/** A field that both have changed, with both texts. @param {Field} field @param {string} other */
function conflictChoice(field, other) {
  const mine = field.text();
  const part = h("div");
  const settle = (/** @type {string} */ text) => {
    field.setText(text);
    field.element.dispatchEvent(new Event("input", { bubbles: true }));
    part.remove();
    field.focus();
  };
  const button = (/** @type {string} */ name, /** @type {string} */ text) =>
    h(
      "button",
      { "aria-label": `${name}: ${label(field.name)}`, onclick: () => settle(text) },
      name,
    );
  const [earlier = "", later = ""] = [other, mine].map((text) =>
    field.row.choices?.find(({ value }) => value === text)?.label ?? readableText(text)
  );
  // Two times on different clocks may have the same text.
  const texts = earlier === later ? [other, mine] : [earlier, later];
  const words = isReference({ name: field.name, edit: "text" })
    ? changedNames(field.name, valuesOf(field.name, other), valuesOf(field.name, mine))
    : changedText(texts[0] ?? "", texts[1] ?? "");
  const buttons = h("div.bar", button(t("keepMine"), mine), button(t("useTheirs"), other));
  fill(part, h("h3", label(field.name)), words, buttons);
  return part;
}

/**
 * The record was changed elsewhere: nothing is sent until the person has seen it.
 * @param {ConflictParts} conflict
 */
export function conflictNotice({ fields, theirs, taken, contested }) {
  const names = taken.map(label).join(", ");
  const open = fields.filter(({ name }) => contested.includes(name));
  return h(
    "section.summary",
    { role: "alert", tabindex: -1 },
    h("h2", t("changedElsewhere")),
    taken.length > 0 && h("p", t("mergedFields", { names })),
    contested.length > 0 && h("p", t("conflictingFields")),
    open.map((field) => conflictChoice(field, theirs[field.name] ?? "")),
    h("p", t("mergeHint")),
  );
}
