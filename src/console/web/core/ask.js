/** A question before something is done: a dialog that stays until the service has done it. */

import { h } from "./dom.js";
import { t } from "./text.js";
import { form } from "../fields/form.js";

let count = 0;

/**
 * @param {{
 *   title: string,
 *   text?: string,
 *   action: string,
 *   fields?: readonly import("../fields/field.js").Field[],
 * }} question `action` is what its button says; `fields` are what else it asks.
 * @param {() => Promise<unknown>} work What the person agrees to. What it is refused for is said in the
 * dialog.
 * @returns {Promise<boolean>} whether it was done.
 */
export function ask({ title, text, action, fields = [] }, work) {
  const { promise, resolve } = Promise.withResolvers();
  let isDone = false;
  const submit = async () => {
    await work();
    isDone = true;
    dialog.close();
  };
  const closed = () => {
    dialog.remove();
    resolve(isDone);
  };
  const cancel = h("button", { type: "button", onclick: () => dialog.close() }, t("cancel"));
  const id = `question-${++count}`;
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { "aria-labelledby": id, onclose: closed },
    h("h2", { id }, title),
    text !== undefined && h("p", {}, text),
    form(fields, action, submit, { beside: [cancel] }),
  );
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}
