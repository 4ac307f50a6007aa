/** A password dialog that stays open until the password is right or the person cancels. */

import { h } from "./dom.js";
import { needsCode } from "./session.js";
import { t } from "./text.js";

/**
 * @typedef {object} Question
 * @property {string} email For password managers.
 * @property {string} title
 * @property {readonly import("./dom.js").Child[]} text
 * @property {string} action
 * @property {boolean} [takesCode] True if the account requires a code. Otherwise it is asked for
 *   after a failure.
 * @property {(answer: (result: any) => void) => Element} [beside] Another way to answer, next to the button.
 * @property {(error: unknown) => string | null} refusal The text for a failure; null closes the
 *   dialog and throws it.
 */

/**
 * @template Result
 * @param {Question} question
 * @param {(password: string, code: string) => Promise<Result>} use Sends both; the code may be
 *   empty.
 * @returns {Promise<Result | null>} null if the person cancels.
 */
export function askPassword(question, use) {
  const { email, title, text, action, takesCode = false, beside, refusal } = question;
  /** @type {PromiseWithResolvers<Result | null>} */
  const { promise, resolve, reject } = Promise.withResolvers();
  const password = h("input", { type: "password", id: "again", autocomplete: "current-password" });
  const code = h("input", { id: "again-code", autocomplete: "one-time-code" });
  const codeField = h(
    "div",
    { class: "field", hidden: !takesCode },
    h("label", { for: "again-code" }, t("secondFactor")),
    code,
  );
  const refused = h("p", { class: "refusal", role: "alert" });
  const button = h("button", { class: "main" }, action);
  const close = () => {
    dialog.close();
  };
  const answer = (/** @type {Result} */ result) => {
    resolve(result);
    close();
  };
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    button.disabled = true;
    try {
      answer(await use(password.value, code.value));
    } catch (error) {
      const meaning = refusal(error);
      if (meaning === null) {
        reject(error);
        return close();
      }
      refused.textContent = meaning;
      if (needsCode(error)) codeField.hidden = false;
      const wrong = needsCode(error) ? code : password;
      wrong.focus();
      wrong.select();
    } finally {
      button.disabled = false;
    }
  };
  const closed = () => {
    dialog.remove();
    resolve(null);
  };
  const dialog = h(
    "dialog",
    { "aria-labelledby": "again-title", onclose: closed },
    h("h2", { id: "again-title" }, title),
    ...text,
    h(
      "form",
      { onsubmit: send },
      h("input", { type: "hidden", autocomplete: "username", value: email }),
      h("div", { class: "field" }, h("label", { for: "again" }, t("password")), password, refused),
      codeField,
      h(
        "div",
        { class: "bar" },
        button,
        h("button", { type: "button", onclick: close }, t("cancel")),
        beside?.(answer),
      ),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}
