/** Where a session ends while someone is writing: the password, over what was written. */

import { ApiError } from "./api.js";
import { h } from "./dom.js";
import { needsCode, signIn } from "./session.js";
import { failureText, t } from "./text.js";

/**
 * Does something that needs a session. Where it has ended, the person signs in and it is done again, with
 * the same key.
 *
 * @template Result
 * @param {string} email Who was signed in.
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 * @throws {ApiError} `AUTH_REQUIRED` where the person does not sign in.
 */
export async function withSession(email, work) {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof ApiError && error.code === "AUTH_REQUIRED")) throw error;
    if (!await askPassword(email)) throw error;
    return await work();
  }
}

/**
 * @param {string} email
 * @returns {Promise<boolean>} whether there is a session again.
 */
function askPassword(email) {
  const { promise, resolve } = Promise.withResolvers();
  const input = h("input", { type: "password", id: "again", autocomplete: "current-password" });
  const code = h("input", { id: "again-code", autocomplete: "one-time-code" });
  const codeField = h(
    "div",
    { class: "field", hidden: true },
    h("label", { for: "again-code" }, t("secondFactor")),
    code,
  );
  const refusal = h("p", { class: "refusal", role: "alert" });
  const close = (/** @type {boolean} */ signedIn) => {
    dialog.close();
    dialog.remove();
    resolve(signedIn);
  };
  const send = async (/** @type {Event} */ event) => {
    event.preventDefault();
    try {
      await signIn(email, input.value, code.value);
      close(true);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      refusal.textContent = failureText(error.code);
      if (needsCode(error)) codeField.hidden = false;
      (needsCode(error) ? code : input).select();
    }
  };
  const cancel = h("button", { type: "button", onclick: () => close(false) }, t("cancel"));
  const dialog = h(
    "dialog",
    { "aria-labelledby": "again-title", oncancel: () => close(false) },
    h("h2", { id: "again-title" }, t("passwordAgain")),
    h("p", {}, t("passwordAgainText")),
    h(
      "form",
      { onsubmit: send },
      h("input", { type: "hidden", autocomplete: "username", value: email }),
      h("div", { class: "field" }, h("label", { for: "again" }, t("password")), input, refusal),
      codeField,
      h("div", { class: "bar" }, h("button", { class: "main" }, t("signIn")), cancel),
    ),
  );
  document.body.append(dialog);
  dialog.showModal();
  return promise;
}
