/** For people who are not signed in: the sign-in, or the first set-up where no account exists. */

import { send } from "../core/api.js";
import { h } from "../core/dom.js";
import { setUp, signIn } from "../core/session.js";
import { t } from "../core/text.js";
import { form } from "../fields/form.js";
import { textField } from "../fields/text_field.js";

/**
 * @param {() => Promise<void>} done Draws the page that the address names, now that someone is known.
 * @returns {Promise<import("../pages.js").Content>}
 */
export async function signInPage(done) {
  const token = takeSetupToken();
  const { data } = await send("GET", "/api/v2/auth/setup");
  return data.open ? setUpForm(token, done) : signInForm(done);
}

/** The token of the printed link, which leaves the address bar before anything else happens. */
function takeSetupToken() {
  const token = /^#setup=(.+)$/.exec(location.hash)?.[1] ?? "";
  if (token !== "") history.replaceState(null, "", location.pathname);
  return token;
}

/** @param {() => Promise<void>} done */
function signInForm(done) {
  const email = textField("email", t("email"), { type: "email", autocomplete: "username" });
  const password = textField("password", t("password"), {
    type: "password",
    autocomplete: "current-password",
  });
  const send = async () => {
    await signIn(email.value(), password.value());
    await done();
  };
  return { title: t("signIn"), body: [form([email, password], t("signIn"), send)] };
}

/**
 * @param {string} token
 * @param {() => Promise<void>} done
 */
function setUpForm(token, done) {
  const given = textField("setupToken", t("setUpToken"), { value: token, hint: t("setUpLink") });
  const name = textField("displayName", t("displayName"), { autocomplete: "name" });
  const email = textField("email", t("email"), { type: "email", autocomplete: "username" });
  const password = textField("password", t("newPassword"), {
    type: "password",
    autocomplete: "new-password",
    hint: t("passwordHint"),
  });
  const send = async () => {
    await setUp({
      setupToken: given.value().replace(/^.*#setup=/, "").trim(),
      displayName: name.value(),
      email: email.value(),
      password: password.value(),
    });
    await done();
  };
  const fields = [given, name, email, password];
  const body = [h("p", {}, t("setUpText")), form(fields, t("createAccount"), send)];
  return { title: t("setUp"), body };
}
