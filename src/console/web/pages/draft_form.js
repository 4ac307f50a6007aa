/** A form whose every keystroke is stored as a draft until the service has it. */

import { ApiError } from "../core/api.js";
import { announce, h } from "../core/dom.js";
import { DraftEditor } from "../core/draft_editor.js";
import { delayed, isOfDraft } from "../core/drafts.js";
import { notLoaded } from "../core/not_loaded.js";
import { t, timeText } from "../core/text.js";
import { watchForm } from "../core/unsaved_forms.js";
import { thisVisit, visit } from "../core/visit.js";
import { form } from "../fields/form.js";
import { outboxStatus } from "./outbox_status.js";

/** Loaded after the form is shown, because it may be needed without a connection. */
const parts = () => import("./form_parts.js").catch(notLoaded);

/**
 * @param {import("../core/session.js").Session} session
 * @param {import("../core/draft_editor.js").Editable} editable
 * @param {{
 *   page: string,
 *   kept: (id: string) => string,
 *   left: string,
 *   name: (stored: any) => string,
 *   about?: string,
 *   underWay?: string,
 * }} places The paths of the form, and of the pages after saving and discarding; the object's name. `about`
 *   is above the form; `underWay` is shown while it is sent.
 * @returns {Promise<import("../pages.js").Content>}
 */
export async function draftForm(session, editable, places) {
  const { page, kept, left, name, about, underWay } = places;
  const editor = new DraftEditor(editable, page);
  await editor.open();
  const note = outboxStatus((data) => finish(data && editable.idOf(data), thisVisit()));
  await note.find(editor.draft.sent);
  const draft = delayed(() => editor.keep());
  watchForm({
    isUnsaved: () => draft.isDue() || !editor.isKept,
    save: draft.now,
    cancel: draft.cancel,
  });

  const mergeRemote = async () => {
    const [{ conflictNotice }, found] = await Promise.all([parts(), editor.mergeRemote()]);
    element.querySelector("section")?.remove();
    const differs = found.taken.length + found.contested.length > 0;
    return { differs, notice: conflictNotice({ fields: editor.fields, ...found }) };
  };
  let isSending = false;
  /** @type {Promise<boolean> | null} A running merge; resolves to whether there are differences. */
  let merging = null;
  const submit = async () => {
    isSending = true;
    await sendIt().catch(explain).finally(() => isSending = false);
  };
  const explain = async (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError)) throw error;
    const { explained } = await parts();
    const said = await explained(error.details, editor.fields);
    throw new ApiError(error.code, { ...error, details: { ...error.details, parts: said } });
  };
  const sendIt = async () => {
    const here = thisVisit();
    draft.now();
    // Show another tab's change before sending.
    if (await merging) return element.querySelector("section")?.focus();
    if (underWay !== undefined) announce(underWay);
    try {
      const { withSession } = await parts();
      const id = await withSession(session.account.email, () => editor.send());
      if (id !== null) return await finish(id, here);
      if (here.aborted) announce(t("notSentYet"));
      else await note.show(editor.draft.sent ?? "");
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "REVISION_CONFLICT")) throw error;
      if (here.aborted) return announce(t("changedElsewhere"));
      const { notice } = await mergeRemote();
      element.prepend(notice);
      notice.focus();
    }
  };
  const finish = async (/** @type {string | null} */ id, /** @type {AbortSignal} */ here) => {
    editor.end();
    announce(t("kept"));
    await visit(id === null ? left : kept(id), here);
  };
  const discard = async () => {
    draft.now();
    const count = Object.keys(editor.draft.texts).length;
    const { askDiscard } = await parts();
    if (await askDiscard(count, () => editor.discard())) await visit(left);
  };
  const beside = [h("button", { type: "button", class: "plain", onclick: discard }, t("discard"))];
  const { fields, shown: count } = editor;
  const element = form(fields, t("keep"), submit, { beside, shown: count });
  element.addEventListener("input", () => {
    note.dequeue();
    draft.soon();
  });

  // Other tabs follow the one that is typed in.
  const follow = (/** @type {StorageEvent} */ event) => {
    if (draft.isDue() || !isOfDraft(event, page)) return;
    editor.reload();
    void note.find(editor.draft.sent);
  };
  addEventListener("storage", follow, { signal: thisVisit() });

  // If another tab's change cannot be read now, the conflict shows it.
  const onRemoteChange = () => {
    if (isSending || merging !== null || element.querySelector("section") !== null) return;
    merging = showRemoteChange().finally(() => merging = null);
  };
  const showRemoteChange = async () => {
    draft.now();
    try {
      const { notice, differs } = await mergeRemote();
      if (differs) element.prepend(notice);
      return differs;
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      return false;
    }
  };
  const shown = thisVisit();
  const listen = async () => {
    const { onChange } = await parts();
    if (editable.one !== null) onChange(editable.one, onRemoteChange, shown);
  };
  setTimeout(() => void listen().catch(() => {}));

  const { at } = editor.draft;
  return {
    title: t(editor.isNew ? "newOf" : "editOf", { name: name(editor.stored) }),
    body: [
      about !== undefined && h("p", {}, about),
      at > 0 && h("p", { class: "note" }, t("draftFound", { time: timeText(at) })),
      note.element,
      element,
    ],
  };
}
