import { showOnce } from "../../core/acts/line_forms.js";
import { withProof, withSession } from "../../core/acts/password.js";
import { announce, fill, h } from "../../core/base/elements.js";
import { t } from "../../core/base/language.js";
import { get } from "../../core/base/reads.js";
import { send } from "../../core/base/sender.js";
import { session } from "../../core/base/session.js";
import { visit } from "../../core/base/visits.js";
import { form } from "../../fields/controls/forms.js";
import { lineField } from "../../fields/controls/lines.js";
import { pair } from "../../fields/shown/values.js";

const API = "/api/v2/auth/totp";

export async function secondFactor() {
  const { secondFactor: isOn } = session();
  const isLocked = isOn && (await get(API)).locked;
  const place = h("div");
  /** @param {string} path @param {string} name @param {(data: any) => unknown} done */
  const button = (path, name, done) => {
    const onclick = async () => {
      const made = await withProof(
        { purpose: "SECOND_FACTOR_CHANGE", what: name },
        (proof) => send("POST", `${API}${path}`, { proof }),
      );
      if (made !== null) await done(made.data);
    };
    return h("button", { onclick }, name);
  };
  const begin = (/** @type {string} */ name) => button("", name, (data) => showSecret(place, data));
  const off = () => {
    announce(t("secondFactorTurnedOff"));
    return visit("/console/account");
  };
  const buttons = isOn
    ? [
      button("/recovery-codes", t("newRecoveryCodes"), (data) => showCodes(place, data)),
      begin(t("otherAuthenticator")),
      button("/disable", t("turnOff"), off),
    ]
    : [begin(t("turnOn"))];
  fill(
    place,
    h("p", t(isOn ? "secondFactorOnText" : "secondFactorOffText")),
    isLocked && h("p.summary", t("secondFactorLocked")),
    h("div.bar", buttons),
  );
  return { element: place, isLocked };
}

/** @param {HTMLElement} place @param {{ secret: string, uri: string }} data */
async function showSecret(place, { secret, uri }) {
  const { qrPicture } = await import("../../logic/qr_code.js");
  const picture = qrPicture(uri, t("secretAsPicture"));
  const code = lineField({
    name: "code",
    label: t("authenticatorCode"),
    required: true,
    inputmode: "numeric",
    autocomplete: "one-time-code",
  });
  const confirm = async () => {
    const body = { code: code.text().replaceAll(/\s/g, "") };
    const { data } = await withSession(() => send("POST", `${API}/confirm`, { body }));
    announce(t("secondFactorTurnedOn"));
    showCodes(place, data);
  };
  const secrets = h(
    "dl.values",
    { translate: "no" },
    picture !== null && pair(t("secretAsPicture"), picture),
    h("dt", t("secretByHand")),
    h("dd.exact", secret.replaceAll(/.{4}(?=.)/g, "$& ")),
    h("dt", t("secretAsAddress")),
    h("dd.exact", uri),
  );
  fill(place, h("p", t("secretText")), secrets, form([code], t("turnOn"), confirm));
  code.focus();
}

/** @param {HTMLElement} place @param {{ recoveryCodes: readonly string[] }} data */
function showCodes(place, { recoveryCodes }) {
  showOnce(place, {
    text: t("recoveryText"),
    secrets: recoveryCodes,
    stored: t("recoveryCodesStored"),
    page: "/console/account",
  });
}
