import { h } from "../core/dom.js";
import { t } from "../core/text.js";
import { label } from "../logic/labels.js";
import { deviceSettings } from "./device_settings.js";
import { passwordForm } from "./password_form.js";
import { secondFactor } from "./second_factor.js";

/** @type {import("../pages.js").Page} */
export default async function account({ session }) {
  const { account: { displayName, email, role }, permissions } = session;
  const may = (/** @type {string} */ name) => permissions.includes(name);
  const links = [
    may("account.manage") && link("/console/sessions", t("sessions")),
    may("account.manage") && link("/console/passkeys", t("passkeys")),
    may("token.manage") && link("/console/tokens", t("tokens")),
    may("token.manage") && link("/console/calendar", t("calendar")),
    may("token.manage") && link("/console/assistants", t("assistants")),
    may("audit.read") && link("/console/audit", t("audit")),
    may("audit.read") && link("/console/witness", t("witness")),
    may("import.write") && link("/console/imports", t("imports")),
    link("/console/export", t("exportsAndBackups")),
    link("/console/about", t("about")),
  ];
  return {
    title: t("account"),
    body: [
      h("nav", { class: "bar", "aria-label": t("ofAccount") }, links),
      h(
        "dl",
        { class: "values" },
        ...pair(t("displayName"), h("span", { class: "words" }, displayName)),
        ...pair(t("email"), email),
        ...pair(t("accountRole"), label(role)),
      ),
      may("account.manage") && h("h2", {}, t("password")),
      may("account.manage") && passwordForm(session),
      may("account.manage") && h("h2", {}, t("twoFactors")),
      may("account.manage") && await secondFactor(session),
      h("h2", {}, t("thisDevice")),
      ...deviceSettings(),
    ],
  };
}

/** @param {string} href @param {string} text */
function link(href, text) {
  return h("a", { href }, text);
}

/** @param {string} name @param {import("../core/dom.js").Child} value */
function pair(name, value) {
  return [h("dt", {}, name), h("dd", {}, value)];
}
