/** The password, and settings of the device. */

import { withSession } from "../../core/acts/password.js";
import { hasCode } from "../../core/base/api.js";
import { announce, fill, h } from "../../core/base/elements.js";
import { LANGUAGES, loadLanguage, t } from "../../core/base/language.js";
import { send } from "../../core/base/sender.js";
import { needsCode, secondFactorOf, session } from "../../core/base/session.js";
import { visit } from "../../core/base/visits.js";
import { loadLabels } from "../../core/names.js";
import { choiceField, choicesOf } from "../../fields/controls/choices.js";
import { form } from "../../fields/controls/forms.js";
import { codeField, passwordField } from "../../fields/controls/lines.js";

export function passwordForm() {
  const present = passwordField("currentPassword", t("presentPassword"));
  const next = passwordField("newPassword", t("newPassword"), true);
  const code = codeField();
  // Filled once the service requires a code.
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
      const { data } = await withSession(() => send("POST", "/api/v2/auth/password", { body }));
      const { revokedSessions: sessions, revokedTokens: tokens } = data;
      announce(t("passwordChanged", { sessions, tokens }));
    } catch (error) {
      if (needsCode(error)) fill(codePlace, code.element);
      if (!hasCode(error, "STEP_UP_REQUIRED")) throw error;
      present.refuse(t(code.text() === "" ? "passwordWrong" : "proofRefused"));
      return present.focus();
    }
    for (const field of [present, next, code]) field.setText("");
    fill(codePlace);
  };
  const before = [
    codePlace,
    h("input", { type: "hidden", autocomplete: "username", value: session().account.email }),
    h("label.choice", keepTokens, t("keepTokens")),
    h("p.hint", t("passwordChangeHint")),
  ];
  return form([present, next], t("changePassword"), submit, { before });
}

export function deviceSettings() {
  const system = { "": t("themeOfSystem") };
  const [on, off] = [t("factorOn"), t("factorOff")];
  return [
    setting("theme", t("theme"), { ...system, light: t("light"), dark: t("dark") }, showTheme),
    setting("language", t("language"), { ...system, ...LANGUAGES }, changeLanguage),
    setting("keys", t("keysHelp"), { "": on, off }),
    setting("veil", t("veil"), { "": off, on }),
    spellingSetting(),
  ];
}

/**
 * @param {string} name Also the storage key.
 * @param {string} label
 * @param {Texts} labels By value; the empty one is not stored.
 * @param {(value: string) => unknown} [changed]
 */
function setting(name, label, labels, changed) {
  const initial = localStorage.getItem(name) ?? "";
  const choice = choiceField({ name, label, required: true, initial }, choicesOf(labels));
  choice.element.addEventListener("change", () => {
    const value = choice.text();
    if (value === "") localStorage.removeItem(name);
    else localStorage.setItem(name, value);
    void changed?.(value);
  });
  return choice.element;
}

/** Fields inherit it from the page, except sensitive ones. */
function spellingSetting() {
  const { documentElement: page } = document;
  const onchange = () => {
    page.spellcheck = box.checked;
    if (box.checked) localStorage.setItem("spelling", "on");
    else localStorage.removeItem("spelling");
  };
  const why = { id: "spelling-why" };
  const about = { "aria-describedby": why.id, checked: page.spellcheck, onchange };
  const box = h("input", { type: "checkbox", ...about });
  return h(
    "div.field",
    h("label.choice", box, t("checkSpelling")),
    h("p.hint", why, t("checkSpellingHint")),
  );
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
