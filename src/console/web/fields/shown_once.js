/** A secret shown once: it disappears with the page. */

import { announce, fill, h, send, t } from "../core/base.js";
import { withProof } from "../core/acts.js";
import { form } from "./controls.js";

/**
 * The page of a new credential, which the password confirms.
 * @param {Session} session
 * @param {{
 *   what: string,
 *   path: string,
 *   fields: readonly Field[],
 *   before?: readonly Element[],
 *   bodyOf: () => { name: string } | null,
 *   shown: (made: any) => ShownOnce,
 * }} credential `bodyOf` returns null after it has refused a field.
 */
export function credentialForm(session, { what, path, fields, before = [], bodyOf, shown }) {
  const place = h("div");
  const submit = async () => {
    const body = bodyOf();
    if (body === null) return;
    const act = { purpose: /** @type {const} */ ("TOKEN_CREATE"), what, thing: body.name };
    const made = await withProof(session, act, (proof) => send("POST", path, { body, proof }));
    if (made !== null) showOnce(place, shown(made.data));
  };
  fill(place, form(fields, what, submit, { before }));
  return { title: what, body: [place] };
}

/** The time after some days. @param {string} days */
export function timeAfter(days) {
  return new Date(Date.now() + Number(days) * 86_400_000).toISOString();
}

/** @param {HTMLElement} place @param {ShownOnce} shown */
export function showOnce(place, { text, secrets, stored, done }) {
  const copy = async () => {
    await navigator.clipboard.writeText(secrets.join("\n"));
    announce(t("copied"));
  };
  const block = h(
    "div.note",
    { tabindex: -1 },
    h("p", text),
    h("ul.lines.exact", { translate: "no" }, secrets.map((secret) => h("li", secret))),
    h(
      "div.bar",
      h("button.main", { onclick: done }, stored),
      // Missing on insecure origins.
      navigator.clipboard !== undefined &&
        h("button", { onclick: copy }, t("copy")),
    ),
  );
  fill(place, block);
  block.focus();
}
