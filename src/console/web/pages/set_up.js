import { h, send, t } from "../core/base.js";
import { emailField, form, lineField } from "../fields/controls.js";

/** @param {string} token @param {() => unknown} done */
export function setUpForm(token, done) {
  const given = lineField({
    name: "setupToken",
    label: t("setUpToken"),
    hint: t("setUpLink"),
    required: true,
    sensitive: true,
  });
  given.setText(token);
  const name = lineField({
    name: "displayName",
    label: t("displayName"),
    required: true,
    autocomplete: "name",
  });
  const email = emailField();
  const password = lineField({
    name: "password",
    label: t("newPassword"),
    hint: t("passwordHint"),
    required: true,
    type: "password",
    autocomplete: "new-password",
  });
  const submit = async () => {
    const body = {
      setupToken: given.text().replace(/^.*#setup=/, "").trim(),
      displayName: name.text(),
      email: email.text(),
      password: password.text(),
    };
    await send("POST", "/api/v2/auth/setup", { body });
    await done();
  };
  const fields = [given, name, email, password];
  const body = [h("p", t("setUpText")), form(fields, t("createAccount"), submit)];
  return { title: t("setUp"), body };
}
