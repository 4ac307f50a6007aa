/** What is compared of two states of a memory. */

import { t } from "../core/text.js";
import { label } from "../logic/labels.js";
import { wholeTimeText } from "./shown_time.js";

/** @typedef {import("./differences.js").ComparedField} ComparedField */

/**
 * What a slice keeps. The words as they were first written are not among it: they never change.
 *
 * @returns {readonly ComparedField[]}
 */
export function slicedFields() {
  return [
    plain("title", t("title")),
    plain("summary", t("summary")),
    plain("currentContent", t("currentWords")),
    { name: "time", label: t("when"), text: wholeTimeText },
    named("memoryType", t("memoryType")),
    plain("importance", t("importance")),
  ];
}

/** @returns {readonly ComparedField[]} */
export function memoryComparedFields() {
  const aiDraft = { ...plain("aiDraft", t("modelDraft")), byModel: true };
  return [...slicedFields(), named("privacyLevel", t("privacy")), aiDraft];
}

/**
 * @param {string} name
 * @param {string} title
 * @returns {ComparedField}
 */
function plain(name, title) {
  return { name, label: title, text: (state) => String(state[name] ?? "") };
}

/**
 * @param {string} name
 * @param {string} title
 * @returns {ComparedField}
 */
function named(name, title) {
  return { name, label: title, text: (state) => label(state[name]) };
}
