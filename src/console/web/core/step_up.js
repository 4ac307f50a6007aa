/**
 * Asks for the password or a passkey again. The service returns a proof for one action, used in one request and
 * stored nowhere.
 */

import { ApiError, send } from "./api.js";
import { askPassword } from "./ask_password.js";
import { h } from "./dom.js";
import { passkeyPlace } from "./passkey_place.js";
import { secondFactorOf } from "./session.js";
import { withSession } from "./sign_in_again.js";
import { failureText, t } from "./text.js";

/**
 * @typedef {"RELATIONSHIP_EVALUATION_CONFIRM" | "MEMORY_PRIVACY_DOWNGRADE" | "MEMORY_SECRET_EXPORT"
 * | "IDENTITY_LEGACY_DRILL" | "IDENTITY_PUBLISH" | "ACCOUNT_EXPORT" | "TOKEN_CREATE"
 * | "SECOND_FACTOR_CHANGE" | "PASSKEY_CHANGE" | "RELATIONSHIP_EXPORT" | "IMPORT_WITHDRAW"} Purpose
 */

/**
 * @typedef {object} ProvenAct
 * @property {Purpose} purpose
 * @property {string} what The dialog's title: "Create a token".
 * @property {string} [thing]
 * @property {string} [targetId] If the proof is bound to an object.
 */

/**
 * Runs an action that requires a proof. A wrong password keeps the dialog open.
 *
 *     const made = await withProof(session, { purpose: "TOKEN_CREATE", what: t("newToken") }, (proof) =>
 *       send("POST", "/api/v2/auth/tokens", { body, proof }));
 *     if (made === null) return; // The person cancelled: nothing was sent.
 *
 * A proof's first success uses it up: a repetition asks again, and keeps its key.
 *
 * @template Result
 * @param {import("./session.js").Session} session
 * @param {ProvenAct} act
 * @param {(proof: string) => Promise<Result>} work Sends one request with the proof.
 * @returns {Promise<Result | null>} null if the person cancels.
 * @throws {ApiError}
 */
export function withProof(session, act, work) {
  return withSession(session.account.email, async () => {
    const proof = await askProof(session, act);
    return proof === null ? null : await work(proof);
  });
}

/**
 * @param {import("./session.js").Session} session
 * @param {ProvenAct} act
 * @returns {Promise<string | null>}
 */
function askProof({ account: { email }, secondFactor }, { purpose, what, thing, targetId }) {
  const text = [
    thing !== undefined && h("p", { class: "words" }, thing),
    h("p", {}, t("proofText")),
  ];
  const refusal = (/** @type {unknown} */ error) => {
    if (!(error instanceof ApiError) || error.code === "AUTH_REQUIRED") return null;
    if (error.code !== "STEP_UP_REQUIRED") return failureText(error.code);
    return t(secondFactor ? "proofRefused" : "passwordWrong");
  };
  const beside = (/** @type {(proof: string) => void} */ answer) =>
    passkeyPlace((passkeys, place) => passkeys.offerProof(place, { purpose, targetId }, answer));
  const action = t("confirm");
  const question = { email, title: what, text, action, takesCode: secondFactor, beside };
  return askPassword({ ...question, refusal }, async (password, code) => {
    const body = { password, ...secondFactorOf(code), purpose, targetId };
    return (await send("POST", "/api/v2/auth/step-up", { body })).data.proof;
  });
}
