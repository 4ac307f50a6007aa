/** The second factor: an authenticator's code in addition to the password. */

import { send } from "../core/api.js";
import { announce, fill, h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { withProof } from "../core/step_up.js";
import { t } from "../core/text.js";
import { visit } from "../core/visit.js";
import { form } from "../fields/form.js";
import { showOnce } from "../fields/shown_once.js";
import { lineField } from "../fields/text.js";

const API = "/api/v2/auth/totp";

/** @typedef {import("../core/session.js").Session} Session */

/** @param {Session} session */
export async function secondFactor(session) {
  const isLocked = session.secondFactor && (await send("GET", API)).data.locked;
  const place = h("div", {});
  /**
   * @param {string} path
   * @param {string} what
   * @param {(data: any) => unknown} done
   */
  const button = (path, what, done) => {
    const press = async () => {
      const change = /** @type {const} */ ({ purpose: "SECOND_FACTOR_CHANGE", what });
      const made = await withProof(
        session,
        change,
        (proof) => send("POST", `${API}${path}`, { proof }),
      );
      if (made !== null) await done(made.data);
    };
    return h("button", { type: "button", onclick: press }, what);
  };
  const begun = async (/** @type {any} */ data) => {
    const { qrPicture } = await import("../core/qr_picture.js");
    showSecret(session, place, data, qrPicture(data.uri, t("secretAsPicture")));
  };
  const off = () => {
    announce(t("secondFactorTurnedOff"));
    return visit("/console/account");
  };
  const buttons = session.secondFactor
    ? [
      button("/recovery-codes", t("newRecoveryCodes"), (data) => showCodes(place, data)),
      button("", t("otherAuthenticator"), begun),
      button("/disable", t("turnOff"), off),
    ]
    : [button("", t("turnOn"), begun)];
  fill(
    place,
    h("p", {}, t(session.secondFactor ? "secondFactorOnText" : "secondFactorOffText")),
    isLocked && h("p", { class: "summary" }, t("secondFactorLocked")),
    h("div", { class: "bar" }, buttons),
  );
  return place;
}

/**
 * Shows the secret until a code confirms it.
 *
 * @param {Session} session
 * @param {HTMLElement} place
 * @param {{ secret: string, uri: string }} data
 * @param {Element | null} picture Null if the address is too long for a QR code.
 */
function showSecret(session, place, { secret, uri }, picture) {
  const code = lineField({
    name: "code",
    label: t("authenticatorCode"),
    required: true,
    inputmode: "numeric",
    autocomplete: "one-time-code",
  });
  const confirm = async () => {
    const body = { code: code.text().replaceAll(/\s/g, "") };
    const { data } = await withSession(
      session.account.email,
      () => send("POST", `${API}/confirm`, { body }),
    );
    announce(t("secondFactorTurnedOn"));
    showCodes(place, data);
  };
  const secrets = h(
    "dl",
    { class: "values", translate: "no" },
    picture !== null && [h("dt", {}, t("secretAsPicture")), h("dd", {}, picture)],
    h("dt", {}, t("secretByHand")),
    h("dd", { class: "exact" }, secret.replaceAll(/.{4}(?=.)/g, "$& ")),
    h("dt", {}, t("secretAsAddress")),
    h("dd", { class: "exact" }, uri),
  );
  fill(place, h("p", {}, t("secretText")), secrets, form([code], t("turnOn"), confirm));
  code.focus();
}

/**
 * @param {HTMLElement} place
 * @param {{ recoveryCodes: readonly string[] }} data
 */
function showCodes(place, { recoveryCodes }) {
  showOnce(place, {
    text: t("recoveryText"),
    secrets: recoveryCodes,
    stored: t("recoveryCodesStored"),
    done: () => visit("/console/account"),
  });
}
