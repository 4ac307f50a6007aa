/**
 * What takes the password once more. The service gives a proof for it, which holds for one act: it is
 * handed to the one request that does the act, and is kept nowhere.
 */

import { ApiError, send } from "./api.js";
import { askPassword } from "./ask_password.js";
import { h } from "./dom.js";
import { secondFactorOf } from "./session.js";
import { withSession } from "./sign_in_again.js";
import { failureText, t } from "./text.js";

/**
 * @typedef {"RELATIONSHIP_EVALUATION_CONFIRM" | "MEMORY_PRIVACY_DOWNGRADE" | "MEMORY_SECRET_EXPORT"
 * | "IDENTITY_LEGACY_DRILL" | "IDENTITY_PUBLISH" | "ACCOUNT_EXPORT" | "TOKEN_CREATE"
 * | "SECOND_FACTOR_CHANGE"} Purpose
 */

/**
 * @typedef {object} Act
 * @property {Purpose} purpose
 * @property {string} what What is going to be done, as the dialog's title: "Make a token".
 * @property {string} [thing] Which thing it is done to, as its owner calls it.
 * @property {string} [targetId] The thing's identifier, where the proof is to be good for it alone.
 */

/**
 * Does an act that takes a proof. The dialog says what the act is; a wrong password stays in it. Where
 * the session has ended, the person signs in again first.
 *
 *     const made = await withProof(session, { purpose: "TOKEN_CREATE", what: t("newToken") }, (proof) =>
 *       send("POST", "/api/v2/auth/tokens", { body, proof }));
 *     if (made === null) return; // The person gave up: nothing was sent.
 *
 * A proof is spent by its first success, so a repetition of an act asks again; it keeps its key.
 *
 * @template Result
 * @param {import("./session.js").Session} session
 * @param {Act} act
 * @param {(proof: string) => Promise<Result>} work Sends one request with the proof.
 * @returns {Promise<Result | null>} null where the person gives up.
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
 * @param {Act} act
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
  const question = { email, title: what, text, action: t("confirm"), takesCode: secondFactor };
  return askPassword({ ...question, refusal }, async (password, code) => {
    const body = { password, ...secondFactorOf(code), purpose, targetId };
    return (await send("POST", "/api/v2/auth/step-up", { body })).data.proof;
  });
}
