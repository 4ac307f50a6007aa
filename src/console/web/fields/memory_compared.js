import { t } from "../core/base.js";
import { label } from "../core/names.js";
import { wholeTimeText } from "./memory_fields.js";

/**
 * Omits the original text, which never changes.
 * @param {any} memory If secret, earlier texts are hidden too.
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

/** @type {(memory: any) => readonly ComparedField[]} */
export function memoryComparedFields(memory) {
  const sensitive = memory.privacyLevel === "SECRET";
  const aiDraft = { ...plain("aiDraft", t("modelDraft")), byModel: true, sensitive };
  return [...slicedFields(memory), named("privacyLevel", t("privacy")), aiDraft];
}

/** @type {(name: string, title: string) => ComparedField} */
function plain(name, title) {
  return { name, label: title, text: (state) => String(state[name] ?? "") };
}

/** @type {(name: string, title: string) => ComparedField} */
function named(name, title) {
  return { name, label: title, text: (state) => label(state[name]) };
}
