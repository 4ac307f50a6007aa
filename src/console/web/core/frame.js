import { byId, fill, h } from "./dom.js";
import { notLoaded } from "./not_loaded.js";
import { t, timeText } from "./text.js";

/**
 * @param {import("./session.js").Session} session
 * @param {string} path
 * @param {() => void} leave Called after the session has ended.
 */
export function drawFrame(session, path, leave) {
  /** @param {string} href @param {string} text */
  const link = (href, text) => h("a", { href, "aria-current": path === href && "page" }, text);
  const out = async () => {
    const { askSignOut } = await import("./sign_out.js").catch(notLoaded);
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

/** Sets the printing time and unfolds folded parts. */
export function startPrinting() {
  /** @type {HTMLDetailsElement[]} */
  let unfolded = [];
  addEventListener("beforeprint", () => {
    fill(byId("printed"), t("printedAt", { time: timeText(Date.now()) }));
    unfolded = [...document.querySelectorAll("details")].filter((details) =>
      details.closest(".history") !== null && !details.open
    );
    for (const details of unfolded) details.open = true;
  });
  addEventListener("afterprint", () => {
    for (const details of unfolded) details.open = false;
  });
}
