/** What is compared of two states of a memory. */

import { t } from "../core/text.js";
import { label } from "../logic/labels.js";
import { wholeTimeText } from "./shown_time.js";

/** @typedef {import("./differences.js").ComparedField} ComparedField */

/**
 * What a slice keeps. The words as they were first written are not among it: they never change.
 *
 * @param {any} memory As it is now: where it is secret, its former words are veiled as well.
 * @returns {readonly ComparedField[]}
 */
export function slicedFields({ privacyLevel }) {
  const sensitive = privacyLevel === "SECRET";
  return [
    plain("title", t("title")),
    { ...plain("summary", t("summary")), sensitive },
    { ...plain("currentContent", t("currentWords")), sensitive },
    { name: "time", label: t("when"), text: wholeTimeText },
    named("memoryType", t("memoryType")),
    plain("importance", t("importance")),
  ];
}

/**
 * @param {any} memory As it is now.
 * @returns {readonly ComparedField[]}
 */
export function memoryComparedFields(memory) {
  const sensitive = memory.privacyLevel === "SECRET";
  const aiDraft = { ...plain("aiDraft", t("modelDraft")), byModel: true, sensitive };
  return [...slicedFields(memory), named("privacyLevel", t("privacy")), aiDraft];
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
