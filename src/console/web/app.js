import { ApiError } from "./core/api.js";
import { byId, fill, h } from "./core/dom.js";
import { onSessionChange, readSession, setDraftOwner } from "./core/session.js";
import { failureText, loadFailures, loadLanguage, t } from "./core/text.js";
import { beginVisit, onVisit } from "./core/visit.js";

/** @typedef {import("./pages.js").Content} Content */

/** @type {typeof import("./core/signed_in.js") | undefined} */
let signedIn;
const language = loadLanguage();
/** @type {string | null} The account whose page is shown. */
let drawnFor = null;

/** @param {NavigateEvent} [event] Undefined for a redraw. */
async function show(event) {
  const visit = beginVisit();
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
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

/**
 * @param {URL} address
 * @returns {Promise<Content>}
 */
async function makeContent({ pathname, searchParams }) {
  const load = async () => (await import("./core/signed_in.js")).loadPage(pathname, language);
  // Loads while the session is requested. The root has only the sign-in page.
  const early = pathname === "/" ? null : load();
  const asked = readSession();
  for (const work of [early, asked]) work?.catch(() => {});
  // Without texts only the shell can be shown.
  await language;
  try {
    const session = await asked;
    drawnFor = session?.account.accountId ?? null;
    if (session === null) {
      for (const id of ["head", "foot"]) fill(byId(id));
      const { signInPage } = await import("./pages/sign_in.js");
      // Scripts may still hold data of the last account.
      return await signInPage(signedIn === undefined ? show : leave);
    }
    setDraftOwner(session.account.accountId);
    signedIn = await import("./core/signed_in.js");
    signedIn.drawFrame(session, pathname, leave);
    const { page, params } = await (early ?? load());
    return await page({ params, query: searchParams, session });
  } catch (error) {
    await loadFailures().catch(() => {});
    const text = failureText(error instanceof ApiError ? error.code : "?");
    if (!(error instanceof ApiError)) reportError(error);
    const again = h("button", { type: "button", onclick: () => show() }, t("again"));
    return { title: t("failed"), body: [h("p", {}, text), again] };
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

// Without the Navigation API links reload the shell.
globalThis.navigation?.addEventListener(
  "navigate",
  (event) => signedIn?.interceptVisit(event, show),
);

onVisit(async () => {
  if (await signedIn?.confirmLeave() !== false) await show();
});
onSessionChange(async (what) => {
  // Another tab signed in to the same account.
  if (what === "in" && drawnFor !== null) {
    const session = await readSession().catch(() => null);
    if (session?.account.accountId === drawnFor) return;
  }
  leave();
});
void show();
