/** What a model wrote of a memory: set apart from the person's words until the person decides. */

import { newKey, send } from "../core/api.js";
import { announce } from "../core/announce.js";
import { h } from "../core/dom.js";
import { TEXTS } from "../core/memory_drafts.js";
import { withSession } from "../core/sign_in_again.js";
import { t } from "../core/text.js";
import { visit } from "../core/visit.js";
import { changedText } from "../fields/changed_text.js";
import { form } from "../fields/form.js";
import { lineField, linesField } from "../fields/text.js";
import { changing, mayChange } from "./memory_head.js";

/** @typedef {import("../core/session.js").Session} Session */

/**
 * @param {Session} session
 * @param {any} memory
 */
export function modelDraft(session, memory) {
  const { aiDraft, aiDraftProvider, aiDraftModel, currentContent } = memory;
  return h(
    "section",
    { class: "note" },
    h("h2", {}, t("modelDraft")),
    h("p", { class: "quiet small" }, [aiDraftProvider, aiDraftModel].filter(Boolean).join(" · ")),
    h("p", { class: "words" }, aiDraft),
    h(
      "details",
      {},
      h("summary", {}, t("modelChanges")),
      changedText(currentContent, aiDraft),
    ),
    mayChange(session, memory) && decision(session, memory),
  );
}

/**
 * @param {Session} session
 * @param {any} memory
 */
function decision(session, memory) {
  const adopt = changing(session, memory, "ai-draft/adopt", {
    ...{ done: t("adopted"), body: { confirm: true } },
  });
  const reject = changing(session, memory, "ai-draft/reject", { done: t("rejected") });
  const button = h("button", { type: "button", disabled: true, onclick: adopt }, t("adopt"));
  const read = h("input", { type: "checkbox" });
  read.addEventListener("change", () => button.disabled = !read.checked);
  return [
    h("label", { class: "choice" }, read, t("adoptConfirm")),
    h(
      "div",
      { class: "bar" },
      button,
      h("button", { type: "button", onclick: reject }, t("reject")),
    ),
  ];
}

/**
 * A form for what a model wrote elsewhere.
 *
 * @param {Session} session
 * @param {any} memory
 */
export function addModelDraft(session, { memoryId, revision }) {
  const provider = lineField({ name: "provider", label: t("modelProvider"), required: true });
  const model = lineField({ name: "model", label: t("modelName") });
  const text = linesField({ name: "aiDraft", label: t("modelText"), required: true });
  const key = newKey();
  const submit = async () => {
    const body = {
      ...{ expectedRevision: revision, provider: provider.text(), aiDraft: text.text() },
      ...(model.text().trim() !== "" && { model: model.text() }),
    };
    await withSession(
      session.account.email,
      () => send("POST", `${TEXTS}/${memoryId}/ai-draft`, { body, key }),
    );
    announce(t("kept"));
    await visit(`/console/memories/${memoryId}`);
  };
  return h(
    "details",
    {},
    h("summary", {}, t("addModelDraft")),
    form([provider, model, text], t("keep"), submit),
  );
}
