/** What stands around every page: its links, and who is signed in. */

import { byId, fill, h } from "./dom.js";
import { askSignOut } from "./sign_out.js";
import { t } from "./text.js";

/**
 * @param {import("./session.js").Session} session
 * @param {string} path The page's own.
 * @param {() => void} leave Called once the session has ended.
 */
export function drawFrame(session, path, leave) {
  /** @param {string} href @param {string} text */
  const link = (href, text) => h("a", { href, "aria-current": path === href && "page" }, text);
  const out = async () => {
    if (await askSignOut()) leave();
  };
  fill(
    byId("head"),
    h(
      "nav",
      { "aria-label": t("pages") },
      link("/", t("home")),
      link("/console/search", t("search")),
      link("/console/drafts", t("drafts")),
      link("/console/account", t("account")),
    ),
    h("button", { type: "button", class: "plain end", onclick: out }, t("signOut")),
  );
  fill(byId("foot"), session.account.email);
}
