/** The first set-up if there is no account. */

import { h, isShared, loadArea, needsCode, send, setShared, signIn, t } from "../core/base.js";
import { emailField, form, lineField } from "../fields/controls.js";

/** @param {() => unknown} done */
export async function signInPage(done) {
  const { data } = await send("GET", "/api/v2/auth/setup");
  if (!data.open) return signInForm(done);
  const [{ setUpForm }] = await Promise.all([import("./set_up.js"), loadArea("set_up")]);
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
