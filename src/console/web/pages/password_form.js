/** Ends other sessions. Requires a code if there is a second factor. */

import { ApiError, send } from "../core/api.js";
import { announce, fill, h } from "../core/dom.js";
import { needsCode, secondFactorOf } from "../core/session.js";
import { withSession } from "../core/sign_in_again.js";
import { t } from "../core/text.js";
import { form } from "../fields/form.js";
import { lineField } from "../fields/text.js";

/** @param {import("../core/session.js").Session} session */
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
  const codePlace = h("div", {});
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
    h("label", { class: "choice" }, keepTokens, t("keepTokens")),
    h("p", { class: "hint" }, t("passwordChangeHint")),
  ];
  return form([present, next], t("changePassword"), submit, { before });
}
