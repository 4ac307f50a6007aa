/** Forms of the account page. */

import { withProof, withSession } from "../core/acts.js";
import {
  announce,
  ApiError,
  fill,
  h,
  isShared,
  LANGUAGES,
  loadLanguage,
  needsCode,
  secondFactorOf,
  send,
  t,
  visit,
} from "../core/base.js";
import { loadLabels } from "../core/names.js";
import { choiceField, form, lineField } from "../fields/controls.js";
import { showOnce } from "../fields/shown_once.js";

/** The second factor: an authenticator's code in addition to the password. */

const API = "/api/v2/auth/totp";

/** @param {Session} session */
export async function secondFactor(session) {
  const isLocked = session.secondFactor && (await send("GET", API)).data.locked;
  const place = h("div");
  /** @param {string} path @param {string} what @param {(data: any) => unknown} done */
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
    return h("button", { onclick: press }, what);
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
    h("p", t(session.secondFactor ? "secondFactorOnText" : "secondFactorOffText")),
    isLocked && h("p.summary", t("secondFactorLocked")),
    h("div.bar", buttons),
  );
  return place;
}

/**
 * Shows the secret until a code confirms it.
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
    "dl.values",
    { translate: "no" },
    picture !== null && [h("dt", t("secretAsPicture")), h("dd", picture)],
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
    done: () => visit("/console/account"),
  });
}

/** Ends other sessions. Requires a code if there is a second factor. */

/** @param {Session} session */
export function passwordForm(session) {
  const present = lineField({
    name: "currentPassword",
    label: t("presentPassword"),
    required: true,
    type: "password",
    autocomplete: "current-password",
  });
  const next = lineField({
    name: "newPassword",
    label: t("newPassword"),
    hint: t("passwordHint"),
    required: true,
    type: "password",
    autocomplete: "new-password",
  });
  // Shown once the service requires it.
  const code = lineField({
    name: "code",
    label: t("secondFactor"),
    hint: t("secondFactorHint"),
    required: true,
    autocomplete: "one-time-code",
  });
  const codePlace = h("div");
  const keepTokens = h("input", { type: "checkbox" });
  const submit = async () => {
    const body = {
      currentPassword: present.text(),
      ...secondFactorOf(code.text()),
      newPassword: next.text(),
      revokeTokens: !keepTokens.checked,
    };
    try {
      const { data } = await withSession(
        session.account.email,
        () => send("POST", "/api/v2/auth/password", { body }),
      );
      announce(
        t("passwordChanged", { sessions: data.revokedSessions, tokens: data.revokedTokens }),
      );
    } catch (error) {
      if (needsCode(error)) fill(codePlace, code.element);
      if (!(error instanceof ApiError && error.code === "STEP_UP_REQUIRED")) throw error;
      present.refuse(t(code.text() === "" ? "passwordWrong" : "proofRefused"));
      return present.focus();
    }
    for (const field of [present, next, code]) field.setText("");
    fill(codePlace);
  };
  const before = [
    codePlace,
    // For password managers.
    h("input", { type: "hidden", autocomplete: "username", value: session.account.email }),
    h("label.choice", keepTokens, t("keepTokens")),
    h("p.hint", t("passwordChangeHint")),
  ];
  return form([present, next], t("changePassword"), submit, { before });
}

export function deviceSettings() {
  const languages = Object.entries(LANGUAGES).map(([value, label]) => ({ value, label }));
  return [
    setting("theme", t("theme"), [
      { value: "", label: t("themeOfSystem") },
      { value: "light", label: t("light") },
      { value: "dark", label: t("dark") },
    ], showTheme),
    setting("language", t("language"), [
      { value: "", label: t("themeOfSystem") },
      ...languages,
    ], changeLanguage),
    setting("keys", t("keys"), [
      { value: "", label: t("switchedOn") },
      { value: "off", label: t("switchedOff") },
    ], () => {}),
    setting("veil", t("veil"), [
      { value: "", label: t("switchedOff") },
      { value: "on", label: t("switchedOn") },
    ], () => {}),
    h("p.quiet", t(isShared() ? "isShared" : "isNotShared")),
  ];
}

/**
 * @param {"theme" | "language" | "keys" | "veil"} name Also the storage key.
 * @param {string} label
 * @param {Choices} choices The empty one is not stored.
 * @param {(value: string) => unknown} changed
 */
function setting(name, label, choices, changed) {
  const choice = choiceField({ name, label, required: true }, choices);
  choice.setText(localStorage.getItem(name) ?? "");
  choice.element.addEventListener("change", () => {
    const value = choice.text();
    if (value === "") localStorage.removeItem(name);
    else localStorage.setItem(name, value);
    void changed(value);
  });
  return choice.element;
}

/** @param {string} theme */
function showTheme(theme) {
  if (theme === "") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
}

async function changeLanguage() {
  await loadLanguage();
  await loadLabels();
  await visit("/console/account");
}
