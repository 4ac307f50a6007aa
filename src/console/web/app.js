import { ApiError, hasCode } from "./core/base/api.js";
import { byId, fill, h } from "./core/base/elements.js";
import { drawing } from "./core/base/icons.js";
import { failureText, loadFailures, loadLanguage, t } from "./core/base/language.js";
import { onSessionChange, readSession, setSession } from "./core/base/session.js";
import { beginVisit, onVisit } from "./core/base/visits.js";

/** @type {typeof import("./core/signed_in/index.js") | undefined} */
let signedIn;
const language = loadLanguage();
/** @type {Session | null} */
let present = null;
/** The refusal of a session whose account has moved. @type {ApiError | null} */
let moved = null;
/** Has the mark of a browser that sends a session cookie, which scripts cannot read. */
const { dataset } = document.documentElement;

/** Malformed or erased addresses. */
const GONE = ["PAYLOAD_INVALID", "RECORD_ERASED"];

/** @param {NavigateEvent} [event] */
async function show(event) {
  const visit = beginVisit();
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  signedIn?.markPlace(location.pathname);
  const content = await makeContent(new URL(location.href));
  if (visit.aborted) return;
  document.title = `${content.title} · Personal Records`;
  const heading = h("h1", { tabindex: -1 }, content.heading ?? content.title);
  fill(byId("main"), heading, ...content.body);
  // Without a connection the next page tries again.
  setTimeout(() => void signedIn?.startBackground().catch(() => {}));
  if (signedIn?.returnToPlace(event)) return;
  scrollTo(0, 0);
  (content.focus ?? (() => heading.focus()))();
}

/** @type {(address: URL) => Promise<Content>} */
async function makeContent({ pathname, searchParams }) {
  const load = async () => (await import("./core/signed_in/index.js")).loadPage(pathname, language);
  // Loads while the session is requested.
  const early = pathname === "/" && dataset.session === undefined ? null : load();
  const asked = askSession();
  for (const work of [early, asked]) work?.catch(() => {});
  // Without texts only the shell can be shown.
  await language;
  try {
    present = await asked;
    if (present === null) {
      fill(byId("head"));
      const { signInPage } = await import("./pages/sign_in.js");
      return await signInPage(() => {
        dataset.session = "";
        // Scripts may still hold data of the last account.
        return signedIn === undefined ? show() : leave();
      }, moved);
    }
    setSession(present);
    signedIn = await import("./core/signed_in/index.js");
    signedIn.drawFrame(pathname, leave);
    const { page, params } = await (early ?? load());
    return await page({ params, query: searchParams });
  } catch (error) {
    await loadFailures().catch(() => {});
    const { status, code } = error instanceof ApiError ? error : { status: 0, code: "?" };
    if (status === 404 || GONE.includes(code)) {
      return (await import("./core/names.js")).missing(pathname, code);
    }
    if (!(error instanceof ApiError)) reportError(error);
    const retry = () => signedIn?.needsReload() ? location.reload() : show();
    const again = h("button.main", { onclick: retry }, t("again"));
    const heading = [drawing("unplugged"), t("failed")];
    return { title: t("failed"), heading, body: [h("p", failureText(code)), h("p.bar", again)] };
  }
}

/** Asks nothing without a cookie, because browsers log each 401. */
async function askSession() {
  if (dataset.session === undefined) return null;
  try {
    return await readSession();
  } catch (error) {
    if (error instanceof ApiError && error.code === "ACCOUNT_MOVED") {
      moved = error;
      return null;
    }
    // A page can show the data in the browser.
    if (present !== null && hasCode(error, "NETWORK_ERROR")) return present;
    throw error;
  }
}

/** Reloads, so that the scripts forget the account. */
function leave() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  // The session has ended: unsaved text cannot be saved.
  signedIn?.discardForms();
  fill(byId("main"));
  location.reload();
}

// A reload must not post shared words again.
if (location.pathname === "/console/share") history.replaceState(null, "", "/console/capture");

// Without the Navigation API links reload the shell.
const { navigation } = globalThis;
navigation?.addEventListener("navigate", (event) => signedIn?.interceptVisit(event, show));

onVisit(async () => {
  if (await signedIn?.confirmLeave() !== false) await show();
});
onSessionChange(async (what) => {
  // Another tab signed in to the same account.
  if (what === "in" && present !== null) {
    const session = await readSession().catch(() => null);
    if (session?.account.accountId === present.account.accountId) return;
  }
  leave();
});
void show();
