/** Where a session ends while someone is writing: the password, over what was written. */

import { ApiError } from "./api.js";
import { h } from "./dom.js";
import { notLoaded } from "./not_loaded.js";
import { signIn } from "./session.js";
import { refusalText, t } from "./text.js";

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
    if (!await signInAgain(email)) throw error;
    return await work();
  }
}

/**
 * @param {string} email
 * @returns {Promise<boolean>} whether there is a session again.
 */
async function signInAgain(email) {
  const question = {
    email,
    title: t("passwordAgain"),
    text: [h("p", {}, t("passwordAgainText"))],
    action: t("signIn"),
    refusal: (/** @type {unknown} */ error) =>
      error instanceof ApiError ? refusalText(error) : null,
  };
  const { askPassword } = await import("./ask_password.js").catch(notLoaded);
  const signedIn = await askPassword(question, async (password, code) => {
    await signIn(email, password, code);
    return true;
  });
  return signedIn === true;
}
