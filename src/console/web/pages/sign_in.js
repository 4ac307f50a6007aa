/** For people who are not signed in: the sign-in, or the first set-up where no account exists. */

import { send } from "../core/api.js";
import { h } from "../core/dom.js";
import { isShared, needsCode, setShared, signIn } from "../core/session.js";
import { t } from "../core/text.js";
import { form } from "../fields/form.js";
import { lineField } from "../fields/text.js";

/**
 * @param {() => unknown} done Draws the page that the address names, now that someone is known.
 * @returns {Promise<import("../pages.js").Content>}
 */
export async function signInPage(done) {
  const { data } = await send("GET", "/api/v2/auth/setup");
  if (!data.open) return signInForm(done);
  return (await import("./set_up.js")).setUpForm(token, done);
}

/** The token of the printed link; empty without one. */
const token = takeSetupToken();

/** Takes it out of the address bar, before anything is asked of the service. */
function takeSetupToken() {
  const token = /^#setup=(.+)$/.exec(location.hash)?.[1] ?? "";
  if (token !== "") history.replaceState(null, "", location.pathname);
  return token;
}

/** @param {() => unknown} done */
function signInForm(done) {
  const email = emailField();
  const password = lineField({
    ...{ name: "password", label: t("password"), required: true },
    ...{ type: "password", autocomplete: "current-password" },
  });
  // Shown, and sent, once the service asks for it.
  const code = lineField({
    ...{ name: "code", label: t("secondFactor"), hint: t("secondFactorHint") },
    ...{ required: true, autocomplete: "one-time-code" },
  });
  code.element.hidden = true;
  const shared = h("input", {
    type: "checkbox",
    checked: isShared(),
    "aria-describedby": "shared-hint",
  });
  const before = [
    code.element,
    h("label", { class: "choice" }, shared, t("sharedComputer")),
    h("p", { class: "hint", id: "shared-hint" }, t("sharedHint")),
  ];
  const submit = async () => {
    try {
      await signIn(email.text(), password.text(), code.text());
    } catch (error) {
      if (needsCode(error)) code.element.hidden = false;
      throw error;
    }
    setShared(shared.checked);
    await done();
  };
  return {
    title: t("signIn"),
    body: [form([email, password], t("signIn"), submit, { before })],
  };
}

export function emailField() {
  return lineField({
    ...{ name: "email", label: t("email"), required: true },
    ...{ type: "email", autocomplete: "username" },
  });
}
