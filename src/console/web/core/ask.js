/** A question before something is done: a dialog that stays until the service has done it. */

import { ApiError } from "./api.js";
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
 * @throws {ApiError} a conflict (409): what was asked is of a state that is gone.
 */
export function ask({ title, text, action, fields = [] }, work) {
  const { promise, resolve, reject } = Promise.withResolvers();
  const submit = async () => {
    try {
      await work();
      resolve(true);
    } catch (error) {
      if (!(error instanceof ApiError && error.status === 409)) throw error;
      reject(error);
    }
    dialog.close();
  };
  const closed = () => {
    dialog.remove();
    resolve(false);
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
