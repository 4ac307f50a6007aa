/** Asks for the password without losing text when a session ends. */

import { ApiError } from "./api.js";
import { h } from "./dom.js";
import { notLoaded } from "./not_loaded.js";
import { passkeyPlace } from "./passkey_place.js";
import { signIn } from "./session.js";
import { refusalText, t } from "./text.js";

/**
 * Runs work. If the session has ended, the person signs in and the work is repeated with the same
 * key.
 *
 * @template Result
 * @param {string} email
 * @param {() => Promise<Result>} work
 * @returns {Promise<Result>}
 * @throws {ApiError} `AUTH_REQUIRED` if the person does not sign in.
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
 * @returns {Promise<boolean>} whether there is a session.
 */
async function signInAgain(email) {
  const question = {
    email,
    title: t("passwordAgain"),
    text: [h("p", {}, t("passwordAgainText"))],
    action: t("signIn"),
    beside: (/** @type {(isDone: boolean) => void} */ answer) =>
      passkeyPlace((passkeys, place) =>
        passkeys.offerSignIn(place, () => email, () => answer(true))
      ),
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
