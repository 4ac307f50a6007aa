/** One field for ways to reach a person, and a dialog for each other kind of detail. */

import { askButton } from "../../core/act.js";
import { announceChange } from "../../core/changes.js";
import { announce } from "../../core/dom.js";
import { notLoaded } from "../../core/not_loaded.js";
import { repeatable } from "../../core/repeatable.js";
import { withSession } from "../../core/sign_in_again.js";
import { t } from "../../core/text.js";
import { watchFields } from "../../core/unsaved_forms.js";
import { thisVisit, visit } from "../../core/visit.js";
import { form } from "../../fields/form.js";
import { lineField } from "../../fields/text.js";
import { guessDetail } from "../../logic/detail_texts.js";

/** @typedef {import("../../core/session.js").Session} Session */
/** @typedef {{ page: string, api: string }} Paths */

const PRIVACY = { privacy: "PRIVATE" };

/**
 * Accepts a phone number, an email or an address, then Enter.
 *
 * @param {Session} session
 * @param {Paths} paths
 */
export function reachBox(session, { page, api }) {
  const field = lineField({
    name: "value",
    label: t("addReach"),
    hint: t("addReachHint"),
    required: true,
    sensitive: true,
    words: true,
  });
  const isSent = watchFields([field]);
  const sendDetail = repeatable();
  const element = form([field], t("add"), async () => {
    const here = thisVisit();
    const path = `${api}/details`;
    const body = { ...guessDetail(field.text()), ...PRIVACY };
    await withSession(session.account.email, () => sendDetail("POST", path, { body }));
    isSent();
    announceChange(path);
    announce(t("kept"));
    await visit(page, here);
  });
  element.classList.add("one-line");
  return element;
}

/** Each with the kind of detail that it adds. */
const DIALOGS = /** @type {const} */ ({
  waysToReach: [{ title: "addAddress", kind: "ADDRESS" }],
  dates: [{ title: "addDate", kind: "DATE" }],
  relations: [{ title: "addRelation", kind: "LINK" }],
  namesAndWork: [{ title: "addName", kind: "NAME" }, { title: "addWork", kind: "ORGANIZATION" }],
});

/**
 * @param {Session} session
 * @param {keyof typeof DIALOGS} section
 * @param {Paths} paths
 */
export function addButtons(session, section, { page, api }) {
  return DIALOGS[section].map(({ title, kind }) =>
    askButton(
      session,
      { path: `${api}/details`, name: t(title), title: t(title), done: t("kept"), page },
      async () => {
        const { fieldsOf } = await import("./detail_fields.js").catch(notLoaded);
        return await fieldsOf(kind, api);
      },
      (texts) => ({ kind, value: stated(texts), ...PRIVACY }),
    )
  );
}

/**
 * Without empty texts.
 *
 * @param {Readonly<Record<string, string>>} texts
 */
function stated(texts) {
  const trimmed = Object.entries(texts).map(([name, text]) => [name, text.trim()]);
  return Object.fromEntries(trimmed.filter(([, text]) => text !== ""));
}
