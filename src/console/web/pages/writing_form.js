/** A form of something new, or of a change. Every keystroke is kept as a draft until the service has it. */

import { ApiError } from "../core/api.js";
import { announce, h } from "../core/dom.js";
import { delayed, isOfDraft } from "../core/drafts.js";
import { notLoaded } from "../core/not_loaded.js";
import { t, timeText } from "../core/text.js";
import { watchWords } from "../core/unkept.js";
import { thisVisit, visit } from "../core/visit.js";
import { Writing } from "../core/writing.js";
import { form } from "../fields/form.js";
import { unsentNote } from "./unsent_note.js";

/** Loaded when the form is there: none of it is needed before, and all of it without a connection. */
const parts = () => import("./form_parts.js").catch(notLoaded);

/**
 * @param {import("../core/session.js").Session} session
 * @param {import("../core/writing.js").Written} written
 * @param {{
 *   page: string,
 *   kept: (id: string) => string,
 *   left: string,
 *   name: (stored: any) => string,
 *   about?: string,
 *   underWay?: string,
 * }} places The form's own page, the pages that follow it once it is kept or discarded, and the name of
 * what is written. `about` stands above the form; `underWay` is said while the service works.
 * @returns {Promise<import("../pages.js").Content>}
 */
export async function writingForm(session, written, places) {
  const { page, kept, left, name, about, underWay } = places;
  const writing = new Writing(written, page);
  await writing.open();
  const note = unsentNote((data) => finish(data && written.idOf(data), thisVisit()));
  await note.find(writing.draft.sent);
  const draft = delayed(() => writing.keep());
  watchWords({
    isUnkept: () => draft.isDue() || !writing.isKept,
    keep: draft.now,
    forget: draft.cancel,
  });

  const seeOther = async () => {
    const [{ conflictNotice }, found] = await Promise.all([parts(), writing.takeOther()]);
    element.querySelector("section")?.remove();
    const differs = found.taken.length + found.contested.length > 0;
    return { differs, notice: conflictNotice({ fields: writing.fields, ...found }) };
  };
  let isSending = false;
  /** @type {Promise<boolean> | null} Whether a change that another tab made differs, while that is read. */
  let hearing = null;
  const submit = async () => {
    isSending = true;
    await sendIt().catch(explain).finally(() => isSending = false);
  };
  const explain = async (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError)) throw error;
    const { explained } = await parts();
    const said = await explained(error.details, writing.fields);
    throw new ApiError(error.code, { ...error, details: { ...error.details, parts: said } });
  };
  const sendIt = async () => {
    const here = thisVisit();
    draft.now();
    // What is put together meanwhile is seen before it is sent.
    if (await hearing) return element.querySelector("section")?.focus();
    if (underWay !== undefined) announce(underWay);
    try {
      const { withSession } = await parts();
      const id = await withSession(session.account.email, () => writing.send());
      if (id !== null) return await finish(id, here);
      if (here.aborted) announce(t("notSentYet"));
      else await note.show(writing.draft.sent ?? "");
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "REVISION_CONFLICT")) throw error;
      if (here.aborted) return announce(t("changedElsewhere"));
      const { notice } = await seeOther();
      element.prepend(notice);
      notice.focus();
    }
  };
  const finish = async (/** @type {string | null} */ id, /** @type {AbortSignal} */ here) => {
    writing.end();
    announce(t("kept"));
    await visit(id === null ? left : kept(id), here);
  };
  const discard = async () => {
    draft.now();
    const count = Object.keys(writing.draft.texts).length;
    const { askDiscard } = await parts();
    if (await askDiscard(count, () => writing.discard())) await visit(left);
  };
  const beside = [h("button", { type: "button", class: "plain", onclick: discard }, t("discard"))];
  const element = form(writing.fields, t("keep"), submit, { beside });
  element.addEventListener("input", () => {
    note.takeBack();
    draft.soon();
  });

  // One person writes in one tab at a time: the others follow, and overwrite nothing.
  const follow = (/** @type {StorageEvent} */ event) => {
    if (draft.isDue() || !isOfDraft(event, page)) return;
    writing.goOn();
    void note.find(writing.draft.sent);
  };
  addEventListener("storage", follow, { signal: thisVisit() });

  // What another tab has changed is seen before this is sent; what cannot be read now is seen then.
  const hear = () => {
    if (isSending || hearing !== null || element.querySelector("section") !== null) return;
    hearing = seeChange().finally(() => hearing = null);
  };
  const seeChange = async () => {
    draft.now();
    try {
      const { notice, differs } = await seeOther();
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
    if (written.one !== null) onChange(written.one, hear, shown);
  };
  setTimeout(() => void listen().catch(() => {}));

  const { at } = writing.draft;
  return {
    title: t(writing.isNew ? "newOf" : "editOf", { name: name(writing.stored) }),
    body: [
      about !== undefined && h("p", {}, about),
      at > 0 && h("p", { class: "note" }, t("draftFound", { time: timeText(at) })),
      note.element,
      element,
    ],
  };
}
