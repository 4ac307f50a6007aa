/** Signing in, and the first set-up if there is no account. */

import { get, h, isShared, needsCode, send, setShared, signIn, t } from "../core/base.js";
import { emailField, form, lineField } from "../fields/controls.js";

/** @param {string} token @param {() => unknown} done */
function setUpForm(token, done) {
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

/** @param {() => unknown} done */
export async function signInPage(done) {
  const data = await get("/api/v2/auth/setup");
  if (!data.open) return signInForm(done);
  return setUpForm(token, done);
}

/** From the printed link; empty without one. */
const token = readSetupToken();

/** Removes it from the address bar before the first request. */
function readSetupToken() {
  const token = /^#setup=(.+)$/.exec(location.hash)?.[1] ?? "";
  if (token !== "") history.replaceState(null, "", location.pathname);
  return token;
}

/** @param {() => unknown} done */
function signInForm(done) {
  const email = emailField();
  const password = lineField({
    name: "password",
    label: t("password"),
    required: true,
    type: "password",
    autocomplete: "current-password",
  });
  // Shown once the service requires it.
  const code = lineField({
    name: "code",
    label: t("secondFactor"),
    hint: t("secondFactorHint"),
    required: true,
    autocomplete: "one-time-code",
  });
  code.element.hidden = true;
  const shared = h("input", {
    type: "checkbox",
    checked: isShared(),
    "aria-describedby": "shared-hint",
  });
  const before = [
    code.element,
    h("label.choice", shared, t("sharedComputer")),
    h("p.hint", { id: "shared-hint" }, t("sharedHint")),
  ];
  const submit = async () => {
    try {
      await signIn(email.text(), password.text(), code.text());
    } catch (error) {
      if (needsCode(error)) code.element.hidden = false;
      throw error;
    }
    await signedIn();
  };
  const signedIn = async () => {
    setShared(shared.checked);
    await done();
  };
  const place = h("div");
  import("../core/passkeys.js").then(
    (passkeys) => passkeys.offerSignIn(place, email.text, signedIn),
    () => {},
  );
  return {
    title: t("signIn"),
    body: [form([email, password], t("signIn"), submit, { before }), place],
  };
}
