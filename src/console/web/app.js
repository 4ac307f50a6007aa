/** Starts the console, and goes from page to page without loading the shell again. */

import { byId, fill, h } from "./core/dom.js";
import { ApiError } from "./core/api.js";
import { setDraftOwner } from "./core/device.js";
import { onSessionChange, readSession } from "./core/session.js";
import { failureText, loadArea, loadFailures, loadLanguage, t } from "./core/text.js";
import { beginVisit, onVisit } from "./core/visit.js";
import { signInPage } from "./pages/sign_in.js";

/** @typedef {import("./pages.js").Content} Content */

/** @type {typeof import("./core/signed_in.js") | undefined} The pages, once someone is signed in. */
let signedIn;
/** @type {string | null} The account whose page is drawn. */
let drawnFor = null;

/**
 * Draws the page that the address names.
 *
 * @param {NavigateEvent} [event] The visit; none where the page is drawn anew.
 */
async function show(event) {
  const visit = beginVisit();
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  const content = await makeContent(new URL(location.href));
  // Only the newest visit may draw.
  if (visit.aborted) return;
  document.title = `${content.title} · Personal Records`;
  const heading = h("h1", { tabindex: -1 }, content.heading ?? content.title);
  fill(byId("main"), heading, ...content.body);
  // Without a connection the next page tries again.
  if (signedIn !== undefined) void signedIn.goOn().catch(() => {});
  if (signedIn?.returnToPlace(event)) return;
  scrollTo(0, 0);
  (content.focus ?? (() => heading.focus()))();
}

/**
 * @param {URL} address
 * @returns {Promise<Content>}
 */
async function makeContent({ pathname, searchParams }) {
  try {
    const session = await readSession();
    drawnFor = session?.account.accountId ?? null;
    if (session === null) {
      for (const id of ["head", "foot"]) fill(byId(id));
      // The scripts may hold what they knew of the person who was signed in before.
      return await signInPage(signedIn === undefined ? show : leave);
    }
    setDraftOwner(session.account.accountId);
    signedIn = await import("./core/signed_in.js");
    signedIn.drawFrame(session, pathname, leave);
    await signedIn.start();
    const found = signedIn.findPage(pathname);
    if (found === null) return signedIn.notFound();
    const [{ default: page }] = await Promise.all([
      found.load(),
      loadArea("records"),
      ...found.areas.map(loadArea),
    ]);
    return await page({ params: found.params, query: searchParams, session });
  } catch (error) {
    await loadFailures().catch(() => {});
    const text = error instanceof ApiError
      ? failureText(error.code)
      : t("unexpected", { code: "?" });
    if (!(error instanceof ApiError)) reportError(error);
    const again = h("button", { type: "button", onclick: () => show() }, t("again"));
    return { title: t("failed"), body: [h("p", {}, text), again] };
  }
}

/** Begins anew: what scripts, timers and files of this page hold of a person goes with it. */
function leave() {
  for (const dialog of document.querySelectorAll("dialog")) dialog.close();
  // What is written here belongs to a session that has ended: nothing asks for it.
  signedIn?.forgetWords();
  fill(byId("main"));
  location.reload();
}

// Without the Navigation API links load the shell anew, and nothing else changes.
globalThis.navigation?.addEventListener("navigate", (event) => {
  const { pathname } = new URL(event.destination.url);
  const isPage = event.canIntercept && !event.hashChange && event.downloadRequest === null &&
    signedIn !== undefined && signedIn.findPage(pathname) !== null;
  // Script that rewrites the address visits no page, and what is loaded anew is to be new.
  if (!isPage || !["push", "traverse"].includes(event.navigationType)) return;
  if (signedIn?.holdBack(event)) return;
  signedIn?.leavePlace(event);
  event.intercept({ handler: () => show(event), focusReset: "manual", scroll: "manual" });
});

onVisit(async () => {
  if (await signedIn?.mayLeave() !== false) await show();
});
onSessionChange(async (what) => {
  // A sign-in to the same account, as over a form in another tab, changes nothing here.
  if (what === "in" && drawnFor !== null) {
    const session = await readSession().catch(() => null);
    if (session?.account.accountId === drawnFor) return;
  }
  leave();
});
await loadLanguage();
void show();
