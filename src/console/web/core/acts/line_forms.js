/** Forms of one line, and secrets that are shown once. */

import { form } from "../../fields/controls/forms.js";
import { DAY_MS } from "../../logic/local_time.js";
import { announce, fill, h } from "../base/elements.js";
import { t } from "../base/language.js";
import { send } from "../base/sender.js";
import { thisVisit, visit } from "../base/visits.js";
import { withProof, withSession } from "./password.js";
import { watchFields } from "./unsaved.js";

/**
 * A form of one line. The page is drawn again once it is sent; after Enter the focus stays in the
 * field.
 * @param {Field} field
 * @param {string} action
 * @param {() => Promise<unknown>} work
 */
export function lineForm(field, action, work) {
  const isSent = watchFields([field]);
  const element = form([field], action, async () => {
    const [here, page] = [thisVisit(), location.pathname];
    await withSession(work);
    isSent();
    announce(t("kept"));
    const isTyping = field.element.contains(document.activeElement);
    await visit(page, here);
    const again = document.querySelector(`.one-line [name="${field.name}"]`);
    if (isTyping && again instanceof HTMLElement) again.focus();
  });
  element.classList.add("one-line");
  return element;
}

/**
 * A form of one line with its label as placeholder. Its button is shown with the first letter.
 * @type {typeof lineForm}
 */
export function quietForm(field, action, work) {
  const element = lineForm(field, action, work);
  const control = element.querySelector("input, textarea");
  control?.setAttribute("placeholder", field.row.label);
  element.classList.add("quiet-line");
  return element;
}

/** @param {NewCredential} credential `bodyOf` returns null after it has refused a field. */
export function credentialForm({ what, path, fields, before = [], bodyOf, shown }) {
  const place = h("div");
  const submit = async () => {
    const body = bodyOf();
    if (body === null) return;
    /** @type {ProvenAct} */
    const act = { purpose: "TOKEN_CREATE", what, thing: body.name };
    const made = await withProof(act, (proof) => send("POST", path, { body, proof }));
    if (made !== null) showOnce(place, shown(made.data));
  };
  fill(place, form(fields, what, submit, { before }));
  return { title: what, body: [place] };
}

/** @param {string} days */
export function timeAfter(days) {
  return new Date(Date.now() + Number(days) * DAY_MS).toISOString();
}

/** Missing on insecure origins. @param {string} text @param {string} [look] */
export function copyButton(text, look) {
  const onclick = async () => {
    await navigator.clipboard.writeText(text);
    announce(t("copied"));
  };
  return navigator.clipboard !== undefined && h("button", { class: look, onclick }, t("copy"));
}

/** @param {HTMLElement} place @param {ShownOnce} shown */
export function showOnce(place, { text, secrets = [], parts, stored, page }) {
  const block = h(
    "div.note",
    { tabindex: -1 },
    h("p", text),
    parts ?? h("ul.lines.exact", { translate: "no" }, secrets.map((secret) => h("li", secret))),
    h(
      "div.bar",
      h("button.main", { onclick: () => visit(page) }, stored),
      secrets.length > 0 && copyButton(secrets.join("\n")),
    ),
  );
  fill(place, block);
  block.focus();
}
