/** Loaded for signed-in pages only. */

import { findPage } from "../pages.js";
import { notFound } from "../pages/not_found.js";
import { ApiError } from "./api.js";
import { loadLabels } from "./catalog.js";
import { announce, byId } from "./dom.js";
import { drawKinds, showWaiting, startPrinting } from "./frame.js";
import { notLoaded } from "./not_loaded.js";
import { failureText, loadArea, loadFailures } from "./text.js";
import { blockLeaving, startWatching } from "./unsaved_forms.js";

export { drawFrame, markPlace } from "./frame.js";
export { confirmLeave, discardForms } from "./unsaved_forms.js";

/** Whether a module failed to load: browsers do not try it again before a reload. */
let isBroken = false;

export function needsReload() {
  return isBroken;
}

/**
 * Loads a page's module and texts.
 *
 * @param {string} pathname
 * @param {Promise<void>} language Loads the texts of every page.
 */
export async function loadPage(pathname, language) {
  const found = findPage(pathname);
  if (found === null) return { page: notFound, params: {} };
  const loadAreas = () => Promise.all([loadArea("records"), ...found.areas.map(loadArea)]);
  const others = Promise.all([start(), language.then(loadAreas)]);
  const loaded = found.load().catch(() => {
    isBroken = true;
    return notLoaded();
  });
  const [{ default: page }] = await Promise.all([loaded, others]);
  return { page, params: found.params };
}

/**
 * Loads the module and the texts of a page that may be shown without a connection.
 *
 * @param {string} pathname
 */
function preload(pathname) {
  const found = findPage(pathname);
  return Promise.all([found?.load(), ...(found?.areas ?? []).map(loadArea)]);
}

/**
 * Draws a link's page without loading the shell; leaves other links to the browser.
 *
 * @param {NavigateEvent} event
 * @param {(event: NavigateEvent) => Promise<void>} show
 */
export function interceptVisit(event, show) {
  const { pathname } = new URL(event.destination.url);
  const isPage = event.canIntercept && !event.hashChange && event.downloadRequest === null &&
    findPage(pathname) !== null;
  // `replace` is not a visit, and a reload must load everything.
  if (!isPage || !["push", "traverse"].includes(event.navigationType)) return;
  if (blockLeaving(event) || isBroken) return;
  leavePlace(event);
  event.intercept({ handler: () => show(event), focusReset: "manual", scroll: "manual" });
}

/**
 * Stores the followed link in the page that is left.
 *
 * @param {NavigateEvent} event
 */
function leavePlace({ destination, navigationType }) {
  if (navigationType !== "push") return;
  const { pathname, search } = new URL(destination.url);
  globalThis.navigation.updateCurrentEntry({ state: { left: pathname + search } });
}

/**
 * Scrolls to the link that the reader had followed.
 *
 * @param {NavigateEvent | undefined} event
 * @returns {boolean} false if the visit is not a return.
 */
export function returnToPlace(event) {
  if (event?.navigationType !== "traverse") return false;
  const { left } = /** @type {any} */ (globalThis.navigation.currentEntry?.getState()) ?? {};
  const link = [...document.querySelectorAll("main a")].find((one) =>
    one.getAttribute("href") === left
  );
  event.scroll();
  if (!(link instanceof HTMLElement)) return false;
  link.focus({ preventScroll: true });
  return true;
}

/** @type {Promise<void> | undefined} */
let started;

function start() {
  started ??= begin().catch((error) => {
    started = undefined;
    throw error;
  });
  return started;
}

async function begin() {
  await loadLabels();
  startPrinting();
  startWatching();
  reportRejections();
}

/** Shows failures that nothing else shows, also in the browser's console. */
function reportRejections() {
  addEventListener("unhandledrejection", async (event) => {
    const { reason } = event;
    if (reason instanceof ApiError) event.preventDefault();
    await loadFailures().catch(() => {});
    announce(failureText(reason instanceof ApiError ? reason.code : "?"));
  });
}

let hasStarted = false;

/** @param {typeof import("./unsynced.js").listUnsynced} listUnsynced */
function watchUnsynced(listUnsynced) {
  const look = async () => {
    const { queued, drafts } = await listUnsynced();
    // The form of a draft shows it.
    const isElsewhere = drafts.some(({ path }) => path !== location.pathname);
    showWaiting(queued.length > 0 || isElsewhere);
  };
  void look();
  if (hasStarted) return;
  addEventListener("unsynced", () => void look());
  addEventListener("storage", () => void look());
}

/**
 * Starts what can wait until a page is shown, including modules that are needed if the connection
 * is lost.
 */
export async function startBackground() {
  if (byId("kinds").childElementCount === 0) drawKinds();
  const [{ startOutbox }, { listUnsynced }, { startKeys }] = await Promise.all([
    import("./browser_outbox.js"),
    import("./unsynced.js"),
    import("./keys.js"),
    import("./ask_leave.js"),
    import("./sign_out.js"),
    import("./palette.js"),
    preload("/console/drafts"),
    loadFailures(),
    loadArea("unsaved"),
  ]);
  startOutbox();
  watchUnsynced(listUnsynced);
  if (sessionStorage.getItem("signedIn") !== null) {
    void import("./notice.js").then(({ showNotice }) => showNotice()).catch(() => {});
  }
  if (hasStarted) return;
  hasStarted = true;
  startKeys();
}
