/** What stands around every page: its links, and who is signed in. */

import { byId, fill, h } from "./dom.js";
import { t } from "./text.js";

/**
 * @param {import("./session.js").Session | null} session
 * @param {string} path The page's own.
 * @param {() => Promise<void>} show Draws the page anew.
 */
export function drawFrame(session, path, show) {
  if (session === null) {
    fill(byId("head"));
    fill(byId("foot"));
    return;
  }
  /** @param {string} href @param {string} text */
  const link = (href, text) => h("a", { href, "aria-current": path === href && "page" }, text);
  const leave = async () => {
    const { askSignOut } = await import("./sign_out.js");
    if (await askSignOut()) await show();
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
    h("button", { type: "button", class: "plain end", onclick: leave }, t("signOut")),
  );
  fill(byId("foot"), session.account.email);
}
