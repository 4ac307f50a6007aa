/** A memory's texts, states and acts. */

import { actButton, askButton, proofButton } from "../../core/acts/buttons.js";
import { h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { may } from "../../core/base/session.js";
import { label, MEMORIES_API } from "../../core/names.js";
import { lineField, linesField } from "../../fields/controls/lines.js";
import { isSecret, PRIVACY_LEVELS, wholeTimeText } from "../../fields/memory_fields.js";
import { veiled } from "../../fields/shown/files.js";
import { changedText } from "../history/diff.js";

export const LIST = "/console/memories";

/**
 * Omits the original text, which never changes.
 * @param {any} memory If secret, earlier texts are hidden too.
 */
export function slicedFields(memory) {
  const sensitive = isSecret(memory);
  return [
    compared("title", t("title")),
    compared("summary", t("summary"), { sensitive }),
    compared("currentContent", t("currentWords"), { sensitive }),
    compared("time", t("when"), { text: exactTimeText, shown: wholeTimeText }),
    compared("memoryType", t("pictureKind"), { text: ({ memoryType }) => label(memoryType) }),
    compared("importance", t("importance")),
  ];
}

/** Times that differ only in their clock may be shown alike. @param {any} memory */
function exactTimeText(memory) {
  return `${wholeTimeText(memory)} ${memory.occurredAt ?? ""}`.trim();
}

/** @param {any} memory */
export function memoryComparedFields(memory) {
  return [
    ...slicedFields(memory),
    compared("privacyLevel", t("privacy"), { text: ({ privacyLevel }) => label(privacyLevel) }),
    compared("aiDraft", t("modelDraft"), { byModel: true, sensitive: isSecret(memory) }),
  ];
}

/** @type {(name: string, label: string, more?: Partial<ComparedField>) => ComparedField} */
function compared(name, label, more) {
  return { name, label, text: (state) => String(state[name] ?? ""), ...more };
}

/** @param {any} memory */
export function pageOf({ memoryId }) {
  return `${LIST}/${memoryId}`;
}

/** @param {any} memory */
export function nameOf({ redacted, title }) {
  return redacted ? t("hidden") : title;
}

/**
 * @param {any} memory
 * @param {string} end
 * @param {Pick<Act, "name" | "done"> & { body?: object }} about
 */
export function changing(memory, end, { body, ...about }) {
  return {
    ...about,
    path: `${MEMORIES_API}/${memory.memoryId}/${end}`,
    body: { ...body, expectedRevision: memory.revision },
    page: pageOf(memory),
  };
}

/**
 * Hides the text of a secret memory until requested.
 * @param {any} memory
 * @param {string} what
 * @param {() => HTMLElement} make
 */
export function guarded(memory, what, make) {
  return isSecret(memory) ? h("p", veiled(what, make)) : make();
}

/** @param {any} memory */
export function mayChange({ redacted }) {
  return may("memory.write") && !redacted;
}

/** A model's draft, kept apart until the person decides. @param {any} memory */
export function modelDraft(memory) {
  const { aiDraft, aiDraftProvider, aiDraftModel, currentContent } = memory;
  return h(
    "section.note",
    h("h2", t("modelDraft")),
    h("p.quiet.small", [aiDraftProvider, aiDraftModel].filter(Boolean).join(" · ")),
    guarded(memory, t("modelDraft"), () =>
      h(
        "div",
        h("p.words", aiDraft),
        h("details", h("summary", t("modelChanges")), changedText(currentContent, aiDraft)),
      )),
    mayChange(memory) && h("div.bar", decisions(memory)),
  );
}

/** @param {any} memory */
function decisions(memory) {
  const adopting = changing(memory, "ai-draft/adopt", { name: t("adopt"), done: t("adopted") });
  const question = { title: t("adoptQuestion"), text: t("adoptText") };
  const rejecting = changing(memory, "ai-draft/reject", { name: t("reject"), done: t("rejected") });
  const toBody = () => ({ expectedRevision: memory.revision, confirm: true });
  return [askButton({ ...adopting, ...question }, () => [], toBody), actButton(rejecting)];
}

/** The draft was written elsewhere. @param {any} memory */
export function modelDraftButton(memory) {
  const name = t("addModelDraft");
  const act = { ...changing(memory, "ai-draft", { name, done: t("kept") }), title: name };
  const fields = () => [
    lineField({ name: "provider", label: t("modelProvider"), required: true }),
    lineField({ name: "model", label: t("modelName") }),
    linesField({ name: "aiDraft", label: t("modelText"), required: true, sensitive: true }),
  ];
  return askButton(act, fields, ({ model, ...texts }) => ({
    ...texts,
    ...(model?.trim() && { model }),
    expectedRevision: memory.revision,
  }));
}

/** Raising privacy is immediate; lowering it requires the password. @param {any} memory */
export function privacyButtons(memory) {
  const { memoryId, title, privacyLevel } = memory;
  const names = { NORMAL: t("makeNormal"), PRIVATE: t("makePrivate"), SECRET: t("makeSecret") };
  const present = PRIVACY_LEVELS.indexOf(privacyLevel);
  return PRIVACY_LEVELS.map((level, index) => {
    if (index === present) return false;
    const name = names[level];
    const done = t("privacyIs", { level: label(level) });
    const act = changing(memory, "privacy", { name, done, body: { privacyLevel: level } });
    if (index > present) return actButton(act);
    const purpose = "MEMORY_PRIVACY_DOWNGRADE";
    return proofButton(act, { purpose, what: name, thing: title, targetId: memoryId });
  });
}
