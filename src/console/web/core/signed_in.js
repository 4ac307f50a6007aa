/** Loaded for signed-in pages only. */

import { findPage } from "../pages.js";
import { notFound } from "../pages/not_found.js";
import { ApiError } from "./api.js";
import { loadLabels } from "./catalog.js";
import { announce } from "./dom.js";
import { startPrinting } from "./frame.js";
import { failureText, loadArea, loadFailures } from "./text.js";
import { blockLeaving, startWatching } from "./unsaved_forms.js";

export { drawFrame } from "./frame.js";
export { confirmLeave, discardForms } from "./unsaved_forms.js";

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
  const [{ default: page }] = await Promise.all([found.load(), others]);
  return { page, params: found.params };
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
  if (blockLeaving(event)) return;
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

/**
 * Starts what can wait until a page is shown, including modules that are needed if the connection
 * is lost.
 */
export async function startBackground() {
  const [{ startOutbox }, { startKeys }] = await Promise.all([
    import("./browser_outbox.js"),
    import("./keys.js"),
    import("./ask_leave.js"),
    import("./sign_out.js"),
    loadFailures(),
    loadArea("unsaved"),
  ]);
  startOutbox();
  void import("./notice.js").then(({ showNotice }) => showNotice()).catch(() => {});
  if (hasStarted) return;
  hasStarted = true;
  startKeys();
}
