import { loadLabels } from "../core/catalog.js";
import { h } from "../core/dom.js";
import { isShared } from "../core/session.js";
import { LANGUAGES, loadLanguage, t } from "../core/text.js";
import { visit } from "../core/visit.js";
import { choiceField } from "../fields/choice.js";

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
    h("p", { class: "quiet" }, t(isShared() ? "isShared" : "isNotShared")),
  ];
}

/**
 * @param {"theme" | "language" | "keys" | "veil"} name Also the storage key.
 * @param {string} label
 * @param {import("../fields/choice.js").Choices} choices The empty one is not stored.
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
