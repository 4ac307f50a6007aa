/** The draft is stored by the service, for every device. */

import { announce, ApiError, h, send, t, thisVisit, timeText, visit } from "../../core/base.js";
import { notFound, readModule } from "../../core/names.js";
import { discardDraft, findDraft, TEXTS } from "../drafts.js";
import { MemoryDraftEditor } from "../../core/memory_draft_editor.js";
import { withSession } from "../../core/acts.js";
import { form } from "../../fields/controls.js";
import { memoryFields } from "../../fields/memory_fields.js";
import { saving } from "../../fields/saving.js";
import { askDiscard, conflictNotice } from "../form_parts.js";
import { titled } from "./head.js";

const LIST = "/console/memories";

/** @type {Page} */
export default async function memoryForm({ params: { id }, query, session }) {
  const isNew = id === undefined;
  const [module, memory, draft] = await Promise.all([
    readModule("memory"),
    isNew ? null : send("GET", `${TEXTS}/${id}`).then(({ data }) => data),
    findDraft(query.get("draft"), id),
  ]);
  if (module === null || (draft !== null && draft.memoryId !== (id ?? null))) {
    return notFound();
  }
  if (memory?.redacted || draft?.redacted) {
    return { title: t("hidden"), body: [h("p", t("hiddenText"))] };
  }
  if (draft?.state === "COMMITTED") return keptElsewhere(draft.committedMemoryId);

  const here = thisVisit();
  const editor = new MemoryDraftEditor(id, memoryFields(module, isNew), {
    privacyLevel: "PRIVATE",
  });
  const back = isNew ? LIST : `${LIST}/${id}`;
  const showMerged = (/** @type {Merged} */ merged) => {
    element.querySelector("section")?.remove();
    const notice = conflictNotice({ fields: editor.fields, ...merged });
    element.prepend(notice);
    notice.focus();
  };
  // Keep the text if the draft ended elsewhere.
  const continueInNewDraft = (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError && error.code === "MEMORY_STATE_CONFLICT")) throw error;
    editor.startNewDraft();
    announce(t("draftEnded"));
    autosave.soon();
    return null;
  };
  const autosave = saving(session.account.email, () => editor.isUnsaved, async () => {
    const merged = await editor.save().catch(continueInNewDraft);
    // The address finds the draft again, on other devices too.
    const isShown = !here.aborted && element.isConnected && editor.draftId !== "";
    if (isShown) history.replaceState(history.state, "", `?draft=${editor.draftId}`);
    if (merged !== null) showMerged(merged);
  });
  const submit = async () => {
    const made = await autosave.instead(async () => {
      const made = await withSession(
        session.account.email,
        () => commit(editor).catch(continueInNewDraft),
      );
      if (made !== null && typeof made !== "string") showMerged(made);
      return typeof made === "string" ? made : null;
    });
    if (made === null) return;
    announce(t("kept"));
    await visit(`${LIST}/${made}`, here);
  };
  const discard = async () => {
    const drop = () => withSession(session.account.email, () => discardDraft(editor.draftId));
    const isDiscarded = await askDiscard(editor.changeCount, () => autosave.instead(drop));
    if (isDiscarded) await visit(back);
  };
  const element = form(editor.fields, t("keep"), submit, {
    before: [autosave.element],
    shown: isNew ? 6 : 5,
    beside: [h("button.plain", { onclick: discard }, t("discard"))],
  });
  const merged = await editor.open(memory, draft);
  if (merged !== null) showMerged(merged);
  if (draft?.state === "DISCARDED") editor.startNewDraft();
  const capture = isNew && draft === null ? query.get("capture") : null;
  if (capture !== null) {
    const { textsFromCapture } = await import("../capture_box.js");
    const texts = await textsFromCapture("memory", capture);
    for (const field of editor.fields) field.setText(texts[field.name] ?? field.text());
  }
  element.addEventListener("input", autosave.soon);
  return {
    ...isNew ? { title: t("newMemory") } : titled(memory, t("editOf", { name: memory.title })),
    body: [
      draft !== null &&
      h("p.note", t("draftFound", { time: timeText(draft.updatedAt) })),
      element,
    ],
  };
}

/** @param {MemoryDraftEditor} editor */
async function commit(editor) {
  try {
    return await editor.commit();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "REVISION_CONFLICT")) throw error;
    const merged = await editor.mergeRemote();
    if (merged === null) throw error;
    return merged;
  }
}

/** @param {string} memoryId */
function keptElsewhere(memoryId) {
  const link = h("a", { href: `${LIST}/${memoryId}` }, t("openMemory"));
  return { title: t("drafts"), body: [h("p", t("draftCommitted")), h("p", link)] };
}
