/** A model's draft, kept apart until the person decides. */

import { actButton, askButton } from "../../core/acts.js";
import { h, t } from "../../core/base.js";
import { changedText } from "../../fields/differences.js";
import { lineField, linesField } from "../../fields/controls.js";
import { changing, guarded, mayChange } from "./head.js";

/** @param {Session} session @param {any} memory */
export function modelDraft(session, memory) {
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
    mayChange(session, memory) && h("div.bar", decisions(session, memory)),
  );
}

/** @param {Session} session @param {any} memory */
function decisions(session, memory) {
  const adopting = changing(memory, "ai-draft/adopt", { name: t("adopt"), done: t("adopted") });
  const question = { title: t("adoptQuestion"), text: t("adoptText") };
  const rejecting = changing(memory, "ai-draft/reject", { name: t("reject"), done: t("rejected") });
  const toBody = () => ({ expectedRevision: memory.revision, confirm: true });
  return [
    askButton(session, { ...adopting, ...question }, () => [], toBody),
    actButton(session, rejecting),
  ];
}

/** The draft was written elsewhere. @param {Session} session @param {any} memory */
export function modelDraftButton(session, memory) {
  const name = t("addModelDraft");
  const act = { ...changing(memory, "ai-draft", { name, done: t("kept") }), title: name };
  const fields = () => [
    lineField({ name: "provider", label: t("modelProvider"), required: true }),
    lineField({ name: "model", label: t("modelName") }),
    linesField({ name: "aiDraft", label: t("modelText"), required: true, sensitive: true }),
  ];
  return askButton(session, act, fields, ({ model, ...texts }) => ({
    ...texts,
    ...(model?.trim() && { model }),
    expectedRevision: memory.revision,
  }));
}
