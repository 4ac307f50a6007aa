/** A form of something new, or of a change. Every keystroke is kept as a draft until the service has it. */

import { announce } from "../core/announce.js";
import { ApiError } from "../core/api.js";
import { h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { t, timeText } from "../core/text.js";
import { visit } from "../core/visit.js";
import { Writing } from "../core/writing.js";
import { form } from "../fields/form.js";
import { conflictNotice } from "./conflict.js";
import { unsentNote } from "./unsent_note.js";

const DRAFT_DELAY_MS = 300;

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
  const note = unsentNote((data) => finish(data && written.idOf(data)));
  await note.find(writing.draft.key);
  let timer = 0;

  const submit = async () => {
    clearTimeout(timer);
    writing.keep();
    if (underWay !== undefined) announce(underWay);
    try {
      const id = await withSession(session.account.email, () => writing.send());
      if (id === null) return note.show(writing.draft.key);
      await writing.drop();
      await finish(id);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "REVISION_CONFLICT")) throw error;
      const found = await writing.takeOther();
      element.querySelector("section")?.remove();
      const notice = conflictNotice({ fields: writing.fields, ...found });
      element.prepend(notice);
      notice.focus();
    }
  };
  const finish = async (/** @type {string | null} */ id) => {
    announce(t("kept"));
    await visit(id === null ? left : kept(id));
  };
  const discard = async () => {
    clearTimeout(timer);
    await writing.drop();
    await visit(left);
  };
  const beside = [h("button", { type: "button", class: "plain", onclick: discard }, t("discard"))];
  const element = form(writing.fields, t("keep"), submit, { beside });
  element.addEventListener("input", () => {
    note.takeBack();
    clearTimeout(timer);
    timer = setTimeout(() => writing.keep(), DRAFT_DELAY_MS);
  });

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
