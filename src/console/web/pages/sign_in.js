/** Signing in, and the first set-up if there is no account. */

import { hasCode, refusalWords } from "../core/base/api.js";
import { h } from "../core/base/elements.js";
import { drawing } from "../core/base/icons.js";
import { t } from "../core/base/language.js";
import { get } from "../core/base/reads.js";
import { send } from "../core/base/sender.js";
import { isShared, needsCode, setShared, signIn } from "../core/base/session.js";
import { form } from "../fields/controls/forms.js";
import { codeField, emailField, lineField, passwordField } from "../fields/controls/lines.js";

/** @param {() => unknown} done */
function setUpForm(done) {
  const given = lineField({
    name: "setupToken",
    label: t("setUpToken"),
    hint: t("setUpLink"),
    required: true,
    sensitive: true,
    initial: setupToken,
  });
  const row = { name: "displayName", label: t("displayName"), required: true };
  const name = lineField({ ...row, autocomplete: "name" });
  const email = emailField();
  const password = passwordField("password", t("newPassword"), true);
  const submit = async () => {
    const body = {
      setupToken: given.text().replace(/^.*#setup=/, "").trim(),
      displayName: name.text(),
      email: email.text(),
      password: password.text(),
    };
    await send("POST", "/api/v2/auth/setup", { body }).catch((error) => {
      // The token is wrong or has expired.
      if (hasCode(error, "AUTH_REQUIRED")) given.focus();
      throw error;
    });
    await done();
  };
  const fields = [name, email, password, given];
  const body = [h("p", t("setUpText")), form(fields, t("createAccount"), submit)];
  fold(given);
  return { title: t("setUp"), heading: [drawing("begin"), t("setUp")], body };
}

/** The link brings its text; the focus unfolds it. @param {Field} field */
function fold({ element }) {
  const details = h("details", h("summary", t("setUpToken")));
  element.replaceWith(details);
  details.append(element);
}

/**
 * @param {() => unknown} done
 * @param {import("../core/base/api.js").ApiError | null} moved The refusal of the session, if its
 *   account has moved.
 */
export async function signInPage(done, moved) {
  const { open } = await get("/api/v2/auth/setup");
  return open ? setUpForm(done) : signInForm(done, moved);
}

/** From the printed link; empty without one. */
const setupToken = /^#setup=(.+)$/.exec(location.hash)?.[1] ?? "";
// Leaves the address bar before the first request.
if (setupToken !== "") history.replaceState(null, "", location.pathname);

/** @param {() => unknown} done @param {import("../core/base/api.js").ApiError | null} moved */
function signInForm(done, moved) {
  const email = emailField();
  const password = passwordField("password", t("password"));
  // Shown once the service requires it.
  const code = codeField();
  code.element.hidden = true;
  const hinted = { "aria-describedby": "shared-hint" };
  const shared = h("input", { type: "checkbox", checked: isShared(), ...hinted });
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
    (passkeys) => passkeys.offerSignIn(place, signedIn),
    () => {},
  );
  return {
    title: t("signIn"),
    heading: [drawing("door"), t("signIn")],
    body: [
      moved !== null && h("p.refusal", refusalWords(moved)),
      location.pathname === "/oauth/authorize" && h("p", t("signInToAllow")),
      form([email, password], t("signIn"), submit, { before }),
      place,
    ],
  };
}
