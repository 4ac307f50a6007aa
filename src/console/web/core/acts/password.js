/** Asks for the password: after the session has ended, or as a proof. */

import { ApiError, hasCode, refusalWords } from "../base/api.js";
import { fill, h, showDialog } from "../base/elements.js";
import { t } from "../base/language.js";
import { send } from "../base/sender.js";
import { needsCode, secondFactorOf, session, signIn } from "../base/session.js";

/**
 * Runs work. If the session has ended, the person signs in without losing text, and the work is
 * repeated with the same key.
 * @template Result
 * @param {() => Promise<Result>} work
 * @throws {ApiError} `AUTH_REQUIRED` if the person does not sign in.
 */
export async function withSession(work) {
  try {
    return await work();
  } catch (error) {
    if (!hasCode(error, "AUTH_REQUIRED")) throw error;
    if (!await signInAgain()) throw error;
    return await work();
  }
}

/** @type {Promise<boolean> | null} */
let asked = null;

/** True if there is a session. Asks once for all writes that wait for it. */
function signInAgain() {
  return asked ??= askSignIn().finally(() => asked = null);
}

async function askSignIn() {
  const { email } = session().account;
  const isDone = await askPassword({
    title: t("passwordAgain"),
    text: [h("p", t("passwordAgainText"))],
    action: t("signIn"),
    takesCode: false,
    use: async (password, code) => {
      await signIn(email, password, code);
      return true;
    },
    offer: (answer, passkeys, place) => passkeys.offerSignIn(place, () => answer(true), email),
    refusal: refusalWords,
  });
  return isDone === true;
}

/**
 * Null if the person cancels.
 * @template Result
 * @param {PasswordQuestion<Result>} question
 */
function askPassword({ title, text, action, takesCode, use, offer, refusal }) {
  /** @type {PromiseWithResolvers<Result | null>} */
  const { promise, resolve, reject } = Promise.withResolvers();
  const { email } = session().account;
  const password = h("input", { type: "password", id: "again", autocomplete: "current-password" });
  const code = h("input", { id: "again-code", autocomplete: "one-time-code" });
  const codeLabel = h("label", { for: "again-code" }, t("secondFactor"));
  const codeField = h("div.field", { hidden: !takesCode }, codeLabel, code);
  const refused = h("p.refusal", { role: "alert" });
  const button = h("button.main", { type: "submit" }, action);
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
      const meaning = error instanceof ApiError ? refusal(error) : null;
      if (meaning === null) {
        reject(error);
        return close();
      }
      fill(refused, meaning);
      if (needsCode(error)) codeField.hidden = false;
      const wrong = needsCode(error) ? code : password;
      wrong.focus();
      wrong.select();
    } finally {
      button.disabled = false;
    }
  };
  // Stays empty if the browser has no passkeys, or is offline.
  const passkey = h("div");
  import("../passkeys.js").then((passkeys) => offer(answer, passkeys, passkey), () => {});
  const cancel = h("button", { onclick: close }, t("cancel"));
  const dialog = showDialog(
    { "aria-labelledby": "again-title", onclose: () => resolve(null) },
    h("h2", { id: "again-title" }, title),
    ...text,
    h(
      "form",
      { onsubmit: send },
      // For password managers.
      h("input", { type: "hidden", autocomplete: "username", value: email }),
      h("div.field", h("label", { for: "again" }, t("password")), password, refused),
      codeField,
      h("div.bar", button, cancel, passkey),
    ),
  );
  return promise;
}

/**
 * Runs an action after asking for the password or a passkey again: null if the person cancels. The
 * proof is stored nowhere. Its first success uses it up: repeating asks again, with the same key.
 * @template Result
 * @param {ProvenAct} act
 * @param {(proof: string) => Promise<Result>} work Sends one request with the proof.
 */
export function withProof(act, work) {
  return withSession(async () => {
    const proof = await askProof(act);
    return proof === null ? null : await work(proof);
  });
}

/** @type {(act: ProvenAct) => Promise<string | null>} */
function askProof({ purpose, what, thing, targetId }) {
  const { secondFactor } = session();
  return askPassword({
    title: what,
    text: [thing !== undefined && h("p.words", thing), h("p", t("proofText"))],
    action: t("confirm"),
    takesCode: secondFactor,
    use: async (password, code) => {
      const body = { password, ...secondFactorOf(code), purpose, targetId };
      return (await send("POST", "/api/v2/auth/step-up", { body })).data.proof;
    },
    offer: (answer, passkeys, place) => passkeys.offerProof(place, { purpose, targetId }, answer),
    refusal(error) {
      // The session has ended.
      if (error.code === "AUTH_REQUIRED") return null;
      if (error.code !== "STEP_UP_REQUIRED") return refusalWords(error);
      return [t(secondFactor ? "proofRefused" : "passwordWrong")];
    },
  });
}
