/** A dialog that stays open until the service has done the action. */

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
 * }} question `action` labels its button; `fields` are inputs.
 * @param {() => Promise<unknown>} work Its failure is shown in the dialog.
 * @returns {Promise<boolean>} true if it was done.
 * @throws {ApiError} a conflict (409).
 */
export function ask({ title, text, action, fields = [] }, work) {
  const { promise, resolve, reject } = Promise.withResolvers();
  let isWorking = false;
  const submit = async () => {
    isWorking = true;
    try {
      await work();
      resolve(true);
    } catch (error) {
      const isOver = !dialog.open || (error instanceof ApiError && error.status === 409);
      if (!isOver) throw error;
      reject(error);
    } finally {
      isWorking = false;
    }
    dialog.close();
  };
  const cancelled = (/** @type {Event} */ event) => {
    if (isWorking) event.preventDefault();
  };
  const closed = () => {
    dialog.remove();
    // A running request shows its result even after the page was left.
    if (!isWorking) resolve(false);
  };
  const cancel = h("button", { type: "button", onclick: () => dialog.close() }, t("cancel"));
  const id = `question-${++count}`;
  /** @type {HTMLDialogElement} */
  const dialog = h(
    "dialog",
    { "aria-labelledby": id, onclose: closed, oncancel: cancelled },
    h("h2", { id }, title),
    text !== undefined && h("p", {}, text),
    form(fields, action, submit, { beside: [cancel] }),
  );
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}
