/** A new password, which ends what the old one opened. */

import { ApiError, send } from "../core/api.js";
import { announce, h } from "../core/dom.js";
import { withSession } from "../core/sign_in_again.js";
import { t } from "../core/text.js";
import { form } from "../fields/form.js";
import { lineField } from "../fields/text.js";

/** @param {import("../core/session.js").Session} session */
export function passwordForm(session) {
  const present = lineField({
    ...{ name: "currentPassword", label: t("presentPassword"), required: true },
    ...{ type: "password", autocomplete: "current-password" },
  });
  const next = lineField({
    ...{ name: "newPassword", label: t("newPassword"), hint: t("passwordHint"), required: true },
    ...{ type: "password", autocomplete: "new-password" },
  });
  const keepTokens = h("input", { type: "checkbox" });
  const submit = async () => {
    const body = {
      currentPassword: present.text(),
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
      if (!(error instanceof ApiError && error.code === "STEP_UP_REQUIRED")) throw error;
      present.refuse(t("passwordWrong"));
      return present.focus();
    }
    for (const field of [present, next]) field.setText("");
  };
  const before = [
    // For password managers.
    h("input", { type: "hidden", autocomplete: "username", value: session.account.email }),
    h("label", { class: "choice" }, keepTokens, t("keepTokens")),
    h("p", { class: "hint" }, t("passwordEnds")),
  ];
  return form([present, next], t("changePassword"), submit, { before });
}
