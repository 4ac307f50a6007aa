/** A form of something new, or of a change. Every keystroke is kept as a draft until the service has it. */

import { announce } from "../core/announce.js";
import { ApiError } from "../core/api.js";
import { h } from "../core/dom.js";
import { delayed } from "../core/delayed.js";
import { isOfDraft } from "../core/drafts.js";
import { withSession } from "../core/sign_in_again.js";
import { t, timeText } from "../core/text.js";
import { watchWords } from "../core/unkept.js";
import { thisVisit, visit } from "../core/visit.js";
import { Writing } from "../core/writing.js";
import { form } from "../fields/form.js";
import { askDiscard } from "./ask_discard.js";
import { conflictNotice } from "./conflict.js";
import { unsentNote } from "./unsent_note.js";

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

  const submit = async () => {
    const here = thisVisit();
    draft.now();
    if (underWay !== undefined) announce(underWay);
    try {
      const id = await withSession(session.account.email, () => writing.send());
      if (id !== null) return await finish(id, here);
      if (here.aborted) announce(t("notSentYet"));
      else note.show(writing.draft.sent ?? "");
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "REVISION_CONFLICT")) throw error;
      if (here.aborted) return announce(t("changedElsewhere"));
      const found = await writing.takeOther();
      element.querySelector("section")?.remove();
      const notice = conflictNotice({ fields: writing.fields, ...found });
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
