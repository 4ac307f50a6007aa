/** A new record, or a change of one. Every keystroke is kept as a draft until the service has it. */

import { announce } from "../core/announce.js";
import { ApiError } from "../core/api.js";
import { readModule } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { RecordWriting } from "../core/record_writing.js";
import { withSession } from "../core/sign_in_again.js";
import { t, timeText } from "../core/text.js";
import { visit } from "../core/visit.js";
import { form } from "../fields/form.js";
import { label } from "../logic/labels.js";
import { conflictNotice } from "./conflict.js";

const DRAFT_DELAY_MS = 300;

/** @type {import("../pages.js").Page} */
export default async function recordForm({ params, session }) {
  const module = await readModule(params.module);
  if (module === null || module.entry !== "GENERIC") {
    return { title: t("notFound"), body: [h("p", {}, t("notFoundText"))] };
  }
  const list = `/console/records/${module.code}`;
  const path = params.id === undefined ? `${list}/new` : `${list}/${params.id}/edit`;
  const writing = new RecordWriting(module, params.id, path);
  await writing.open();
  let timer = 0;

  const submit = async () => {
    clearTimeout(timer);
    writing.keep();
    try {
      const id = await withSession(session.account.email, () => writing.send());
      writing.drop();
      announce(t("kept"));
      await visit(`${list}/${id}`);
    } catch (error) {
      if (!(error instanceof ApiError && error.code === "REVISION_CONFLICT")) throw error;
      const found = await writing.takeOther();
      element.querySelector("section")?.remove();
      const notice = conflictNotice({ fields: writing.fields, ...found });
      element.prepend(notice);
      notice.focus();
    }
  };
  const discard = async () => {
    clearTimeout(timer);
    writing.drop();
    await visit(params.id === undefined ? list : `${list}/${params.id}`);
  };
  const beside = [h("button", { type: "button", class: "plain", onclick: discard }, t("discard"))];
  const element = form(writing.fields, t("keep"), submit, { beside });
  element.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => writing.keep(), DRAFT_DELAY_MS);
  });

  const { at } = writing.draft;
  const name = writing.isNew ? label(module.code) : writing.stored.title;
  return {
    title: t(writing.isNew ? "newOf" : "editOf", { name }),
    body: [at > 0 && h("p", { class: "note" }, t("draftFound", { time: timeText(at) })), element],
  };
}
